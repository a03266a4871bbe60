/* tool_task.c -- the tools `task` and `activate_skill` */
#include "agent/tool.h"

#include "text/frontmatter.h"
#include "vfs/vfs.h"

/* ---- task
 * -------------------------------------------------------------------------------------- */

static int task_tool_run(struct call *c, struct hob_error *err)
{
    struct str prompt = tool_text(c, "prompt"), agent = tool_text(c, "agent"),
               cwd = tool_text(c, "cwd");
    hob_prompt_options o = {.size = sizeof o};

    if (prompt.n == 0)
        return error_set(err, HOB_EINVAL, "the prompt is empty");
    o.agent = agent.p;
    o.cwd = cwd.n ? cwd.p : NULL;
    if (!agent_find(c->turn->agent, agent)) {
        /* Not an error: the model gets to know the names and chooses again. */
        buf_printf(&c->out, "There is no agent named \"%.*s\". The agents are:", STR_ARG(agent));
        for (const hob_agent *const *s = c->turn->agent->subagents; s && *s; s++)
            buf_printf(&c->out, "%s %s", s == c->turn->agent->subagents ? "" : ",", (*s)->name);
        return 0;
    }
    int r = prompt_task(c->turn, &c->cancel, prompt, &o, &c->out, err);
    if (r == 0 && c->out.n == 0)
        buf_addz(&c->out, "(the agent ended without a text)");
    buf_addz(&c->details, "\"agent\":");
    json_quote(&c->details, agent);
    return r;
}

const struct tool tool_task = {
    .name = STR_INIT("task"),
    .description = STR_INIT("Give a piece of work to another agent. It works in the same sandbox "
                            "with a conversation of "
                            "its own, knows only what the prompt says, and its last text comes "
                            "back. Several tasks of one "
                            "message run at the same time."),
    .schema = STR_INIT(
        "{\"type\":\"object\",\"properties\":{"
        "\"agent\":{\"type\":\"string\",\"description\":\"The name of the agent\"},"
        "\"prompt\":{\"type\":\"string\",\"description\":\"All that it needs to know\"},"
        "\"description\":{\"type\":\"string\",\"description\":\"A few words on what it is for\"},"
        "\"cwd\":{\"type\":\"string\",\"description\":\"Where it works; default is the working "
        "directory\"}},"
        "\"required\":[\"agent\",\"prompt\"],\"additionalProperties\":false}"),
    .run = task_tool_run,
};

/* ---- activate_skill
 * ---------------------------------------------------------------------------- */

static int skill_tool_unknown(struct call *c, struct str name, struct hob_error *err)
{
    size_t n = 0;
    struct skill s;

    for (size_t i = 0; context_skill_at(c->turn->agent, c->turn->workspace, i, &s); i++)
        buf_printf(&c->out, "%s%.*s", n++ ? ", " : "The skills are: ", STR_ARG(s.name));
    return error_set(err, HOB_ENOENT, "there is no skill named \"%.*s\"",
                     STR_ARG(str_sub(name, 0, 100)));
}

static int skill_tool_run(struct call *c, struct hob_error *err)
{
    struct str name = tool_text(c, "name");
    struct skill s;

    if (!context_find_skill(c->turn->agent, c->turn->workspace, name, &s))
        return skill_tool_unknown(c, name, err);
    return context_skill_body(c->harness, c->turn->box, &s, &c->cancel, &c->out, err);
}

const struct tool tool_skill = {
    .name = STR_INIT("activate_skill"),
    .description = STR_INIT("Get the instructions of one of the skills that are listed in the "
                            "system prompt. Do it before "
                            "work that a skill is for."),
    .schema = STR_INIT("{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}},"
                       "\"required\":[\"name\"],\"additionalProperties\":false}"),
    .run = skill_tool_run,
};

/* agent.c -- the configuration of an agent: checked and copied
 *
 * The copy is deep, so that the caller may let its own go as soon as hob_init() returns. Everything
 * that can be wrong in a configuration is found here, and the error names the field.
 */
#include "agent/agent.h"
#include "text/schema.h"

enum {
    AGENT_NESTING = 16,  /* of subagents */
    AGENT_NAME = 64,     /* bytes of a name */
    AGENT_SUMMARY = 1024 /* bytes of a skill's description */
};

static const char *const agent_tools[] = {"read", "write", "edit",           "bash",   "grep",
                                          "glob", "task",  "activate_skill", "finish", "give_up"};
enum {
    AGENT_CHOICES = 8 /* of them, that an agent may show or hide */
};

/* Where in the configuration a check is: for error texts, and to see a circle. */
struct agent_place {
    const struct agent_place *up;
    const hob_agent *o;
    int depth;
};

struct agent_copier {
    struct arena *arena;
    struct hob_error *err;
};

bool agent_reserved(struct str tool)
{
    for (size_t i = 0; i < COUNT(agent_tools); i++)
        if (str_eqz(tool, agent_tools[i]))
            return true;
    return false;
}

const hob_agent *agent_find(const hob_agent *o, struct str name)
{
    for (const hob_agent *const *s = o->subagents; s && *s; s++)
        if (str_eqz(name, (*s)->name))
            return *s;
    return NULL;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool agent_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool agent_word(char c)
{
    return agent_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Letters, digits, _ and -, and `first` says whether it must begin with a letter. */
static bool agent_name_ok(const char *z, bool first)
{
    size_t n = z ? strlen(z) : 0;
    if (n == 0 || n > AGENT_NAME || (first && !agent_letter(z[0])))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!agent_word(z[i]))
            return false;
    return true;
}

/* Lower case words joined by single dashes. */
static bool agent_skill_ok(const char *z)
{
    size_t n = z ? strlen(z) : 0;
    if (n == 0 || n > AGENT_NAME || z[0] == '-' || z[n - 1] == '-')
        return false;
    for (size_t i = 0; i < n; i++) {
        bool plain = (z[i] >= 'a' && z[i] <= 'z') || (z[i] >= '0' && z[i] <= '9');
        if (!plain && (z[i] != '-' || z[i + 1] == '-'))
            return false;
    }
    return true;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static int agent_check_tool(const struct agent_copier *c, const hob_agent *o, size_t i)
{
    const hob_tool *t = &o->tools[i];
    struct json *v = NULL;
    struct schema *compiled;
    if (!agent_name_ok(t->name, false))
        return error_set(c->err, HOB_EINVAL,
                         "tools[%zu].name: \"%s\" is not made of letters, digits, _ and -", i,
                         t->name ? t->name : "");
    if (agent_reserved(str_z(t->name)))
        return error_set(c->err, HOB_EINVAL, "tools[%zu].name: \"%s\" is a tool of Hob's own", i,
                         t->name);
    for (size_t k = 0; k < i; k++)
        if (strcmp(o->tools[k].name, t->name) == 0)
            return error_set(c->err, HOB_EINVAL, "tools: two are named \"%s\"", t->name);
    if (!t->fn == !t->command)
        return error_set(c->err, HOB_EINVAL, "tools[%zu] (%s): set one of fn and command", i,
                         t->name);
    if (!t->schema)
        return 0;
    struct arena_mark m = arena_mark(c->arena);
    int r = json_parse(c->arena, str_z(t->schema), 64, &v, c->err);
    if (r == 0 && v->kind != JSON_OBJECT)
        r = error_set(c->err, HOB_EINVAL, "it is no object");
    if (r == 0)
        r = schema_compile(c->arena, v, &compiled, c->err);
    arena_release(c->arena, m);
    if (r < 0 && c->err)
        error_prefix(c->err, "tools[%zu].schema (%s)", i, t->name);
    return r;
}

static int agent_check_lists(const struct agent_copier *c, const hob_agent *o)
{
    int r = 0;
    for (size_t i = 0; i < o->ntools && r == 0; i++)
        r = agent_check_tool(c, o, i);
    for (const char *const *b = o->builtin; b && *b && r == 0; b++) {
        bool known = false;
        for (size_t i = 0; i < AGENT_CHOICES; i++)
            known |= strcmp(*b, agent_tools[i]) == 0;
        if (!known)
            r = error_set(c->err, HOB_EINVAL,
                          "builtin: there is no tool \"%s\"; there are read, write, edit, bash, "
                          "grep, glob, task and activate_skill",
                          *b);
    }
    for (size_t i = 0; i < o->nskills && r == 0; i++) {
        const hob_skill *s = &o->skills[i];
        if (!agent_skill_ok(s->name))
            r = error_set(c->err, HOB_EINVAL,
                          "skills[%zu].name: \"%s\" is not made of lower case words joined by -", i,
                          s->name ? s->name : "");
        else if (!s->description || !*s->description || strlen(s->description) > AGENT_SUMMARY)
            r = error_set(c->err, HOB_EINVAL,
                          "skills[%zu].description (%s): it is missing or longer than %d bytes", i,
                          s->name, AGENT_SUMMARY);
        else if (!s->body)
            r = error_set(c->err, HOB_EINVAL, "skills[%zu].body (%s): it is missing", i, s->name);
        for (size_t k = 0; k < i && r == 0; k++)
            if (strcmp(o->skills[k].name, s->name) == 0)
                r = error_set(c->err, HOB_EINVAL, "skills: two are named \"%s\"", s->name);
    }
    return r;
}

static int agent_check_subagents(const struct agent_copier *c, const struct agent_place *at)
{
    const hob_agent *const *subs = at->o->subagents;
    for (size_t i = 0; subs && subs[i]; i++) {
        if (!agent_name_ok(subs[i]->name, true))
            return error_set(c->err, HOB_EINVAL,
                             "subagents[%zu].name: \"%s\" is not a letter and then letters, "
                             "digits, _ and -",
                             i, subs[i]->name ? subs[i]->name : "");
        for (size_t k = 0; k < i; k++)
            if (strcmp(subs[k]->name, subs[i]->name) == 0)
                return error_set(c->err, HOB_EINVAL, "subagents: two are named \"%s\"",
                                 subs[i]->name);
        for (const struct agent_place *p = at; p; p = p->up)
            if (p->o == subs[i])
                return error_set(c->err, HOB_EINVAL, "subagents: \"%s\" contains itself",
                                 subs[i]->name);
    }
    return at->depth > AGENT_NESTING
               ? error_set(c->err, HOB_EINVAL, "subagents: nested more than %d deep", AGENT_NESTING)
               : 0;
}

static int agent_check(const struct agent_copier *c, const struct agent_place *at)
{
    const hob_agent *o = at->o;
    if (o->size != sizeof *o)
        return error_set(c->err, HOB_EINVAL, "agent: size is not set; begin with HOB_AGENT_INIT");
    if (o->thinking < HOB_THINK_DEFAULT || o->thinking > HOB_THINK_XHIGH)
        return error_set(c->err, HOB_EINVAL, "thinking: %d is none of HOB_THINK_...", o->thinking);
    if (o->compaction.reserve < 0 || o->compaction.keep < 0)
        return error_set(c->err, HOB_EINVAL, "compaction.%s: it is negative",
                         o->compaction.reserve < 0 ? "reserve" : "keep");
    int r = agent_check_lists(c, o);
    return r < 0 ? r : agent_check_subagents(c, at);
}

/* ---- copying --------------------------------------------------------------------------------- */

/* Replaces *z by a copy. */
static bool agent_keep(struct arena *a, const char **z)
{
    if (*z)
        *z = arena_str(a, str_z(*z)).p;
    return !a->heap->oom;
}

static bool agent_keep_list(struct arena *a, const char *const **list)
{
    size_t n = 0;
    while (*list && (*list)[n])
        n++;
    if (!*list)
        return true;
    const char **copy = arena_array(a, const char *, n + 1);
    for (size_t i = 0; copy && i < n; i++) {
        copy[i] = (*list)[i];
        if (!agent_keep(a, &copy[i]))
            return false;
    }
    *list = copy;
    return copy != NULL;
}

static bool agent_keep_tools(struct arena *a, hob_agent *o)
{
    hob_tool *tools = arena_array(a, hob_tool, o->ntools + 1);
    hob_skill *skills = arena_array(a, hob_skill, o->nskills + 1);
    if (!tools || !skills)
        return false;
    for (size_t i = 0; i < o->ntools; i++) {
        tools[i] = o->tools[i];
        if (!agent_keep(a, &tools[i].name) || !agent_keep(a, &tools[i].description) ||
            !agent_keep(a, &tools[i].schema) || !agent_keep(a, &tools[i].command))
            return false;
    }
    for (size_t i = 0; i < o->nskills; i++) {
        skills[i] = o->skills[i];
        if (!agent_keep(a, &skills[i].name) || !agent_keep(a, &skills[i].description) ||
            !agent_keep(a, &skills[i].body))
            return false;
    }
    o->tools = tools;
    o->skills = skills;
    return true;
}

static int agent_copy_at(const struct agent_copier *c, const struct agent_place *at, hob_agent *out)
{
    struct arena *a = c->arena;
    int r = agent_check(c, at);
    if (r < 0)
        return r;
    *out = *at->o;
    out->sandbox_options = NULL;
    out->env = NULL;
    out->providers = NULL;
    out->models = NULL;
    out->nproviders = out->nmodels = 0;
    if (!agent_keep(a, &out->name) || !agent_keep(a, &out->description) ||
        !agent_keep(a, &out->model) || !agent_keep(a, &out->instructions) ||
        !agent_keep(a, &out->sandbox) || !agent_keep(a, &out->cwd) || !agent_keep(a, &out->store) ||
        !agent_keep(a, &out->compaction.model) || !agent_keep_list(a, &out->builtin) ||
        !agent_keep_tools(a, out))
        return HOB_ENOMEM;
    size_t n = 0;
    while (out->subagents && out->subagents[n])
        n++;
    if (n == 0) {
        out->subagents = NULL;
        return 0;
    }
    const hob_agent **subs = arena_array(a, const hob_agent *, n + 1);
    for (size_t i = 0; subs && i < n; i++) {
        struct agent_place below = {at, at->o->subagents[i], at->depth + 1};
        hob_agent *copy = arena_new(a, hob_agent);
        r = copy ? agent_copy_at(c, &below, copy) : HOB_ENOMEM;
        if (r < 0) {
            if (r != HOB_ENOMEM && c->err)
                error_prefix(c->err, "subagents[%zu] (%s)", i, below.o->name);
            return r;
        }
        subs[i] = copy;
    }
    out->subagents = subs;
    return subs ? 0 : HOB_ENOMEM;
}

int agent_copy(struct agent *a, const hob_agent *o, struct hob_error *err)
{
    struct agent_copier c = {&a->arena, err};
    struct agent_place at = {NULL, o, 0};
    int r = agent_copy_at(&c, &at, &a->o);
    if (r == HOB_ENOMEM || (r == 0 && a->arena.heap->oom))
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    return r;
}

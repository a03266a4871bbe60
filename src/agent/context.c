/* context.c -- what the model is told before the first word: instructions, skills, surroundings
 *
 * AGENTS.md, CLAUDE.md and the skills are files of the sandbox. They are looked for at the start of
 * every prompt, and read again when a name, a size or a time has changed. The text of a skill is
 * read when it is asked for, so an edit counts at once. Everything here may have been written by
 * anyone: a skill that is wrong is left out with a warning, it never stops the work.
 */
#include "agent/tool.h"

#include "base/utf8.h"
#include "text/date.h"
#include "text/frontmatter.h"
#include "vfs/vfs.h"

enum {
    CONTEXT_FILE = 256 << 10,   /* bytes of AGENTS.md that are taken */
    CONTEXT_SKILL = 1 << 20,    /* bytes of a SKILL.md */
    CONTEXT_SKILLS = 500,       /* skills of one folder */
    CONTEXT_NAMES = 300,        /* entries of the listing */
    CONTEXT_NAME = 64,          /* characters of a skill's name */
    CONTEXT_DESCRIPTION = 1024, /* of its description */
    CONTEXT_TYPE = 0170000,
    CONTEXT_FOLDER = 0040000
};

#define CONTEXT_SKILLS_DIR ".agents/skills"

/* ---- looking --------------------------------------------------------------------------------- */

struct context_look {
    struct hob_harness *harness;
    hob_sandbox *box;
    struct cancel *cancel;
    uint64_t stamp;
    hob_dirent *entries, *skills; /* of cwd, and of .agents/skills */
    size_t nentries, nskills;
};

/* Errors that end the work; others mean that something is not there. */
static bool context_fatal(int r) { return r == HOB_ECANCELED || r == HOB_EDIED || r == HOB_ENOMEM; }

static void context_mix(struct context_look *k, const void *p, size_t n)
{
    const unsigned char *b = p;
    for (size_t i = 0; i < n; i++)
        k->stamp = (k->stamp ^ b[i]) * UINT64_C(0x100000001b3);
}

/* A file that counts: its size and time go into the stamp. */
static int context_mix_file(struct context_look *k, const char *path)
{
    hob_stat_t st;
    int r = loop_stat(k->harness->loop, k->box, path, k->cancel, &st);
    if (r < 0)
        return context_fatal(r) ? r : 0;
    context_mix(k, path, strlen(path) + 1);
    context_mix(k, &st.bytes, sizeof st.bytes);
    context_mix(k, &st.mtime_ns, sizeof st.mtime_ns);
    context_mix(k, &st.ino, sizeof st.ino);
    return 0;
}

static bool context_has(const struct context_look *k, const char *name)
{
    for (size_t i = 0; i < k->nentries; i++) {
        if (strcmp(k->entries[i].name, name) == 0)
            return true;
    }
    return false;
}

/* CONTEXT_SKILLS_DIR/name/SKILL.md, in the arena. */
static struct str context_skill_path(struct arena *a, const char *name)
{
    return arena_printf(a, CONTEXT_SKILLS_DIR "/%s/SKILL.md", name);
}

static int context_look_skills(struct context_look *k, struct arena *a)
{
    int r = loop_readdir(k->harness->loop, k->box, CONTEXT_SKILLS_DIR, k->cancel, &k->skills,
                         &k->nskills);
    if (r < 0)
        return context_fatal(r) ? r : 0;
    for (size_t i = 0; r == 0 && i < MIN(k->nskills, (size_t)CONTEXT_SKILLS); i++) {
        struct arena_mark mark = arena_mark(a);
        struct str path = context_skill_path(a, k->skills[i].name);
        r = path.p ? context_mix_file(k, path.p) : HOB_ENOMEM;
        arena_release(a, mark);
    }
    return r;
}

/* Looks at names, sizes and times; k->stamp stands for them. */
static int context_look(struct context_look *k, struct arena *a)
{
    int r = loop_readdir(k->harness->loop, k->box, ".", k->cancel, &k->entries, &k->nentries);

    k->stamp = UINT64_C(0xcbf29ce484222325);
    if (r < 0) {
        k->entries = NULL;
        k->nentries = 0;
        return context_fatal(r) ? r : 0;
    }
    for (size_t i = 0; i < k->nentries; i++) {
        context_mix(k, k->entries[i].name, strlen(k->entries[i].name) + 1);
        context_mix(k, &k->entries[i].mode, sizeof k->entries[i].mode);
    }
    if (context_has(k, "AGENTS.md"))
        r = context_mix_file(k, "AGENTS.md");
    if (r == 0 && context_has(k, "CLAUDE.md"))
        r = context_mix_file(k, "CLAUDE.md");
    if (r == 0 && context_has(k, ".agents"))
        r = context_look_skills(k, a);
    return r;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The trimmed text of a file, appended behind a blank line. */
static int context_add_file(struct context_look *k, const char *path, struct buf *out)
{
    hob_bytes data;
    int r = context_has(k, path) ? loop_read(k->harness->loop, k->box, path, k->cancel, &data) : 1;

    if (r != 0)
        return r < 0 && context_fatal(r) ? r : 0;
    struct str s = str_trim(str_of(data.data, data.len));
    if (s.n > CONTEXT_FILE) {
        event_log(k->harness, NULL, "warn", "%s: only its first %d KiB are used", path,
                  CONTEXT_FILE >> 10);
        s.n = CONTEXT_FILE;
    }
    if (s.n && out->n)
        buf_addz(out, "\n\n");
    buf_str(out, s);
    hob_free(data.data);
    return 0;
}

/* a-b-c of small letters and digits. */
static bool context_skill_name(struct str s)
{
    if (s.n == 0 || s.n > CONTEXT_NAME || s.p[0] == '-' || s.p[s.n - 1] == '-')
        return false;
    for (size_t i = 0; i < s.n; i++) {
        if (!ascii_lower(s.p[i]) && !ascii_digit(s.p[i]) && s.p[i] != '-')
            return false;
        if (s.p[i] == '-' && s.p[i + 1] == '-')
            return false;
    }
    return true;
}

/* What the front matter of a SKILL.md says. False: why is set. */
static bool context_skill_check(const struct frontmatter *f, const char *folder, struct skill *s,
                                struct hob_error *why)
{
    const struct json *name = json_get(f->top, "name"),
                      *description = json_get(f->top, "description"),
                      *compatibility = json_get(f->top, "compatibility");

    if (!f->present)
        error_set(why, HOB_EINVAL, "there are no settings at its head (---, name, description)");
    else if (!json_string(name, &s->name))
        error_set(why, HOB_EINVAL, "name is missing");
    else if (!context_skill_name(s->name))
        error_set(why, HOB_EINVAL,
                  "name: at most 64 small letters and digits, with single dashes between");
    else if (!str_eqz(s->name, folder))
        error_set(why, HOB_EINVAL, "name: \"%.*s\" is not the name of the folder",
                  STR_ARG(s->name));
    else if (!json_string(description, &s->description) || s->description.n == 0)
        error_set(why, HOB_EINVAL, "description is missing");
    else if (utf8_count(s->description) > CONTEXT_DESCRIPTION)
        error_set(why, HOB_EINVAL, "description: longer than %d characters", CONTEXT_DESCRIPTION);
    else if (compatibility &&
             (compatibility->kind != JSON_STRING || utf8_count(compatibility->text) > 500))
        error_set(why, HOB_EINVAL, "compatibility: a text of at most 500 characters");
    else
        return true;
    return false;
}

/* One folder of skills: 1 taken, 0 left out, or an error. */
static int context_add_skill(struct context_look *k, struct workspace *w, const char *folder)
{
    struct arena_mark mark = arena_mark(&w->arena);
    struct skill *s = &w->skills[w->nskills];
    struct str path = context_skill_path(&w->arena, folder);
    struct hob_error why = {0};
    struct frontmatter f;
    hob_stat_t st;
    hob_bytes data;

    if (!path.p)
        return HOB_ENOMEM;
    int r = loop_stat(k->harness->loop, k->box, path.p, k->cancel, &st);
    if (r < 0 || (st.mode & CONTEXT_TYPE) != 0100000)
        return r < 0 && context_fatal(r) ? r : 0;
    if (st.bytes > CONTEXT_SKILL)
        r = error_set(&why, HOB_EFBIG, "longer than 1 MiB");
    if (r == 0)
        r = loop_read(k->harness->loop, k->box, path.p, k->cancel, &data);
    if (r < 0 && !why.code)
        error_set(&why, r, "%s", error_text(r));
    if (r == 0) {
        r = frontmatter_read(&w->arena, str_of(data.data, data.len), path.p, &f, &why);
        if (r == 0 && !context_skill_check(&f, folder, s, &why))
            r = error_prefix(&why, "%s", path.p);
        hob_free(data.data);
    } else if (why.code) {
        error_prefix(&why, "%s", path.p);
    }
    if (r == 0) {
        s->path = path;
        w->nskills++;
        return 1;
    }
    arena_release(&w->arena, mark);
    if (context_fatal(r))
        return r;
    event_log(k->harness, NULL, "warn", "skill left out: %s", why.msg);
    return 0;
}

static int context_add_skills(struct context_look *k, struct workspace *w)
{
    size_t n = MIN(k->nskills, (size_t)CONTEXT_SKILLS);
    int r = 0;

    if (n == 0)
        return 0;
    w->skills = arena_array(&w->arena, struct skill, n);
    if (!w->skills)
        return HOB_ENOMEM;
    if (k->nskills > n)
        event_log(k->harness, NULL, "warn", "only the first %zu skills are used", n);
    for (size_t i = 0; r >= 0 && i < n; i++) {
        if ((k->skills[i].mode & CONTEXT_TYPE) != 0100000)
            r = context_add_skill(k, w, k->skills[i].name);
    }
    return MIN(r, 0);
}

static void context_list(const struct context_look *k, struct buf *out)
{
    for (size_t i = 0; i < MIN(k->nentries, (size_t)CONTEXT_NAMES); i++) {
        bool folder = (k->entries[i].mode & CONTEXT_TYPE) == CONTEXT_FOLDER;
        for (const char *p = k->entries[i].name; *p; p++)
            buf_putc(out, *p == '\n' ? ' ' : *p);
        buf_addz(out, folder ? "/\n" : "\n");
    }
    if (k->nentries > CONTEXT_NAMES)
        buf_printf(out, "... and %zu more\n", k->nentries - CONTEXT_NAMES);
}

static int context_read(struct context_look *k, struct workspace *w)
{
    struct buf b;
    int r;

    buf_init(&b, k->harness->heap);
    r = context_add_file(k, "AGENTS.md", &b);
    r = r < 0 ? r : context_add_file(k, "CLAUDE.md", &b);
    w->agents_md = arena_str(&w->arena, buf_get(&b));
    buf_clear(&b);
    context_list(k, &b);
    w->listing = arena_str(&w->arena, buf_get(&b));
    buf_fini(&b);
    return r < 0 ? r : context_add_skills(k, w);
}

int workspace_refresh(struct hob_harness *h, hob_sandbox *box, struct workspace *w,
                      struct cancel *c, struct hob_error *err)
{
    struct context_look k = {.harness = h, .box = box, .cancel = c};
    int r = context_look(&k, &w->arena);

    if (r == 0 && w->stamp != k.stamp) {
        arena_fini(&w->arena);
        w->agents_md = w->listing = STR("");
        w->skills = NULL;
        w->nskills = 0;
        r = context_read(&k, w);
        if (r == 0 && h->heap->oom)
            r = HOB_ENOMEM;
        w->stamp = r == 0 ? k.stamp : 0;
    }
    hob_free(k.entries);
    hob_free(k.skills);
    if (r == HOB_ECANCELED)
        return cancel_check(c, err);
    return r < 0 ? error_set(err, r, "looking for AGENTS.md and skills: %s", error_text(r)) : 0;
}

void workspace_fini(struct workspace *w)
{
    arena_fini(&w->arena);
    w->agents_md = w->listing = STR_NONE;
    w->skills = NULL;
    w->nskills = 0;
    w->stamp = 0;
}

/* ---- skills ---------------------------------------------------------------------------------- */

bool context_skill_at(const hob_agent *agent, const struct workspace *w, size_t i,
                      struct skill *out)
{
    if (i < agent->nskills) {
        const hob_skill *s = &agent->skills[i];
        *out = (struct skill){.name = str_z(s->name),
                              .description = str_z(s->description ? s->description : ""),
                              .body = str_z(s->body ? s->body : "")};
        return true;
    }
    i -= agent->nskills;
    if (!w || i >= w->nskills)
        return false;
    *out = w->skills[i];
    return true;
}

bool context_find_skill(const hob_agent *agent, const struct workspace *w, struct str name,
                        struct skill *out)
{
    for (size_t i = 0; context_skill_at(agent, w, i, out); i++) {
        if (str_eq(out->name, name))
            return true;
    }
    return false;
}

int context_skill_body(struct hob_harness *h, hob_sandbox *box, const struct skill *s,
                       struct cancel *c, struct buf *out, struct hob_error *err)
{
    struct frontmatter f;
    struct arena a;
    hob_bytes data;

    if (!s->path.p) {
        buf_str(out, str_trim(s->body));
        return 0;
    }
    int r = loop_read(h->loop, box, s->path.p, c, &data);
    if (r == HOB_ECANCELED)
        return cancel_check(c, err);
    if (r < 0)
        return tool_failed(err, r, "read", s->path);
    arena_init(&a, h->heap);
    struct str body = str_of(data.data, data.len);
    if (frontmatter_read(&a, body, s->path.p, &f, NULL) == 0)
        body = f.body;
    buf_printf(out, "Skill \"%.*s\", from %.*s. Paths in it start at its folder, %.*s.\n\n",
               STR_ARG(s->name), STR_ARG(s->path), STR_ARG(path_dir(s->path)));
    buf_str(out, str_trim(body));
    arena_fini(&a);
    hob_free(data.data);
    return 0;
}

static int context_no_skill(struct turn *t, struct str name, struct hob_error *err)
{
    struct buf b;
    struct skill s;

    buf_init(&b, t->session->harness->heap);
    for (size_t i = 0; context_skill_at(t->agent, t->workspace, i, &s) && b.n < 120; i++)
        buf_printf(&b, "%s%.*s", i ? ", " : "", STR_ARG(s.name));
    int r = error_set(err, HOB_ENOENT,
                      "there is no skill \"%.*s\" in " CONTEXT_SKILLS_DIR " of the sandbox%s%.*s",
                      STR_ARG(str_sub(name, 0, 64)), b.n ? "; there are " : ", and no other",
                      STR_ARG(buf_get(&b)));
    buf_fini(&b);
    return r;
}

int context_skill_text(struct turn *t, struct str name, struct buf *out, struct hob_error *err)
{
    struct skill s;
    bool path =
        str_chr(name, '/') >= 0 || str_ends(name, STR(".md")) || str_ends(name, STR(".markdown"));

    if (path) { /* a file below the folder of skills */
        struct str way = arena_printf(&t->op->arena, CONTEXT_SKILLS_DIR "/%.*s", STR_ARG(name));
        s = (struct skill){.name = name, .path = way};
        if (!way.p)
            return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    } else if (!context_find_skill(t->agent, t->workspace, name, &s)) {
        return context_no_skill(t, name, err);
    }
    buf_printf(out, "Use the skill \"%.*s\" now: do what it says.\n\n", STR_ARG(name));
    return context_skill_body(t->session->harness, t->box, &s, t->cancel, out, err);
}

/* ---- the system prompt ----------------------------------------------------------------------- */

static void context_section(struct buf *out, struct str text)
{
    if (text.n == 0)
        return;
    if (out->n)
        buf_addz(out, "\n\n");
    buf_str(out, text);
}

/* Descriptions are one line each here, whatever they hold. */
static void context_line(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        buf_putc(out, s.p[i] == '\n' || s.p[i] == '\r' ? ' ' : s.p[i]);
}

static void context_skills(const hob_agent *agent, const struct workspace *w, struct buf *out)
{
    struct skill s;

    if (!context_skill_at(agent, w, 0, &s))
        return;
    context_section(out, STR("## Available Skills\n\nA skill is a set of instructions for one kind "
                             "of work. Before you do such work, call `activate_skill` with its "
                             "name and follow what it says.\n"));
    for (size_t i = 0; context_skill_at(agent, w, i, &s); i++) {
        buf_addz(out, "\n- **");
        buf_str(out, s.name);
        buf_addz(out, "** - ");
        context_line(out, s.description);
    }
}

static void context_agents(const struct turn *t, struct buf *out)
{
    if (!t->agent->subagents || !t->agent->subagents[0] || t->session->depth >= TOOL_DEPTH)
        return;
    context_section(out, STR("## Available Agents\n\nThe tool `task` gives work to them.\n"));
    for (const hob_agent *const *s = t->agent->subagents; *s; s++) {
        buf_printf(out, "\n- **%s**", (*s)->name);
        if ((*s)->description && (*s)->description[0]) {
            buf_addz(out, " - ");
            context_line(out, str_z((*s)->description));
        }
    }
}

/* What the sandbox can do, so that the model need not find out by failing. */
static void context_environment(hob_sandbox *box, struct buf *out)
{
    const char *kind = hob_sandbox_kind(box);

    if (strcmp(kind, "virtual") == 0)
        context_section(out,
                        STR("Environment: a virtual sandbox. bash and the usual unix commands run "
                            "over files in memory (`compgen -c` lists them); there are no other "
                            "programs, no package manager, and no network unless it was opened."));
    else if (strcmp(kind, "local") == 0)
        context_section(out, STR("Environment: the shell and the files of a real machine. What you "
                                 "change there is changed."));
    else {
        context_section(out, STR("Environment: a sandbox of the kind "));
        buf_printf(out, "\"%s\", with its own files and programs.", kind);
    }
}

static void context_surroundings(struct hob_harness *h, struct turn *t, const struct workspace *w,
                                 struct buf *out)
{
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    struct date d;

    date_from_epoch(loop_wall_ms(h->loop) / 1000, 0, &date_utc, &d);
    context_environment(t->box, out);
    buf_printf(out, "\n\nDate: %.3s, %.3s %d, %lld", days + 3 * d.weekday,
               months + 3 * (d.month - 1), d.day, (long long)d.year);
    buf_printf(out, "\nWorking directory: %s", hob_sandbox_cwd(t->box));
    if (w && w->listing.n) {
        buf_addz(out, "\n\nDirectory structure:\n");
        buf_str(out, str_trim(w->listing));
    }
}

int context_system(struct hob_harness *h, struct turn *t, const struct workspace *w,
                   struct buf *out)
{
    context_section(out,
                    STR("You work on your own: nobody watches, and nobody can answer a question. "
                        "Do not ask; decide what is sensible, do it with your tools, look at "
                        "what came of it, and go on until the work is done. Say at the end "
                        "what you did and what is left open."));
    context_section(out, str_trim(str_z(t->agent->instructions ? t->agent->instructions : "")));
    if (w)
        context_section(out, w->agents_md);
    context_skills(t->agent, w, out);
    context_agents(t, out);
    context_surroundings(h, t, w, out);
    return out->heap->oom ? HOB_ENOMEM : 0;
}

#undef CONTEXT_SKILLS_DIR

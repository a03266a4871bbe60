/* sed_io.c -- the files of sed: what is read, what is written, what is edited in place */
#include "commands/sed/sed.h"

#include "base/error.h"
#include "base/fmt.h"

/* ---- writing --------------------------------------------------------------------------------- */

void sed_panic(struct sed_run *r, int status, const char *fmt, ...)
{
    char text[512];
    va_list ap;

    if (r->err)
        return;
    va_start(ap, fmt);
    fmt_vprint(text, sizeof text, fmt, ap);
    va_end(ap);
    out_flush(&r->standard.out);
    proc_warn(r->p, "%s", text);
    r->err = status + 1;
}

void sed_newline(struct sed_run *r, struct sed_output *o)
{
    if (!o->missing_newline)
        return;
    o->missing_newline = false;
    out_putc(o->to, r->eol);
}

void sed_write(struct sed_run *r, struct sed_output *o, const char *p, size_t n, bool newline)
{
    sed_newline(r, o);
    out_write(o->to, p, n);
    if (newline)
        out_putc(o->to, r->eol);
    else
        o->missing_newline = true;
    if (o->to->err && !r->err)
        r->err = o->to->err;
    /* Files of w may be read again by r: they are never behind. */
    if (o->file && o != &r->edited)
        out_flush(&o->out);
}

struct sed_output *sed_output_open(struct sed_source *s, struct str name)
{
    struct sed_run *r = s->r;

    if (str_eqz(name, "/dev/stdout"))
        return &r->written;
    if (str_eqz(name, "/dev/stderr"))
        return &r->error;
    for (struct sed_output *o = r->outputs; o; o = o->next) {
        if (str_eq(o->name, name))
            return o;
    }
    struct sed_output *o = arena_new(r->p->arena, struct sed_output);
    struct file *file;
    if (!o) {
        s->status = HOB_ENOMEM;
        return NULL;
    }
    int e = vfs_open(r->p, name, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666, &file);
    if (e < 0) {
        proc_warn(r->p, "couldn't open file %.*s: %s", STR_ARG(name), error_text(e));
        s->status = SED_PANIC + 1;
        return NULL;
    }
    o->name = name;
    o->file = file;
    out_init_file(&o->out, r->p, file);
    o->to = &o->out;
    o->next = r->outputs;
    r->outputs = o;
    return o;
}

/* ---- what waits for the end of the cycle ----------------------------------------------------- */

struct sed_lines *sed_lines_open(struct sed_source *s, struct str name)
{
    struct sed_run *r = s->r;

    for (struct sed_lines *l = r->lines; l; l = l->next) {
        if (str_eq(l->name, name))
            return l;
    }
    struct sed_lines *l = arena_new(r->p->arena, struct sed_lines);
    if (!l) {
        s->status = HOB_ENOMEM;
        return NULL;
    }
    l->name = name;
    l->next = r->lines;
    r->lines = l;
    return l;
}

static bool sed_is_standard(struct str name) { return str_eqz(name, "/dev/stdin"); }

/* A whole file goes out as it is. One that cannot be read is as good as empty. */
static void sed_copy_file(struct sed_run *r, struct str name)
{
    struct in in;

    if (str_eqz(name, "-"))
        return;
    if (in_open_quiet(&in, r->p, sed_is_standard(name) ? STR("-") : name) < 0)
        return;
    while (in_fill(&in) && !r->out->to->err) {
        struct slice piece = {blob_ref(in.held.blob), in.p, (size_t)(in.end - in.p)};
        in.p = in.end;
        out_give(r->out->to, &piece);
    }
    if (in.err == HOB_EKILLED || in.err == HOB_ENOMEM)
        r->err = in.err;
    in_fini(&in);
}

void sed_flush_queue(struct sed_run *r)
{
    for (size_t i = 0; i < r->queue.n; i++) {
        struct sed_append *a = &r->queue.p[i];
        if (!r->err) {
            sed_newline(r, r->out);
            if (a->text.p)
                out_str(r->out->to, a->text);
            else
                sed_copy_file(r, a->file);
        }
    }
    sed_drop_queue(r);
}

void sed_drop_queue(struct sed_run *r)
{
    for (size_t i = 0; i < r->queue.n; i++) {
        if (r->queue.p[i].owned)
            heap_free(r->heap, (void *)(uintptr_t)r->queue.p[i].text.p, r->queue.p[i].text.n);
    }
    r->queue.n = 0;
}

/* ---- editing in place ------------------------------------------------------------------------ */

/* A name in the folder of `target` that is not taken. */
static struct str sed_temp_name(struct sed_run *r)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    struct str dir = path_dir(r->target);
    char tail[7];

    for (int i = 0; i < 6; i++)
        tail[i] = letters[random_below(&r->p->kernel->random, 62)];
    tail[6] = '\0';
    return arena_printf(r->p->arena, "%.*s%ssed%s", STR_ARG(dir),
                        dir.n && dir.p[dir.n - 1] != '/' ? "/" : "", tail);
}

/* The name is that of a regular file: its new contents go to a file beside it. */
static bool sed_edit_begin(struct sed_run *r, struct str name, const struct stat_info *st)
{
    struct file *file = NULL;
    int e = HOB_ENOMEM;

    r->target = name;
    if (r->o->follow) {
        struct buf b;
        buf_init(&b, r->heap);
        if (vfs_realpath(r->p, name, false, &b) == 0)
            r->target = arena_str(r->p->arena, buf_get(&b));
        buf_fini(&b);
    }
    for (int tries = 0; tries < 100; tries++) {
        r->temp = sed_temp_name(r);
        if (!r->target.p || !r->temp.p)
            break;
        e = vfs_open(r->p, r->temp, FILE_WRITE | FILE_CREATE | FILE_EXCL, 0600, &file);
        if (e != HOB_EEXIST)
            break;
    }
    if (e < 0) {
        sed_panic(r, SED_PANIC, "couldn't open temporary file %.*s: %s",
                  STR_ARG(r->temp.p ? r->temp : STR("")), error_text(e));
        r->temp = STR_NONE;
        return false;
    }
    r->mode = st->mode & 07777;
    r->edited = (struct sed_output){.file = file};
    out_init_file(&r->edited.out, r->p, file);
    r->edited.to = &r->edited.out;
    r->out = &r->edited;
    return true;
}

/* Where the old contents go: a suffix, or a name with * for the file's own. */
static struct str sed_backup_name(struct sed_run *r)
{
    struct str base = path_base(r->target), dir = path_dir(r->target), suffix = r->o->suffix;
    struct buf b;
    bool star = false;

    buf_init(&b, r->heap);
    for (size_t i = 0; i < suffix.n; i++) {
        if (suffix.p[i] == '*') {
            buf_str(&b, base);
            star = true;
        } else {
            buf_putc(&b, suffix.p[i]);
        }
    }
    struct str name = buf_get(&b);
    if (!star)
        name = arena_printf(r->p->arena, "%.*s%.*s", STR_ARG(base), STR_ARG(suffix));
    if (str_chr(name, '/') < 0)
        name = arena_printf(r->p->arena, "%.*s%s%.*s", STR_ARG(dir),
                            dir.n && dir.p[dir.n - 1] != '/' ? "/" : "", STR_ARG(name));
    else
        name = arena_str(r->p->arena, name);
    buf_fini(&b);
    return name;
}

/* The new contents take the place of the old ones, at once. */
static void sed_edit_end(struct sed_run *r)
{
    int e = out_fini(&r->edited.out);

    file_unref(r->edited.file);
    r->edited.file = NULL;
    r->out = &r->standard;
    if (e == 0 && r->err == 0)
        e = vfs_chmod(r->p, r->temp, r->mode);
    if (e == 0 && r->o->suffix.n && r->err == 0) {
        struct str backup = sed_backup_name(r);
        e = backup.p ? vfs_rename(r->p, r->target, backup) : HOB_ENOMEM;
    }
    if (e == 0 && r->err == 0)
        e = vfs_rename(r->p, r->temp, r->target);
    if (e < 0 || r->err)
        vfs_unlink(r->p, r->temp);
    if (e == HOB_EKILLED || e == HOB_ENOMEM)
        r->err = e;
    else if (e < 0)
        sed_panic(r, SED_PANIC, "cannot rename %.*s: %s", STR_ARG(r->temp), error_text(e));
    r->temp = STR_NONE;
}

/* ---- reading --------------------------------------------------------------------------------- */

void sed_close_input(struct sed_run *r)
{
    if (r->open)
        in_fini(&r->in);
    r->open = false;
    if (r->edited.file)
        sed_edit_end(r);
}

static void sed_unreadable(struct sed_run *r, struct str name, int e)
{
    if (e == HOB_EKILLED || e == HOB_ENOMEM) {
        r->err = e;
        return;
    }
    out_flush(&r->standard.out);
    proc_warn(r->p, "can't read %.*s: %s", STR_ARG(name), error_text(e));
    r->status = SED_INPUT;
}

/* Opens an operand; -i knows no standard input. */
static int sed_open_operand(struct sed_run *r, struct str name)
{
    struct file *file;

    if (!r->o->in_place)
        return in_open_quiet(&r->in, r->p, sed_is_standard(name) ? STR("-") : name);
    int e = vfs_open(r->p, name, FILE_READ, 0, &file);
    if (e < 0 && e != HOB_EISDIR)
        return e;
    in_init_file(&r->in, r->p, e < 0 ? NULL : file, e == 0);
    return 0;
}

static bool sed_open_file(struct sed_run *r, struct str name)
{
    struct stat_info st;
    int e = sed_open_operand(r, name);

    if (e < 0) {
        sed_unreadable(r, name, e);
        return false;
    }
    r->open = true;
    r->name = name;
    r->fresh |= r->o->separate;
    if (!r->o->in_place)
        return true;
    if (!r->in.file || file_stat(r->in.file, &st) < 0 || !MODE_IS_FILE(st.mode)) {
        sed_close_input(r);
        sed_panic(r, SED_PANIC, "couldn't edit %.*s: not a regular file", STR_ARG(name));
        return false;
    }
    if (sed_edit_begin(r, name, &st))
        return true;
    sed_close_input(r);
    return false;
}

bool sed_open_next(struct sed_run *r)
{
    while (!r->open && r->at < r->nnames && !r->err)
        sed_open_file(r, r->names[r->at++]);
    return r->open && !r->err;
}

/* With -u: takes no more than one line from a pipe, so that whoever reads it next gets the rest. */
static void sed_fill_line(struct sed_run *r)
{
    struct file *f = r->in.file;
    struct str s;

    if (!f || (f->flags & FILE_SEEKABLE) || !(f->flags & FILE_READ) || !f->ops->peek || r->in.err)
        return;
    buf_clear(&r->once);
    for (bool whole = false; !whole && !r->in.err;) {
        r->in.err = f->ops->peek(f, r->p, &s);
        if (r->in.err || s.n == 0)
            break;
        const char *nl = memchr(s.p, r->eol, s.n);
        size_t n = nl ? (size_t)(nl - s.p) + 1 : s.n, before = r->once.n;
        buf_add(&r->once, s.p, n);
        f->ops->skip(f, n);
        whole = nl != NULL;
        if (r->once.n != before + n)
            r->in.err = HOB_ENOMEM;
    }
    r->in.p = r->once.p;
    r->in.end = r->once.n ? r->once.p + r->once.n : r->in.p;
}

/* Whether the open file has more to read. What the line borrows from it is saved before. */
static bool sed_more(struct sed_run *r)
{
    if (r->in.p < r->in.end)
        return true;
    if (!sed_space_own(r, &r->line))
        return false;
    if (r->o->unbuffered)
        sed_fill_line(r);
    if (in_fill(&r->in))
        return true;
    if (r->in.err == HOB_EKILLED || r->in.err == HOB_ENOMEM)
        r->err = r->in.err;
    else if (r->in.err)
        sed_panic(r, SED_PANIC, "read error on %.*s: %s", STR_ARG(r->name), error_text(r->in.err));
    return false;
}

bool sed_at_end(struct sed_run *r)
{
    if (r->open && sed_more(r))
        return false;
    if (r->o->separate || r->err)
        return true;
    for (;;) {
        if (!sed_space_own(r, &r->line))
            return true;
        sed_close_input(r);
        if (!sed_open_next(r))
            return true;
        if (in_fill(&r->in)) /* what cannot be read is passed over here */
            return false;
        if (r->in.err == HOB_EKILLED || r->in.err == HOB_ENOMEM)
            r->err = r->in.err;
    }
}

/* A file that counts for itself begins. */
static void sed_reset(struct sed_run *r)
{
    r->fresh = false;
    r->number = 0;
    sed_space_set(r, &r->hold, "", 0);
    r->hold.chomped = true;
    for (size_t i = 0; i < r->cmds.n; i++) {
        struct sed_cmd *c = &r->cmds.p[i];
        c->range = c->a1.kind == SED_LINE && c->a1.n == 0 ? SED_ACTIVE : SED_IDLE;
    }
    for (struct sed_lines *l = r->lines; l; l = l->next) {
        if (l->open)
            in_fini(&l->in);
        l->open = l->ended = false;
    }
}

bool sed_read(struct sed_run *r, bool append)
{
    struct str text;
    bool had;

    sed_flush_queue(r);
    r->replaced = false;
    while (!r->err) {
        if (!sed_open_next(r))
            return false;
        if (sed_more(r))
            break;
        if (!r->err)
            sed_close_input(r);
    }
    if (r->err)
        return false;
    if (r->fresh)
        sed_reset(r);
    if (append && !sed_space_own(r, &r->line))
        return false;
    if (!in_line(&r->in, r->eol, &text, &had)) {
        r->err = r->in.err ? r->in.err : HOB_EIO;
        return false;
    }
    if (append)
        sed_space_add(r, &r->line, text.p, text.n);
    else {
        r->line.p = text.p;
        r->line.n = text.n;
        r->line.lent = true;
    }
    r->line.chomped = had;
    r->number++;
    return r->err == 0;
}

void sed_free(struct sed_run *r)
{
    sed_close_input(r);
    sed_drop_queue(r);
    vec_fini(r->heap, &r->queue);
    for (struct sed_output *o = r->outputs; o; o = o->next) {
        out_fini(&o->out);
        file_unref(o->file);
    }
    out_fini(&r->error.out);
    for (struct sed_lines *l = r->lines; l; l = l->next) {
        if (l->open)
            in_fini(&l->in);
    }
    for (struct sed_regex *x = r->regexes; x; x = x->next)
        regex_free(x->re);
    vec_fini(r->heap, &r->cmds);
    buf_fini(&r->line.own);
    buf_fini(&r->hold.own);
    buf_fini(&r->scratch);
    buf_fini(&r->once);
}

/* column.c -- lists in columns, and tables */
#include "shell/command.h"

#include "base/error.h"
#include "base/map.h"
#include "base/utf8.h"
#include "commands/lib/each.h"
#include "text/json.h"

enum {
    COLUMN_TAB = 8
};

struct column {
    bool table, no_headings, repeat, keep_empty, json, fill_rows;
    bool rows_refused; /* -t and -x stood before -J: the complaint is about them */
    struct str name, order, columns, no_extreme, hide, right, truncate, wrap, tree, tree_id;
    struct str tree_parent, width, out_sep, sep, limit;
    struct proc *p;
    struct out out;
    struct strs lines, names;
    uint64_t max_fields;
    uint64_t number; /* of the line */
};

struct column_row {
    struct str *p;
    size_t n;
    size_t depth; /* in a tree */
};

static int column_json(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct column *c = args;
    (void)p;
    (void)o;
    (void)arg;
    c->json = true;
    c->rows_refused |= c->table && c->fill_rows;
    return 0;
}

static const struct opt column_opts[] = {
    OPT_FLAG('t', "table", struct column, table, "make a table of the fields of the lines"),
    OPT_STRING('n', "table-name", struct column, name, "NAME", "name of the table with -J"),
    OPT_STRING('O', "table-order", struct column, order, "COLUMNS", "these columns first"),
    OPT_STRING('N', "table-columns", struct column, columns, "NAMES", "names of the columns"),
    OPT_STRING('l', "table-columns-limit", struct column, limit, "N",
               "N columns at the most; the last one takes the rest of the line"),
    OPT_STRING('E', "table-noextreme", struct column, no_extreme, "COLUMNS",
               "(no effect without a terminal)"),
    OPT_FLAG('d', "table-noheadings", struct column, no_headings, "no line with the names"),
    OPT_FLAG('e', "table-header-repeat", struct column, repeat, "(no effect without a terminal)"),
    OPT_STRING('H', "table-hide", struct column, hide, "COLUMNS", "leave out these columns"),
    OPT_STRING('R', "table-right", struct column, right, "COLUMNS", "align these to the right"),
    OPT_STRING('T', "table-truncate", struct column, truncate, "COLUMNS",
               "(no effect without a terminal)"),
    OPT_STRING('W', "table-wrap", struct column, wrap, "COLUMNS", "(no effect without a terminal)"),
    OPT_FLAG('L', "keep-empty-lines", struct column, keep_empty, "empty lines count"),
    OPT_CALL('J', "json", column_json, NULL, "the table as JSON"),
    OPT_STRING('r', "tree", struct column, tree, "COLUMN", "show a tree in this column"),
    OPT_STRING('i', "tree-id", struct column, tree_id, "COLUMN", "what names a line of the tree"),
    OPT_STRING('p', "tree-parent", struct column, tree_parent, "COLUMN",
               "the name of the line above"),
    OPT_STRING('c', "output-width", struct column, width, "N", "fill N columns (80)"),
    OPT_STRING('o', "output-separator", struct column, out_sep, "STRING",
               "between columns of a table (two blanks)"),
    OPT_STRING('s', "separator", struct column, sep, "CHARS",
               "fields are parted by one of CHARS, not by white space"),
    OPT_FLAG('x', "fillrows", struct column, fill_rows, "rows first, then columns"),
    OPT_END,
};

static int column_read(struct in *in, void *ud)
{
    struct column *c = ud;
    struct str line;
    bool had;
    while (in_line(in, '\n', &line, &had)) {
        struct str t = line;
        while (t.n && ascii_space(t.p[0]))
            t = str_from(t, 1);
        if (t.n == 0 && !c->keep_empty)
            continue;
        if (!proc_push(c->p, &c->lines, arena_str(c->p->arena, t.n || !c->table ? line : t)))
            return HOB_ENOMEM;
        if (proc_tick(c->p, 1) < 0)
            return HOB_EKILLED;
    }
    return 0;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Tabs up to column `end`. */
static void column_pad(struct column *c, uint64_t *at, uint64_t end)
{
    for (uint64_t next; (next = (*at + COLUMN_TAB) / COLUMN_TAB * COLUMN_TAB) <= end; *at = next)
        out_putc(&c->out, '\t');
}

static void column_fill(struct column *c, uint64_t width)
{
    uint64_t most = 0, n = c->lines.n;
    for (size_t i = 0; i < n; i++)
        most = MAX(most, (uint64_t)utf8_columns(c->lines.p[i]));
    bool single = most >= width;
    most = (most + COLUMN_TAB) / COLUMN_TAB * COLUMN_TAB;
    uint64_t cols = single ? 1 : MAX(width / most, 1), rows = (n + cols - 1) / cols;
    for (uint64_t r = 0; r < rows && !c->out.err; r++) {
        uint64_t at = 0, end = most;
        for (uint64_t k = 0; k < cols; k++, end += most) {
            uint64_t i = c->fill_rows ? r * cols + k : k * rows + r;
            uint64_t next = c->fill_rows ? i + 1 : i + rows;
            if (i >= n)
                break;
            out_str(&c->out, c->lines.p[i]);
            at += utf8_columns(c->lines.p[i]);
            if (next >= n || k + 1 == cols)
                break;
            column_pad(c, &at, end);
        }
        out_putc(&c->out, '\n');
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int column_split(struct column *c, struct str line, struct column_row *row)
{
    struct strs list = {0};
    struct str sep = c->sep.p ? c->sep : STR("\t ");
    size_t i = 0;
    for (;;) {
        if (!c->sep.p)
            while (i < line.n && str_chr(sep, line.p[i]) >= 0)
                i++;
        if (!c->sep.p && i == line.n)
            break;
        size_t from = i;
        if (c->max_fields && list.n + 1 == c->max_fields) {
            i = line.n;
        } else {
            while (i < line.n && str_chr(sep, line.p[i]) < 0)
                i++;
        }
        if (!proc_push(c->p, &list, str_sub(line, from, i - from)))
            return HOB_ENOMEM;
        if (i >= line.n)
            break;
        i++;
    }
    row->p = list.p;
    row->n = list.n;
    return 0;
}

/* A name, or a number counted from 1, of a column that need not be there; -1 after a message.
   *all: it is "0", which means all. */
static int64_t column_find(struct column *c, struct str what, bool *all)
{
    int64_t n;
    *all = str_eqz(what, "0");
    for (size_t i = 0; i < c->names.n; i++)
        if (str_eq(c->names.p[i], what))
            return (int64_t)i;
    if (str_int(what, &n) == 0 && n >= 0)
        return n ? n - 1 : 0;
    proc_warn(c->p, "undefined column name '%.*s'", STR_ARG(what));
    return -1;
}

/* Calls back for each of a list of columns: marks[] counts up from 1 in the order of the list. */
static int column_mark(struct column *c, struct str list, size_t ncols, uint32_t *marks)
{
    uint32_t order = 0;
    for (struct str rest = list; list.p;) {
        ptrdiff_t comma = str_chr(rest, ',');
        struct str one = comma < 0 ? rest : str_sub(rest, 0, (size_t)comma);
        bool all;
        if (str_eqz(one, "-")) { /* those without a name */
            for (size_t i = c->names.n; i < ncols; i++)
                marks[i] = ++order;
        } else {
            int64_t at = column_find(c, one, &all);
            if (at < 0)
                return 1;
            for (size_t i = 0; i < ncols; i++)
                if ((all || i == (size_t)at) && !marks[i])
                    marks[i] = ++order;
        }
        if (comma < 0)
            break;
        rest = str_from(rest, (size_t)comma + 1);
    }
    return 0;
}

static struct str column_cell(const struct column_row *r, size_t i)
{
    return i < r->n ? r->p[i] : STR("");
}

static void column_print_row(struct column *c, const struct column_row *r, const size_t *show,
                             size_t n, const size_t *widths, const uint32_t *right)
{
    for (size_t k = 0; k < n; k++) {
        struct str s = column_cell(r, show[k]);
        size_t w = utf8_columns(s), fill = widths[show[k]] - MIN(w, widths[show[k]]);
        bool end = k + 1 == n;
        for (size_t i = 0; i < fill && right[show[k]] && (s.n || !end); i++)
            out_putc(&c->out, ' ');
        out_str(&c->out, s);
        for (size_t i = 0; i < fill && !right[show[k]] && !end; i++)
            out_putc(&c->out, ' ');
        if (!end)
            out_str(&c->out, c->out_sep.p ? c->out_sep : STR("  "));
    }
    out_putc(&c->out, '\n');
}

static void column_json_members(struct column *c, struct buf *b, const struct column_row *row,
                                const size_t *show, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        struct str name = c->names.p[show[k]];
        buf_fill(b, ' ', 9 + 6 * row->depth);
        buf_putc(b, '"');
        for (size_t i = 0; i < name.n; i++) /* names are written small */
            buf_putc(b, (char)ascii_to_lower(name.p[i]));
        buf_addz(b, "\": ");
        if (show[k] < row->n)
            json_quote(b, row->p[show[k]]);
        else
            buf_addz(b, "null");
        if (k + 1 < n)
            buf_addz(b, ",\n");
    }
}

/* Rows that are deeper than the one before are in its "children". */
static void column_print_json(struct column *c, const struct column_row *rows, size_t nrows,
                              const size_t *show, size_t n)
{
    struct buf b;
    bool first = true;

    buf_init(&b, &c->p->kernel->heap);
    buf_printf(&b, "{\n   \"%.*s\": [\n", STR_ARG(c->name.p ? c->name : STR("table")));
    for (size_t r = 0; r < nrows; r++) {
        size_t depth = rows[r].depth, next = r + 1 < nrows ? rows[r + 1].depth : 0;
        buf_fill(&b, ' ', first ? 6 + 6 * depth : 0);
        buf_addz(&b, first ? "{\n" : ",{\n");
        column_json_members(c, &b, &rows[r], show, n);
        first = next > depth;
        if (first) {
            buf_addz(&b, ",\n");
            buf_fill(&b, ' ', 9 + 6 * depth);
            buf_addz(&b, "\"children\": [\n");
        } else {
            buf_putc(&b, '\n');
            buf_fill(&b, ' ', 6 + 6 * depth);
            buf_putc(&b, '}');
            for (; depth > next; depth--) {
                buf_putc(&b, '\n');
                buf_fill(&b, ' ', 3 + 6 * depth);
                buf_addz(&b, "]\n");
                buf_fill(&b, ' ', 6 * depth);
                buf_putc(&b, '}');
            }
        }
        out_str(&c->out, buf_get(&b));
        buf_clear(&b);
    }
    buf_addz(&b, "\n   ]\n}\n");
    out_str(&c->out, buf_get(&b));
    buf_fini(&b);
}

/* ---- trees ----------------------------------------------------------------------------------- */

#define COLUMN_NONE SIZE_MAX

struct column_tree {
    size_t id, parent, shown; /* columns */
    size_t *up, *child, *last, *next,
        *peer;        /* of a row; peer: another with the same parent's name */
    struct str *lead; /* what stands before the cell of a row, and below it */
};

/* Hangs row `i` below `up`, unless that is below it. */
static void column_hang(struct column_tree *t, size_t i, size_t up)
{
    for (size_t k = up; k != COLUMN_NONE; k = t->up[k])
        if (k == i)
            return;
    t->up[i] = up;
}

/* Finds the rows above: the last one that has the name. */
static int column_tree_links(struct column *c, const struct column_row *rows, size_t n,
                             struct column_tree *t)
{
    struct map below; /* the name above -> the first row below it, one more */
    int r = 0;

    map_init(&below, &c->p->kernel->heap);
    for (size_t i = n; i-- > 0 && r == 0;) {
        void **place = map_put(&below, column_cell(&rows[i], t->parent));
        t->up[i] = t->child[i] = t->last[i] = t->next[i] = COLUMN_NONE;
        if (!place) {
            r = HOB_ENOMEM;
        } else {
            t->peer[i] = *place ? (size_t)(uintptr_t)*place - 1 : COLUMN_NONE;
            *place = (void *)(uintptr_t)(i + 1);
        }
    }
    for (size_t i = 0; i < n && r == 0; i++) {
        size_t k = (size_t)(uintptr_t)map_value(&below, column_cell(&rows[i], t->id)) - 1;
        for (; k != COLUMN_NONE && r == 0; k = t->peer[k]) {
            if (k != i)
                column_hang(t, k, i);
            r = proc_tick(c->p, 1);
        }
    }
    map_fini(&below);
    for (size_t i = 0; i < n && r == 0; i++) {
        size_t up = t->up[i];
        if (up == COLUMN_NONE)
            continue;
        if (t->child[up] == COLUMN_NONE)
            t->child[up] = i;
        else
            t->next[t->last[up]] = i;
        t->last[up] = i;
    }
    return r;
}

/* The row with its branch, to the end of `out`; t->lead becomes what stands before its children. */
static int column_tree_place(struct column *c, const struct column_row *row, size_t i,
                             struct column_tree *t, struct column_row *out)
{
    struct arena *a = c->p->arena;
    bool root = t->up[i] == COLUMN_NONE, more = t->next[i] != COLUMN_NONE;
    struct str lead = root ? STR("") : t->lead[t->up[i]];

    *out = *row;
    out->depth = root ? 0 : row->depth;
    t->lead[i] = root ? STR("") : arena_printf(a, "%.*s%s", STR_ARG(lead), more ? "│ " : "  ");
    if (!t->lead[i].p)
        return HOB_ENOMEM;
    if (root || c->json)
        return 0;
    out->n = MAX(row->n, t->shown + 1);
    out->p = arena_array(a, struct str, out->n);
    if (!out->p)
        return HOB_ENOMEM;
    for (size_t k = 0; k < out->n; k++)
        out->p[k] = column_cell(row, k);
    out->p[t->shown] =
        arena_printf(a, "%.*s%s%.*s", STR_ARG(lead), more ? "├─" : "└─", STR_ARG(out->p[t->shown]));
    return out->p[t->shown].p ? 0 : HOB_ENOMEM;
}

/* Puts the rows in the order of the tree. */
static int column_tree(struct column *c, struct column_row **rows, size_t n, size_t ncols)
{
    struct arena *a = c->p->arena;
    struct column_tree t = {0};
    struct str names[] = {c->tree, c->tree_id, c->tree_parent};
    size_t *columns[] = {&t.shown, &t.id, &t.parent}, to = 0;
    bool all;

    if (!c->tree.p)
        return 0;
    for (size_t i = 0; i < COUNT(names); i++) {
        int64_t number;
        if (str_int(names[i], &number) == 0 && number > (int64_t)ncols)
            return 0; /* no line has it */
        int64_t at = column_find(c, names[i], &all);
        if (at < 0)
            return 1;
        *columns[i] = (size_t)at;
    }
    struct column_row *placed = arena_array(a, struct column_row, n + 1);
    size_t *links = arena_array(a, size_t, n * 5 + 1);
    t.lead = arena_array(a, struct str, n + 1);
    if (!placed || !links || !t.lead)
        return HOB_ENOMEM;
    t.up = links, t.child = links + n, t.last = links + 2 * n, t.next = links + 3 * n;
    t.peer = links + 4 * n;
    int r = column_tree_links(c, *rows, n, &t);
    for (size_t root = 0; root < n && r == 0; root++) {
        if (t.up[root] != COLUMN_NONE)
            continue;
        for (size_t i = root; i != COLUMN_NONE && r == 0;) {
            (*rows)[i].depth = t.up[i] == COLUMN_NONE ? 0 : (*rows)[t.up[i]].depth + 1;
            r = column_tree_place(c, &(*rows)[i], i, &t, &placed[to++]);
            if (r == 0)
                r = proc_tick(c->p, 1);
            if (t.child[i] != COLUMN_NONE) {
                i = t.child[i];
                continue;
            }
            while (i != COLUMN_NONE && i != root && t.next[i] == COLUMN_NONE)
                i = t.up[i];
            i = i == COLUMN_NONE || i == root ? COLUMN_NONE : t.next[i];
        }
    }
    *rows = placed;
    return r;
}

#undef COLUMN_NONE

/* Reads the rows, and tells how many columns there are. */
static int column_rows(struct column *c, struct column_row *rows, size_t *ncols)
{
    for (size_t i = 0; i < c->lines.n; i++) {
        int r = column_split(c, c->lines.p[i], &rows[i]);
        if (r < 0)
            return r;
        if (c->json && rows[i].n > c->names.n) {
            proc_warn(c->p, "line %llu: for JSON the name of the column %llu is required",
                      (unsigned long long)i + 2, (unsigned long long)c->names.n + 1);
            return 1;
        }
        *ncols = MAX(*ncols, rows[i].n);
    }
    return 0;
}

static int column_table(struct column *c)
{
    struct arena *a = c->p->arena;
    size_t ncols = c->names.n, n = 0;
    struct column_row *rows = arena_array(a, struct column_row, c->lines.n + 1);
    int r = rows ? column_rows(c, rows, &ncols) : HOB_ENOMEM;
    if (r == 0 && ncols)
        r = column_tree(c, &rows, c->lines.n, ncols);
    if (r || ncols == 0)
        return r;
    uint32_t *hide = arena_array(a, uint32_t, ncols), *right = arena_array(a, uint32_t, ncols),
             *order = arena_array(a, uint32_t, ncols);
    size_t *widths = arena_array(a, size_t, ncols), *show = arena_array(a, size_t, ncols);
    if (!hide || !right || !order || !widths || !show)
        return HOB_ENOMEM;
    if ((r = column_mark(c, c->hide, ncols, hide)) != 0 ||
        (r = column_mark(c, c->right, ncols, right)) != 0 ||
        (r = column_mark(c, c->order, ncols, order)) != 0)
        return r;
    for (uint32_t k = 1; k <= ncols; k++)
        for (size_t i = 0; i < ncols; i++)
            if (order[i] == k && !hide[i])
                show[n++] = i;
    for (size_t i = 0; i < ncols; i++)
        if (!order[i] && !hide[i])
            show[n++] = i;
    if (c->json) {
        column_print_json(c, rows, c->lines.n, show, n);
        return 0;
    }
    struct column_row head = {c->names.p, c->names.n, 0};
    bool heading = c->names.n && !c->no_headings;
    for (size_t i = 0; i < ncols; i++) {
        widths[i] = heading ? utf8_columns(column_cell(&head, i)) : 0;
        for (size_t k = 0; k < c->lines.n; k++)
            widths[i] = MAX(widths[i], utf8_columns(column_cell(&rows[k], i)));
    }
    if (heading)
        column_print_row(c, &head, show, n, widths, right);
    for (size_t k = 0; k < c->lines.n && !c->out.err; k++) {
        column_print_row(c, &rows[k], show, n, widths, right);
        if (proc_tick(c->p, 1) < 0)
            return HOB_EKILLED;
    }
    return 0;
}

/* ---- run ------------------------------------------------------------------------------------- */

static int column_run(struct proc *p, void *args)
{
    struct column *c = args;
    uint64_t width = 80;
    struct str v;

    c->p = p;
    if (proc_getenv(p, STR("COLUMNS"), &v) && str_uint(v, &width) != 0)
        width = 80;
    if (c->width.p && str_eqz(c->width, "unlimited")) {
        width = UINT64_MAX / 2;
    } else if (c->width.p && str_uint(c->width, &width) != 0) {
        proc_warn(p, "invalid columns argument: '%.*s'", STR_ARG(c->width));
        return 1;
    }
    if (c->limit.p && (str_uint(c->limit, &c->max_fields) != 0 || !c->max_fields)) {
        proc_warn(p, "invalid columns limit argument: '%.*s'", STR_ARG(c->limit));
        return 1;
    }
    for (struct str rest = c->columns; c->columns.p;) {
        ptrdiff_t comma = str_chr(rest, ',');
        if (!proc_push(p, &c->names, comma < 0 ? rest : str_sub(rest, 0, (size_t)comma)))
            return HOB_ENOMEM;
        if (comma < 0)
            break;
        rest = str_from(rest, (size_t)comma + 1);
    }
    if ((c->table || c->json) && c->fill_rows) {
        proc_warn(p, "mutually exclusive arguments: %s --fillrows",
                  !c->json || c->rows_refused ? "--table" : "--json");
        return 1;
    }
    c->table = c->table || c->json || c->tree.p;
    if (!c->table && (c->name.p || c->order.p || c->columns.p || c->no_extreme.p || c->hide.p ||
                      c->right.p || c->truncate.p || c->wrap.p)) {
        proc_warn(p, "option --table required for all --table-*");
        return 1;
    }
    if (c->tree.p && (!c->tree_id.p || !c->tree_parent.p)) {
        proc_warn(p, "options --tree-id and --tree-parent are required for tree formatting");
        return 1;
    }
    if (c->json && !c->names.n) {
        proc_warn(p, "option --table-columns required for --json");
        return 1;
    }
    int status = each_file(p, column_read, c);
    if (status < 0)
        return status;
    out_init(&c->out, p, 1);
    int r = 0;
    if (c->lines.n && c->table)
        r = column_table(c);
    else if (c->lines.n)
        column_fill(c, width);
    return command_close(p, &c->out, r ? r : status);
}

const struct command cmd_column = {
    .name = "column",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Arrange the lines of the FILEs in columns, or their fields in a table.",
    .notes = "Columns are named as -N names them, or by numbers from 1. Without FILE, standard\n"
             "input is read.",
    .opts = column_opts,
    .args_size = sizeof(struct column),
    .usage_status = 1,
    .run = column_run,
};

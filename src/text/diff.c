/* diff.c -- what changed between two texts, line by line
 *
 * Lines become numbers. What both sides begin and end with is set aside, lines that cannot help to
 * find a match are too, and the rest goes through Myers' algorithm in linear space: it looks for
 * the middle of the shortest way from both ends at once, and does both halves the same way. At the
 * end, changes slide to where people expect them.
 */
#include "text/diff.h"

#include "base/vec.h"

/* One of the two texts. */
struct diff_side {
    const uint32_t *kind; /* of each line, without the common ends */
    size_t n;
    char *mark;      /* 1 for a line that changed; one more place before and behind, always 0 */
    uint32_t *left;  /* the kinds of lines that were not set aside */
    uint32_t *place; /* where these are among all lines */
    size_t nleft;
};

struct diff_job {
    struct diff_side side[2];
    int32_t *fore, *back; /* furthest places per diagonal, from the start and from the end */
    int32_t limit;        /* the cost at which the best way so far must do */
};

/* ---- lines that do not help ------------------------------------------------------------------ */

enum {
    DIFF_KEEP,
    DIFF_DROP,
    DIFF_MAYBE
};

/* Takes back every `maybe` from one end of a run until three certain lines in a row, or a certain
 * one at least eight lines in: near its ends a run should stay in touch with what matches. */
static void diff_trim_run(char *run, size_t n, bool from_end)
{
    int certain = 0;
    for (size_t i = 0; i < n && certain < 3; i++) {
        char *fate = &run[from_end ? n - 1 - i : i];
        if (i >= 8 && *fate == DIFF_DROP)
            return;
        certain = *fate == DIFF_DROP ? certain + 1 : 0;
        if (*fate == DIFF_MAYBE)
            *fate = DIFF_KEEP;
    }
}

/* Takes back groups of `maybe` that are long for the run they are in. */
static void diff_thin_run(char *run, size_t n)
{
    size_t most = 1;
    for (size_t quarter = n >> 4; quarter > 0; quarter >>= 2)
        most <<= 1;
    for (size_t i = 0; i < n;) {
        size_t group = i;
        while (i < n && run[i] == DIFF_MAYBE)
            i++;
        if (i - group > most)
            memset(run + group, DIFF_KEEP, i - group);
        i += i == group;
    }
}

/* A run of lines to be dropped starts at run[0], for certain. How long it is in the end. */
static size_t diff_weigh_run(char *run, size_t room)
{
    size_t n = 0, maybe = 0;

    while (n < room && run[n] != DIFF_KEEP)
        maybe += run[n++] == DIFF_MAYBE;
    for (; n > 0 && run[n - 1] == DIFF_MAYBE; maybe--)
        run[--n] = DIFF_KEEP;
    if (maybe * 4 > n) {
        for (size_t i = 0; i < n; i++)
            run[i] = run[i] == DIFF_MAYBE ? DIFF_KEEP : run[i];
        return n;
    }
    diff_thin_run(run, n);
    diff_trim_run(run, n, false);
    diff_trim_run(run, n, true);
    return n;
}

/* Decides which lines of a side are not worth comparing: those the other side does not have, and
 * frequent ones in the midst of those. `count` says how often the other side has each kind. */
static void diff_weigh(const struct diff_side *s, const uint32_t *count, char *fate)
{
    uint32_t many = 5;

    for (size_t part = s->n / 64 >> 2; part > 0; part >>= 2)
        many *= 2;
    for (size_t i = 0; i < s->n; i++) {
        uint32_t c = count[s->kind[i]];
        fate[i] = c == 0 ? DIFF_DROP : c > many ? DIFF_MAYBE : DIFF_KEEP;
    }
    for (size_t i = 0; i < s->n;) {
        if (fate[i] == DIFF_DROP) {
            i += diff_weigh_run(fate + i, s->n - i);
        } else {
            fate[i++] = DIFF_KEEP;
        }
    }
}

/* Sets those lines aside: they count as changed. */
static void diff_sift(struct diff_side *s, const uint32_t *count, char *fate)
{
    diff_weigh(s, count, fate);
    s->nleft = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (fate[i] == DIFF_KEEP) {
            s->left[s->nleft] = s->kind[i];
            s->place[s->nleft++] = (uint32_t)i;
        } else {
            s->mark[i] = 1;
        }
    }
}

/* ---- the shortest way ------------------------------------------------------------------------ */

/* A rectangle of the comparison: lines x0..x1 of the old text against y0..y1 of the new one. */
struct diff_box {
    int32_t x0, x1, y0, y1;
    bool exact; /* the shortest way is wanted at any cost */
};

/* Diagonals reached so far, every second one from lo to hi. */
struct diff_front {
    int32_t lo, hi;
};

/* Widens a front by one step; the new neighbours are as far off as can be. */
static void diff_widen(struct diff_front *f, int32_t *reach, const struct diff_box *b, int32_t far)
{
    if (f->lo > b->x0 - b->y1)
        reach[--f->lo - 1] = far;
    else
        f->lo++;
    if (f->hi < b->x1 - b->y0)
        reach[++f->hi + 1] = far;
    else
        f->hi--;
}

/* One step ahead on all diagonals. True if the other front is met: *x, *y is the place. */
static bool diff_ahead(const struct diff_job *j, const struct diff_box *b, struct diff_front *f,
                       const struct diff_front *other, bool meet, int32_t *mx, int32_t *my)
{
    const uint32_t *xs = j->side[0].left, *ys = j->side[1].left;

    diff_widen(f, j->fore, b, -1);
    for (int32_t d = f->hi; d >= f->lo; d -= 2) {
        int32_t low = j->fore[d - 1], high = j->fore[d + 1];
        int32_t x = low < high ? high : low + 1, y = x - d;
        while (x < b->x1 && y < b->y1 && xs[x] == ys[y])
            x++, y++;
        j->fore[d] = x;
        if (meet && other->lo <= d && d <= other->hi && j->back[d] <= x) {
            *mx = x;
            *my = y;
            return true;
        }
    }
    return false;
}

/* The same from the end. */
static bool diff_behind(const struct diff_job *j, const struct diff_box *b, struct diff_front *f,
                        const struct diff_front *other, bool meet, int32_t *mx, int32_t *my)
{
    const uint32_t *xs = j->side[0].left, *ys = j->side[1].left;

    diff_widen(f, j->back, b, INT32_MAX);
    for (int32_t d = f->hi; d >= f->lo; d -= 2) {
        int32_t low = j->back[d - 1], high = j->back[d + 1];
        int32_t x = low < high ? low : high - 1, y = x - d;
        while (b->x0 < x && b->y0 < y && xs[x - 1] == ys[y - 1])
            x--, y--;
        j->back[d] = x;
        if (meet && other->lo <= d && d <= other->hi && x <= j->fore[d]) {
            *mx = x;
            *my = y;
            return true;
        }
    }
    return false;
}

/* It has become too expensive: the place that is furthest along, seen from either end. The halves
 * are told which of them is known to be short. */
static void diff_settle(const struct diff_job *j, const struct diff_box *b,
                        const struct diff_front *fore, const struct diff_front *back,
                        struct diff_box half[2])
{
    int64_t best = -1, rest = INT64_MAX;
    int32_t bx = 0, rx = 0;

    for (int32_t d = fore->hi; d >= fore->lo; d -= 2) {
        int32_t x = MIN(j->fore[d], b->x1), y = x - d;
        if (y > b->y1) {
            x = b->y1 + d;
            y = b->y1;
        }
        if ((int64_t)x + y > best) {
            best = (int64_t)x + y;
            bx = x;
        }
    }
    for (int32_t d = back->hi; d >= back->lo; d -= 2) {
        int32_t x = MAX(j->back[d], b->x0), y = x - d;
        if (y < b->y0) {
            x = b->y0 + d;
            y = b->y0;
        }
        if ((int64_t)x + y < rest) {
            rest = (int64_t)x + y;
            rx = x;
        }
    }
    bool ahead = (int64_t)b->x1 + b->y1 - rest < best - ((int64_t)b->x0 + b->y0);
    int32_t x = ahead ? bx : rx, y = (int32_t)((ahead ? best : rest) - x);
    half[0] = (struct diff_box){b->x0, x, b->y0, y, ahead};
    half[1] = (struct diff_box){x, b->x1, y, b->y1, !ahead};
}

/* Splits a box, which has something to delete and to insert, at a point of the way through it. */
static void diff_halve(const struct diff_job *j, const struct diff_box *b, struct diff_box half[2])
{
    struct diff_front fore = {b->x0 - b->y0, b->x0 - b->y0}, back = {b->x1 - b->y1, b->x1 - b->y1};
    bool odd = (fore.lo - back.lo) & 1;
    int32_t x, y;

    j->fore[fore.lo] = b->x0;
    j->back[back.lo] = b->x1;
    for (int32_t cost = 1;; cost++) {
        if (diff_ahead(j, b, &fore, &back, odd, &x, &y) ||
            diff_behind(j, b, &back, &fore, !odd, &x, &y)) {
            half[0] = (struct diff_box){b->x0, x, b->y0, y, true};
            half[1] = (struct diff_box){x, b->x1, y, b->y1, true};
            return;
        }
        if (!b->exact && cost >= j->limit) {
            diff_settle(j, b, &fore, &back, half);
            return;
        }
    }
}

/* Marks the lines that the way through the whole box deletes and inserts. */
static int diff_walk(struct diff_job *j, struct heap *h)
{
    struct diff_side *a = &j->side[0], *b = &j->side[1];
    VEC(struct diff_box) todo = {0};
    struct diff_box box = {0, (int32_t)a->nleft, 0, (int32_t)b->nleft, false}, half[2];

    for (;;) {
        while (box.x0 < box.x1 && box.y0 < box.y1 && a->left[box.x0] == b->left[box.y0])
            box.x0++, box.y0++;
        while (box.x0 < box.x1 && box.y0 < box.y1 && a->left[box.x1 - 1] == b->left[box.y1 - 1])
            box.x1--, box.y1--;
        if (box.x0 < box.x1 && box.y0 < box.y1) {
            diff_halve(j, &box, half);
            if (!vec_push(h, &todo, half[1])) {
                vec_fini(h, &todo);
                return HOB_ENOMEM;
            }
            box = half[0];
            continue;
        }
        for (int32_t x = box.x0; x < box.x1; x++)
            a->mark[a->place[x]] = 1;
        for (int32_t y = box.y0; y < box.y1; y++)
            b->mark[b->place[y]] = 1;
        if (todo.n == 0)
            break;
        box = todo.p[--todo.n];
    }
    vec_fini(h, &todo);
    return 0;
}

/* ---- sliding --------------------------------------------------------------------------------- */

/* A run of changed lines, and where it stands in the other text (behind a changed run there). */
struct diff_run {
    const struct diff_side *s;
    const char *other; /* the marks of the other side */
    size_t start, end, at;
};

/* Up by one line: the line above is the same as the last of the run. Joins runs it meets. */
static void diff_slide_up(struct diff_run *r)
{
    r->s->mark[--r->start] = 1;
    r->s->mark[--r->end] = 0;
    while (r->s->mark[(ptrdiff_t)r->start - 1])
        r->start--;
    while (r->other[(ptrdiff_t)--r->at])
        continue;
}

/*
 * A run of changes whose neighbours are equal can be anywhere among them. It goes up to join
 * others, then down as far as it can, and at last back to the lowest place where the other text
 * changes, too, so that a deletion and an insertion stand together.
 */
static void diff_slide_run(struct diff_run *r)
{
    const struct diff_side *s = r->s;
    size_t length, beside;

    do {
        length = r->end - r->start;
        while (r->start > 0 && s->kind[r->start - 1] == s->kind[r->end - 1])
            diff_slide_up(r);
        beside = r->other[(ptrdiff_t)r->at - 1] ? r->end : s->n;
        while (r->end != s->n && s->kind[r->start] == s->kind[r->end]) {
            s->mark[r->start++] = 0;
            s->mark[r->end++] = 1;
            while (s->mark[r->end])
                r->end++;
            while (r->other[++r->at])
                beside = r->end;
        }
    } while (r->end - r->start != length);
    while (beside < r->end) {
        s->mark[--r->start] = 1;
        s->mark[--r->end] = 0;
        while (r->other[--r->at])
            continue;
    }
}

static void diff_slide(const struct diff_side *s, const struct diff_side *other)
{
    struct diff_run r = {.s = s, .other = other->mark};

    for (;;) {
        while (r.end < s->n && !s->mark[r.end]) {
            while (r.other[r.at++])
                continue;
            r.end++;
        }
        if (r.end == s->n)
            return;
        r.start = r.end;
        while (s->mark[r.end])
            r.end++;
        while (r.other[r.at])
            r.at++;
        diff_slide_run(&r);
    }
}

/* ---- putting it together --------------------------------------------------------------------- */

/* The marks as a list of edits; `skip` lines were set aside at the start. */
static int diff_collect(const struct diff_job *j, struct arena *arena, size_t skip,
                        struct diff_edit **edits, size_t *count)
{
    const struct diff_side *a = &j->side[0], *b = &j->side[1];
    struct diff_edit *list = NULL;

    for (int pass = 0; pass < 2; pass++) {
        size_t n = 0;
        for (size_t x = 0, y = 0; x < a->n || y < b->n; x++, y++) {
            struct diff_edit e = {x + skip, 0, y + skip, 0};
            while (a->mark[x])
                x++, e.an++;
            while (b->mark[y])
                y++, e.bn++;
            if (e.an + e.bn == 0)
                continue;
            if (list)
                list[n] = e;
            n++;
        }
        *count = n;
        if (!list && !(list = arena_array(arena, struct diff_edit, n)))
            return HOB_ENOMEM;
    }
    *edits = list;
    return 0;
}

/* How much memory a comparison needs; diff_setup deals it out. */
static size_t diff_size(const struct diff_job *j, uint32_t kinds)
{
    size_t an = j->side[0].n, bn = j->side[1].n, n = an + bn;
    size_t words = 2 * n + 2 * (size_t)kinds + 2 * (n + 3);
    return words * sizeof(uint32_t) + n + 4 + MAX(an, bn);
}

static void diff_setup(struct diff_job *j, void *room, uint32_t kinds)
{
    struct diff_side *s = j->side;
    size_t diagonals = s[0].n + s[1].n + 3;
    uint32_t *count[2], *word = room;

    for (int i = 0; i < 2; i++) {
        s[i].left = word;
        s[i].place = s[i].left + s[i].n;
        count[i] = s[i].place + s[i].n;
        word = count[i] + kinds;
    }
    j->fore = (int32_t *)word + s[1].n + 1;
    j->back = (int32_t *)word + diagonals + s[1].n + 1;
    s[0].mark = (char *)(word + 2 * diagonals) + 1;
    s[1].mark = s[0].mark + s[0].n + 2;
    char *fate = s[1].mark + s[1].n + 1;
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < s[i].n; k++)
            count[i][s[i].kind[k]]++;
    }
    for (int i = 0; i < 2; i++)
        diff_sift(&s[i], count[!i], fate);
    /* About the square root of the number of diagonals, but never stingy. */
    j->limit = 1;
    for (; diagonals > 0; diagonals >>= 2)
        j->limit <<= 1;
    j->limit = MAX(j->limit, 4096);
}

int diff_numbers(struct arena *arena, const uint32_t *a, size_t an, const uint32_t *b, size_t bn,
                 uint32_t kinds, size_t margin, struct diff_edit **edits, size_t *n)
{
    struct heap *h = arena->heap;
    size_t skip = 0, most = (size_t)1 << 30;

    *n = 0;
    *edits = NULL;
    if (an > most || bn > most)
        return HOB_EFBIG;
    while (skip < an && skip < bn && a[skip] == b[skip])
        skip++;
    if (skip == an && skip == bn)
        return 0;
    size_t tail = 0;
    while (an - tail > skip && bn - tail > skip && a[an - tail - 1] == b[bn - tail - 1])
        tail++;
    /* Changes may slide into the margins. */
    skip -= MIN(skip, margin);
    tail -= MIN(tail, margin);
    an -= tail;
    bn -= tail;
    struct diff_job j = {
        .side = {{.kind = a + skip, .n = an - skip}, {.kind = b + skip, .n = bn - skip}}};
    size_t size = diff_size(&j, kinds);
    void *room = heap_zalloc(h, size);
    if (!room)
        return HOB_ENOMEM;
    diff_setup(&j, room, kinds);
    int r = diff_walk(&j, h);
    if (r == 0) {
        diff_slide(&j.side[0], &j.side[1]);
        diff_slide(&j.side[1], &j.side[0]);
        r = diff_collect(&j, arena, skip, edits, n);
    }
    heap_free(h, room, size);
    return r;
}

int diff_split(struct arena *a, struct str text, struct diff_text *out)
{
    size_t n = 0;

    for (size_t p = 0; p < text.n; n++) {
        ptrdiff_t end = str_chr(str_from(text, p), '\n');
        p = end < 0 ? text.n : p + (size_t)end + 1;
    }
    *out = (struct diff_text){0};
    if (n > (size_t)1 << 30)
        return HOB_EFBIG;
    out->line = arena_array(a, struct str, n);
    if (!out->line)
        return HOB_ENOMEM;
    for (size_t p = 0; p < text.n;) {
        ptrdiff_t end = str_chr(str_from(text, p), '\n');
        size_t next = end < 0 ? text.n : p + (size_t)end + 1;
        out->line[out->n++] = str_of(text.p + p, next - p);
        p = next;
    }
    return 0;
}

/* Gives equal lines equal numbers. */
struct diff_table {
    struct str *line; /* by number */
    uint32_t *slot;   /* open addressing: number + 1 */
    uint32_t *hash;
    uint32_t n, mask;
};

static uint32_t diff_number(struct diff_table *t, struct str line)
{
    uint32_t hash = str_hash(line), i = hash & t->mask;

    for (; t->slot[i]; i = (i + 1) & t->mask) {
        uint32_t k = t->slot[i] - 1;
        if (t->hash[k] == hash && str_eq(t->line[k], line))
            return k;
    }
    t->line[t->n] = line;
    t->hash[t->n] = hash;
    t->slot[i] = t->n + 1;
    return t->n++;
}

int diff_lines(struct arena *a, struct str old, struct str new, size_t margin, struct diff *out)
{
    return diff_lines_by(a, old, new, margin, NULL, NULL, out);
}

int diff_lines_by(struct arena *a, struct str old, struct str new, size_t margin, diff_key_fn key,
                  void *ud, struct diff *out)
{
    struct heap *h = a->heap;
    int r;

    *out = (struct diff){0};
    if ((r = diff_split(a, old, &out->a)) < 0 || (r = diff_split(a, new, &out->b)) < 0)
        return r;
    size_t an = out->a.n, bn = out->b.n, n = an + bn, slots = 16;
    while (slots < n * 2)
        slots *= 2;
    size_t words = slots + n + n, size = n * sizeof(struct str) + words * sizeof(uint32_t);
    char *room = n ? heap_zalloc(h, size) : NULL;
    if (!room)
        return n ? HOB_ENOMEM : 0;
    struct diff_table t = {.line = (struct str *)(void *)room, .mask = (uint32_t)slots - 1};
    t.slot = (uint32_t *)(void *)(room + n * sizeof(struct str));
    t.hash = t.slot + slots;
    uint32_t *number = t.hash + n;
    for (size_t i = 0; i < an; i++)
        number[i] = diff_number(&t, key ? key(ud, out->a.line[i]) : out->a.line[i]);
    for (size_t i = 0; i < bn; i++)
        number[an + i] = diff_number(&t, key ? key(ud, out->b.line[i]) : out->b.line[i]);
    r = diff_numbers(a, number, an, number + an, bn, t.n, margin, &out->edit, &out->n);
    heap_free(h, room, size);
    return r;
}

/* ---- unified output -------------------------------------------------------------------------- */

static void diff_put(struct buf *out, char mark, struct str line)
{
    buf_putc(out, mark);
    buf_str(out, line);
    if (line.n == 0 || line.p[line.n - 1] != '\n')
        buf_addz(out, "\n\\ No newline at end of file\n");
}

/* Line numbers count from 1; of an empty range the line before it is named. */
static void diff_range(struct buf *out, char mark, size_t first, size_t n)
{
    buf_printf(out, "%c%zu", mark, n == 0 ? first : first + 1);
    if (n != 1)
        buf_printf(out, ",%zu", n);
}

/* The edits from e to last, which are one hunk. */
static void diff_hunk(struct buf *out, const struct diff *d, const struct diff_edit *e,
                      const struct diff_edit *last, size_t context)
{
    size_t above = MIN(context, e->a), below = MIN(context, d->a.n - (last->a + last->an));
    size_t a = e->a - above, b = e->b - above;

    buf_addz(out, "@@ ");
    diff_range(out, '-', a, last->a + last->an + below - a);
    buf_putc(out, ' ');
    diff_range(out, '+', b, last->b + last->bn + below - b);
    buf_addz(out, " @@\n");
    for (; e <= last; e++) {
        while (a < e->a)
            diff_put(out, ' ', d->a.line[a++]);
        while (a < e->a + e->an)
            diff_put(out, '-', d->a.line[a++]);
        for (size_t i = e->b; i < e->b + e->bn; i++)
            diff_put(out, '+', d->b.line[i]);
    }
    for (size_t i = 0; i < below; i++)
        diff_put(out, ' ', d->a.line[a + i]);
}

void diff_unified(struct buf *out, const struct diff *d, const char *old, const char *new,
                  size_t context)
{
    if (d->n == 0)
        return;
    if (old)
        buf_printf(out, "--- %s\n", old);
    if (new)
        buf_printf(out, "+++ %s\n", new);
    const struct diff_edit *end = d->edit + d->n;
    for (const struct diff_edit *e = d->edit, *last; e < end; e = last + 1) {
        last = e;
        /* Changes whose context would touch or overlap stand together. */
        while (last + 1 < end && last[1].a - (last->a + last->an) <= 2 * context)
            last++;
        diff_hunk(out, d, e, last, context);
    }
}

/* getdate.c -- dates as people write them
 *
 * The text is cut into tokens first; items (a date, a time, a zone, a day of the week, a relative
 * part) are then recognised by what stands next, the longest form first, as GNU's grammar has them.
 */
#include "commands/lib/getdate.h"

#include "base/fmt.h"
#include "base/utf8.h"

enum {
    GETDATE_TOKENS = 64
};
#define GETDATE_SECOND INT64_C(1000000000)
/* The small core leaves out what date --debug tells: the functions are then never called. */
#ifdef HOB_CORE
#define GETDATE_TELLS(g) false
#else
#define GETDATE_TELLS(g) ((g)->tell)
#endif

enum getdate_kind {
    GETDATE_END,
    GETDATE_UNSIGNED,
    GETDATE_SIGNED,
    GETDATE_CHAR,
    GETDATE_MONTH,
    GETDATE_DAY,
    GETDATE_ORDINAL,
    GETDATE_UNIT,
    GETDATE_SHIFT, /* today, tomorrow ... */
    GETDATE_MERIDIAN,
    GETDATE_ZONE, /* value: seconds east */
    GETDATE_DAYZONE,
    GETDATE_DST,
    GETDATE_AGO
};

enum getdate_unit {
    GETDATE_YEARS,
    GETDATE_MONTHS,
    GETDATE_DAYS,
    GETDATE_HOURS,
    GETDATE_MINUTES,
    GETDATE_SECONDS
};

struct getdate_token {
    enum getdate_kind kind;
    int64_t value;
    int digits; /* of a number, without the fraction */
    int ns;     /* the fraction */
    bool fraction;
    bool negative; /* of a signed number */
    int unit;
};

struct getdate_word {
    char name[12];
    uint8_t kind;
    int8_t unit;
    int32_t value;
};

static const struct getdate_word getdate_words[] = {
    {"am", GETDATE_MERIDIAN, 0, 0},
    {"a.m.", GETDATE_MERIDIAN, 0, 0},
    {"pm", GETDATE_MERIDIAN, 0, 12},
    {"p.m.", GETDATE_MERIDIAN, 0, 12},
    {"january", GETDATE_MONTH, 0, 1},
    {"february", GETDATE_MONTH, 0, 2},
    {"march", GETDATE_MONTH, 0, 3},
    {"april", GETDATE_MONTH, 0, 4},
    {"may", GETDATE_MONTH, 0, 5},
    {"june", GETDATE_MONTH, 0, 6},
    {"july", GETDATE_MONTH, 0, 7},
    {"august", GETDATE_MONTH, 0, 8},
    {"september", GETDATE_MONTH, 0, 9},
    {"sept", GETDATE_MONTH, 0, 9},
    {"october", GETDATE_MONTH, 0, 10},
    {"november", GETDATE_MONTH, 0, 11},
    {"december", GETDATE_MONTH, 0, 12},
    {"sunday", GETDATE_DAY, 0, 0},
    {"monday", GETDATE_DAY, 0, 1},
    {"tuesday", GETDATE_DAY, 0, 2},
    {"tues", GETDATE_DAY, 0, 2},
    {"wednesday", GETDATE_DAY, 0, 3},
    {"wednes", GETDATE_DAY, 0, 3},
    {"thursday", GETDATE_DAY, 0, 4},
    {"thur", GETDATE_DAY, 0, 4},
    {"thurs", GETDATE_DAY, 0, 4},
    {"friday", GETDATE_DAY, 0, 5},
    {"saturday", GETDATE_DAY, 0, 6},
    {"year", GETDATE_UNIT, GETDATE_YEARS, 1},
    {"month", GETDATE_UNIT, GETDATE_MONTHS, 1},
    {"fortnight", GETDATE_UNIT, GETDATE_DAYS, 14},
    {"week", GETDATE_UNIT, GETDATE_DAYS, 7},
    {"day", GETDATE_UNIT, GETDATE_DAYS, 1},
    {"hour", GETDATE_UNIT, GETDATE_HOURS, 1},
    {"minute", GETDATE_UNIT, GETDATE_MINUTES, 1},
    {"min", GETDATE_UNIT, GETDATE_MINUTES, 1},
    {"second", GETDATE_UNIT, GETDATE_SECONDS, 1},
    {"sec", GETDATE_UNIT, GETDATE_SECONDS, 1},
    {"tomorrow", GETDATE_SHIFT, 0, 1},
    {"yesterday", GETDATE_SHIFT, 0, -1},
    {"today", GETDATE_SHIFT, 0, 0},
    {"now", GETDATE_SHIFT, 0, 0},
    {"last", GETDATE_ORDINAL, 0, -1},
    {"this", GETDATE_ORDINAL, 0, 0},
    {"next", GETDATE_ORDINAL, 0, 1},
    {"first", GETDATE_ORDINAL, 0, 1},
    {"third", GETDATE_ORDINAL, 0, 3},
    {"fourth", GETDATE_ORDINAL, 0, 4},
    {"fifth", GETDATE_ORDINAL, 0, 5},
    {"sixth", GETDATE_ORDINAL, 0, 6},
    {"seventh", GETDATE_ORDINAL, 0, 7},
    {"eighth", GETDATE_ORDINAL, 0, 8},
    {"ninth", GETDATE_ORDINAL, 0, 9},
    {"tenth", GETDATE_ORDINAL, 0, 10},
    {"eleventh", GETDATE_ORDINAL, 0, 11},
    {"twelfth", GETDATE_ORDINAL, 0, 12},
    {"ago", GETDATE_AGO, 0, -1},
    {"hence", GETDATE_AGO, 0, 1},
    {"dst", GETDATE_DST, 0, 0},
};

/* Hours times 100 plus minutes east of Greenwich; summer time zones have one hour added already
 * and are marked by the kind. */
static const struct getdate_word getdate_zones[] = {
    {"gmt", GETDATE_ZONE, 0, 0},        {"ut", GETDATE_ZONE, 0, 0},
    {"utc", GETDATE_ZONE, 0, 0},        {"wet", GETDATE_ZONE, 0, 0},
    {"west", GETDATE_DAYZONE, 0, 0},    {"bst", GETDATE_DAYZONE, 0, 0},
    {"art", GETDATE_ZONE, 0, -300},     {"brt", GETDATE_ZONE, 0, -300},
    {"brst", GETDATE_DAYZONE, 0, -300}, {"nst", GETDATE_ZONE, 0, -330},
    {"ndt", GETDATE_DAYZONE, 0, -330},  {"ast", GETDATE_ZONE, 0, -400},
    {"adt", GETDATE_DAYZONE, 0, -400},  {"clt", GETDATE_ZONE, 0, -400},
    {"clst", GETDATE_DAYZONE, 0, -400}, {"est", GETDATE_ZONE, 0, -500},
    {"edt", GETDATE_DAYZONE, 0, -500},  {"cst", GETDATE_ZONE, 0, -600},
    {"cdt", GETDATE_DAYZONE, 0, -600},  {"mst", GETDATE_ZONE, 0, -700},
    {"mdt", GETDATE_DAYZONE, 0, -700},  {"pst", GETDATE_ZONE, 0, -800},
    {"pdt", GETDATE_DAYZONE, 0, -800},  {"akst", GETDATE_ZONE, 0, -900},
    {"akdt", GETDATE_DAYZONE, 0, -900}, {"hst", GETDATE_ZONE, 0, -1000},
    {"hast", GETDATE_ZONE, 0, -1000},   {"hadt", GETDATE_DAYZONE, 0, -1000},
    {"sst", GETDATE_ZONE, 0, -1200},    {"wat", GETDATE_ZONE, 0, 100},
    {"cet", GETDATE_ZONE, 0, 100},      {"cest", GETDATE_DAYZONE, 0, 100},
    {"met", GETDATE_ZONE, 0, 100},      {"mez", GETDATE_ZONE, 0, 100},
    {"mest", GETDATE_DAYZONE, 0, 100},  {"mesz", GETDATE_DAYZONE, 0, 100},
    {"eet", GETDATE_ZONE, 0, 200},      {"eest", GETDATE_DAYZONE, 0, 200},
    {"cat", GETDATE_ZONE, 0, 200},      {"sast", GETDATE_ZONE, 0, 200},
    {"eat", GETDATE_ZONE, 0, 300},      {"msk", GETDATE_ZONE, 0, 300},
    {"msd", GETDATE_DAYZONE, 0, 300},   {"ist", GETDATE_ZONE, 0, 530},
    {"sgt", GETDATE_ZONE, 0, 800},      {"kst", GETDATE_ZONE, 0, 900},
    {"jst", GETDATE_ZONE, 0, 900},      {"gst", GETDATE_ZONE, 0, 1000},
    {"nzst", GETDATE_ZONE, 0, 1200},    {"nzdt", GETDATE_DAYZONE, 0, 1200},
};

/* ---- tokens --------------------------------------------------------------------------------- */

struct getdate {
    struct getdate_token t[GETDATE_TOKENS];
    int n, at;
    const struct date_zone *zone;
    int64_t now;
    /* what was seen */
    int dates, days, times, rels, zones, stamps;
    bool has_year, has_zone;
    int year_digits;
    int64_t year, month, day, hour, minute, second;
    int ns, meridian; /* 0 am, 12 pm, 24 none */
    int64_t zone_offset;
    int day_number;
    int64_t day_ordinal;
    int64_t rel[6];
    int64_t rel_ns;
    /* date --debug: who is told what was understood; NULL: nobody */
    struct proc *tell;
    struct str tz;     /* TZ="..." in the text; .p NULL: none */
    bool named_utc;    /* -u was given */
    bool said_ordinal; /* "this friday", not "friday" */
};

static int getdate_number(struct getdate *g, struct str s, size_t *i, char sign)
{
    struct getdate_token *t = &g->t[g->n++];
    int64_t v = 0;
    int scale = 100000000;

    *t = (struct getdate_token){.kind = sign ? GETDATE_SIGNED : GETDATE_UNSIGNED,
                                .negative = sign == '-'};
    for (; *i < s.n && ascii_digit(s.p[*i]); ++*i, t->digits++) {
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, s.p[*i] - '0', &v))
            return HOB_EINVAL;
    }
    if (*i + 1 < s.n && (s.p[*i] == '.' || s.p[*i] == ',') && ascii_digit(s.p[*i + 1])) {
        t->fraction = true;
        for (++*i; *i < s.n && ascii_digit(s.p[*i]); ++*i, scale /= 10)
            t->ns += scale * (s.p[*i] - '0');
    }
    if (sign == '-') {
        v = -v;
        if (t->ns) { /* the fraction always counts upwards */
            v--;
            t->ns = 1000000000 - t->ns;
        }
    }
    t->value = v;
    return 0;
}

static const struct getdate_word *getdate_lookup(const struct getdate_word *w, size_t n,
                                                 struct str name)
{
    for (size_t i = 0; i < n; i++) {
        if (str_eqz(name, w[i].name))
            return &w[i];
    }
    return NULL;
}

/* Months and days may be cut to three letters, units may have a plural s. */
static const struct getdate_word *getdate_known(struct str name)
{
    const struct getdate_word *w = getdate_lookup(getdate_words, COUNT(getdate_words), name);
    for (size_t i = 0; !w && i < COUNT(getdate_words); i++) {
        const struct getdate_word *c = &getdate_words[i];
        if (name.n == 3 && (c->kind == GETDATE_MONTH || c->kind == GETDATE_DAY) &&
            memcmp(c->name, name.p, 3) == 0)
            w = c;
    }
    if (!w)
        w = getdate_lookup(getdate_zones, COUNT(getdate_zones), name);
    if (!w && name.n > 1 && name.p[name.n - 1] == 's') {
        w = getdate_lookup(getdate_words, COUNT(getdate_words), str_sub(name, 0, name.n - 1));
        if (w && w->kind != GETDATE_UNIT)
            w = NULL;
    }
    return w;
}

/* One letter: a military zone. */
static bool getdate_letter(char c, int64_t *offset)
{
    if (c == 'z')
        *offset = 0;
    else if (c >= 'a' && c <= 'm' && c != 'j')
        *offset = (c - 'a' + 1 - (c > 'j')) * 3600;
    else if (c >= 'n' && c <= 'y')
        *offset = -(c - 'n' + 1) * 3600;
    else
        return false;
    return true;
}

static int getdate_name(struct getdate *g, struct str s, size_t *i)
{
    struct getdate_token *t = &g->t[g->n++];
    char name[20];
    size_t n = 0;

    *t = (struct getdate_token){0};
    for (; *i < s.n && (ascii_alpha(s.p[*i]) || s.p[*i] == '.'); ++*i) {
        if (n < sizeof name)
            name[n++] = (char)ascii_to_lower(s.p[*i]);
    }
    struct str word = str_of(name, n);
    if (n == 1 && name[0] == 't') {
        *t = (struct getdate_token){.kind = GETDATE_CHAR, .value = 'T'};
        return 0;
    }
    const struct getdate_word *w = getdate_known(word);
    if (!w) { /* without its periods */
        size_t k = 0;
        for (size_t j = 0; j < n; j++) {
            if (name[j] != '.')
                name[k++] = name[j];
        }
        if (k < n)
            w = getdate_known(str_of(name, k));
    }
    if (w) {
        *t = (struct getdate_token){.kind = w->kind, .value = w->value, .unit = w->unit};
        if (w->kind == GETDATE_ZONE || w->kind == GETDATE_DAYZONE)
            t->value =
                (w->value / 100 * 60 + w->value % 100 + (w->kind == GETDATE_DAYZONE ? 60 : 0)) * 60;
        return 0;
    }
    for (int k = 0; k < 1 + g->zone->summer; k++) {
        const char *local = g->zone->name[k];
        bool same = strlen(local) == n;
        for (size_t j = 0; same && j < n; j++)
            same = ascii_to_lower(local[j]) == name[j];
        if (same) {
            *t = (struct getdate_token){.kind = GETDATE_ZONE, .value = g->zone->offset[k]};
            return 0;
        }
    }
    t->kind = GETDATE_ZONE;
    if (n == 1 && getdate_letter(name[0], &t->value))
        return 0;
    if (GETDATE_TELLS(g)) {
        for (size_t j = 0; j < n; j++)
            name[j] = (char)ascii_to_upper(name[j]);
        proc_warn(g->tell, "error: unknown word '%.*s'", (int)n, name);
        g->n--;
    }
    return HOB_EINVAL;
}

static int getdate_scan(struct getdate *g, struct str s)
{
    for (size_t i = 0; i < s.n;) {
        char c = s.p[i];
        int r = 0;
        if (g->n >= GETDATE_TOKENS - 6)
            return HOB_EINVAL;
        if (ascii_space(c)) {
            i++;
        } else if (ascii_digit(c)) {
            r = getdate_number(g, s, &i, 0);
        } else if (c == '-' || c == '+') {
            for (i++; i < s.n && ascii_space(s.p[i]);)
                i++;
            if (i < s.n && ascii_digit(s.p[i]))
                r = getdate_number(g, s, &i, c);
        } else if (ascii_alpha(c)) {
            r = getdate_name(g, s, &i);
        } else if (c == '(') {
            int depth = 0;
            do {
                depth += s.p[i] == '(' ? 1 : s.p[i] == ')' ? -1 : 0;
                i++;
            } while (depth && i < s.n);
            if (depth)
                return HOB_EINVAL;
        } else if (c == ':' || c == '/' || c == ',' || c == '@') {
            g->t[g->n++] = (struct getdate_token){.kind = GETDATE_CHAR, .value = c};
            i++;
        } else {
            return HOB_EINVAL;
        }
        if (r < 0)
            return r;
    }
    return 0;
}

/* ---- items ---------------------------------------------------------------------------------- */

static const struct getdate_token *getdate_peek(const struct getdate *g, int ahead)
{
    static const struct getdate_token none = {0};
    return g->at + ahead < g->n ? &g->t[g->at + ahead] : &none;
}

static bool getdate_is(const struct getdate *g, int ahead, enum getdate_kind kind)
{
    return getdate_peek(g, ahead)->kind == kind;
}

static bool getdate_whole(const struct getdate *g, int ahead, enum getdate_kind kind)
{
    return getdate_is(g, ahead, kind) && !getdate_peek(g, ahead)->fraction;
}

static bool getdate_char(const struct getdate *g, int ahead, char c)
{
    return getdate_is(g, ahead, GETDATE_CHAR) && getdate_peek(g, ahead)->value == c;
}

static void getdate_set_date(struct getdate *g, const struct getdate_token *year, int64_t month,
                             int64_t day)
{
    g->dates++;
    if (year) {
        g->year = year->value < 0 ? -year->value : year->value;
        g->year_digits = year->digits;
        g->has_year = true;
    }
    g->month = month;
    g->day = day;
}

/* "+05:30", "+0530", "-5" behind a time or a zone. False: there is none. */
static bool getdate_offset(struct getdate *g)
{
    if (!getdate_whole(g, 0, GETDATE_SIGNED))
        return false;
    const struct getdate_token *t = getdate_peek(g, 0);
    int64_t v = t->value, minutes;

    if (getdate_char(g, 1, ':') && getdate_whole(g, 2, GETDATE_UNSIGNED)) {
        minutes = v * 60 + (t->negative ? -1 : 1) * getdate_peek(g, 2)->value;
        g->at += 3;
    } else {
        minutes = t->digits <= 2 ? v * 60 : v / 100 * 60 + v % 100;
        g->at++;
    }
    if (minutes < -24 * 60 || minutes > 24 * 60) {
        g->zones = 99;
        return true;
    }
    g->zone_offset += minutes * 60;
    g->zones++;
    g->has_zone = true;
    return true;
}

static void getdate_set_time(struct getdate *g, int64_t h, int64_t m, int64_t s, int ns)
{
    g->times++;
    g->hour = h;
    g->minute = m;
    g->second = s;
    g->ns = ns;
    g->meridian = 24;
}

static void getdate_time_tail(struct getdate *g)
{
    if (getdate_is(g, 0, GETDATE_MERIDIAN))
        g->meridian = (int)g->t[g->at++].value;
    else
        getdate_offset(g);
}

/* HH:MM[:SS[.frac]] and what belongs to it, or HH am. */
static bool getdate_time(struct getdate *g)
{
    const struct getdate_token *t = getdate_peek(g, 0);
    if (!getdate_whole(g, 0, GETDATE_UNSIGNED))
        return false;
    if (getdate_is(g, 1, GETDATE_MERIDIAN)) {
        getdate_set_time(g, t->value, 0, 0, 0);
        g->meridian = (int)getdate_peek(g, 1)->value;
        g->at += 2;
        return true;
    }
    if (!getdate_char(g, 1, ':') || !getdate_is(g, 2, GETDATE_UNSIGNED))
        return false;
    const struct getdate_token *m = getdate_peek(g, 2);
    if (getdate_char(g, 3, ':') && getdate_is(g, 4, GETDATE_UNSIGNED) && !m->fraction) {
        const struct getdate_token *s = getdate_peek(g, 4);
        getdate_set_time(g, t->value, m->value, s->value, s->ns);
        g->at += 5;
    } else {
        if (m->fraction)
            return false;
        getdate_set_time(g, t->value, m->value, 0, 0);
        g->at += 3;
    }
    getdate_time_tail(g);
    return true;
}

/* Forms that begin with a number. */
static bool getdate_number_date(struct getdate *g)
{
    const struct getdate_token *t = getdate_peek(g, 0), *second = getdate_peek(g, 1);

    if (!getdate_whole(g, 0, GETDATE_UNSIGNED))
        return false;
    if (getdate_char(g, 1, '/') && getdate_whole(g, 2, GETDATE_UNSIGNED)) {
        const struct getdate_token *mid = getdate_peek(g, 2), *last = getdate_peek(g, 4);
        bool three = getdate_char(g, 3, '/') && getdate_whole(g, 4, GETDATE_UNSIGNED);
        if (!three)
            getdate_set_date(g, NULL, t->value, mid->value);
        else if (t->digits >= 4)
            getdate_set_date(g, t, mid->value, last->value);
        else
            getdate_set_date(g, last, t->value, mid->value);
        g->at += three ? 5 : 3;
        return true;
    }
    if (second->kind == GETDATE_MONTH) {
        const struct getdate_token *year = getdate_peek(g, 2);
        bool has = getdate_whole(g, 2, GETDATE_SIGNED) ||
                   (getdate_whole(g, 2, GETDATE_UNSIGNED) && !getdate_char(g, 3, ':') &&
                    !getdate_is(g, 3, GETDATE_UNIT) && !getdate_is(g, 3, GETDATE_MERIDIAN));
        if (year->kind == GETDATE_SIGNED && getdate_is(g, 3, GETDATE_UNIT))
            has = false;
        getdate_set_date(g, has ? year : NULL, second->value, t->value);
        g->at += has ? 3 : 2;
        return true;
    }
    if (getdate_whole(g, 1, GETDATE_SIGNED) && getdate_whole(g, 2, GETDATE_SIGNED) &&
        second->negative) {
        getdate_set_date(g, t, -second->value, -getdate_peek(g, 2)->value);
        g->at += 3;
        if (getdate_char(g, 0, 'T') && getdate_whole(g, 1, GETDATE_UNSIGNED)) {
            g->at++;
            const struct getdate_token *hour = getdate_peek(g, 0);
            if (getdate_whole(g, 1, GETDATE_SIGNED)) { /* T17+02 */
                getdate_set_time(g, hour->value, 0, 0, 0);
                g->at++;
                getdate_offset(g);
            } else if (!getdate_time(g)) {
                g->at--; /* then the T is a zone */
            }
        }
        return true;
    }
    return false;
}

/* Forms that begin with the name of a month. */
static bool getdate_month_date(struct getdate *g)
{
    int64_t month = getdate_peek(g, 0)->value;
    const struct getdate_token *day = getdate_peek(g, 1);

    if (!getdate_is(g, 0, GETDATE_MONTH))
        return false;
    if (getdate_whole(g, 1, GETDATE_SIGNED) && getdate_whole(g, 2, GETDATE_SIGNED)) {
        getdate_set_date(g, getdate_peek(g, 2), month, -day->value);
        g->at += 3;
    } else if (getdate_whole(g, 1, GETDATE_UNSIGNED)) {
        bool year = getdate_char(g, 2, ',') && getdate_whole(g, 3, GETDATE_UNSIGNED);
        getdate_set_date(g, year ? getdate_peek(g, 3) : NULL, month, day->value);
        g->at += year ? 4 : 2;
    } else {
        return false;
    }
    return true;
}

static void getdate_add(struct getdate *g, const struct getdate_token *unit, int64_t count, int ns)
{
    int sign = 1;
    g->rels++;
    while (getdate_is(g, 0, GETDATE_AGO))
        sign *= (int)g->t[g->at++].value;
    int64_t v;
    if (__builtin_mul_overflow(count, unit->value * sign, &v) ||
        __builtin_add_overflow(g->rel[unit->unit], v, &g->rel[unit->unit]))
        g->zones = 99; /* no such date */
    if (unit->unit == GETDATE_SECONDS)
        g->rel_ns += (int64_t)ns * sign;
}

static bool getdate_relative(struct getdate *g)
{
    const struct getdate_token *t = getdate_peek(g, 0), *u = getdate_peek(g, 1);

    if (t->kind == GETDATE_SHIFT) {
        g->at++;
        g->rels++;
        g->rel[GETDATE_DAYS] += t->value;
        return true;
    }
    if (t->kind == GETDATE_UNIT) {
        g->at++;
        getdate_add(g, t, 1, 0);
        return true;
    }
    if (u->kind != GETDATE_UNIT ||
        (t->kind != GETDATE_UNSIGNED && t->kind != GETDATE_SIGNED && t->kind != GETDATE_ORDINAL))
        return false;
    if (t->fraction && u->unit != GETDATE_SECONDS)
        return false;
    g->at += 2;
    getdate_add(g, u, t->value, t->ns);
    return true;
}

static bool getdate_weekday(struct getdate *g)
{
    const struct getdate_token *t = getdate_peek(g, 0), *d = getdate_peek(g, 1);
    bool counted = (t->kind == GETDATE_ORDINAL || getdate_whole(g, 0, GETDATE_UNSIGNED)) &&
                   d->kind == GETDATE_DAY;

    if (!counted && t->kind != GETDATE_DAY)
        return false;
    g->days++;
    g->day_ordinal = counted ? t->value : 0;
    g->said_ordinal = counted;
    g->day_number = (int)(counted ? d : t)->value;
    g->at += 1 + counted;
    if (!counted && getdate_char(g, 0, ','))
        g->at++;
    return true;
}

static bool getdate_zone_item(struct getdate *g)
{
    const struct getdate_token *t = getdate_peek(g, 0);
    bool tee = getdate_char(g, 0, 'T');
    if (t->kind != GETDATE_ZONE && t->kind != GETDATE_DAYZONE && !tee)
        return false;
    g->at++;
    g->zone_offset = tee ? -7 * 3600 : t->value;
    g->has_zone = true;
    if (getdate_is(g, 0, GETDATE_DST)) {
        g->zone_offset += 3600;
        g->at++;
    } else if (getdate_whole(g, 0, GETDATE_SIGNED) && !getdate_is(g, 1, GETDATE_UNIT)) {
        return getdate_offset(g); /* UTC+3 */
    }
    g->zones++;
    return true;
}

/* A number by itself: 20240131, 1430, or the year of a date. */
static bool getdate_lone_number(struct getdate *g)
{
    const struct getdate_token *t = getdate_peek(g, 0);
    if (!getdate_whole(g, 0, GETDATE_UNSIGNED))
        return false;
    g->at++;
    if (g->dates && !g->has_year && !g->rels && (g->times || t->digits > 2)) {
        g->year = t->value;
        g->year_digits = t->digits;
        g->has_year = true;
    } else if (t->digits > 4) {
        struct getdate_token year = *t;
        year.value = t->value / 10000;
        year.digits = t->digits - 4;
        getdate_set_date(g, &year, t->value / 100 % 100, t->value % 100);
    } else if (t->digits <= 2) {
        getdate_set_time(g, t->value, 0, 0, 0);
    } else {
        getdate_set_time(g, t->value / 100, t->value % 100, 0, 0);
    }
    return true;
}

static int64_t getdate_full_year(const struct getdate *g)
{
    if (g->year_digits == 2)
        return g->year + (g->year < 69 ? 2000 : 1900);
    return g->year;
}

/* ---- what was understood: date --debug ------------------------------------------------------ */

/* "+02" or "+05:30". */
static const char *getdate_tell_offset(char *dst, size_t size, int64_t offset)
{
    int64_t n = offset < 0 ? -offset : offset;
    char sign = offset < 0 ? '-' : '+';
    if (n % 3600 == 0)
        fmt_print(dst, size, "%c%02d", sign, (int)(n / 3600));
    else if (n % 60 == 0)
        fmt_print(dst, size, "%c%02d:%02d", sign, (int)(n / 3600), (int)(n / 60 % 60));
    else
        fmt_print(dst, size, "%c%02d:%02d:%02d", sign, (int)(n / 3600), (int)(n / 60 % 60),
                  (int)(n % 60));
    return dst;
}

/* "(Y-M-D) 2024-01-02 03:04:05 TZ=+02"; days past the end of the month are carried over. */
static const char *getdate_tell_civil(const struct getdate *g, const struct date *d, char *dst,
                                      size_t size)
{
    char offset[16], zone[24] = "";
    struct date at = *d;
    int64_t first = date_days(d->year, d->month, 1) + d->day - 1;
    if (d->day > date_month_days(d->year, d->month) || d->day < 1)
        date_from_epoch(first * 86400, 0, &date_utc, &at);
    if (g->has_zone)
        fmt_print(zone, sizeof zone, " TZ=%s",
                  getdate_tell_offset(offset, sizeof offset, g->zone_offset));
    fmt_print(dst, size, "(Y-M-D) %04lld-%02d-%02d %02d:%02d:%02d%s", (long long)at.year, at.month,
              at.day, d->hour, d->minute, d->second, zone);
    return dst;
}

static const char *getdate_tell_day(const struct getdate *g, char *dst, size_t size)
{
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char *const ordinals[] = {"last",   "this",  "next/first", "(SECOND)", "third",
                                           "fourth", "fifth", "sixth",      "seventh",  "eighth",
                                           "ninth",  "tenth", "eleventh",   "twelfth"};
    const char *day = days + 3 * g->day_number;
    if (!g->said_ordinal)
        fmt_print(dst, size, "%.3s", day);
    else if (g->day_ordinal >= -1 && g->day_ordinal <= 12)
        fmt_print(dst, size, "%s %.3s", ordinals[g->day_ordinal + 1], day);
    else
        fmt_print(dst, size, "%lld %.3s", (long long)g->day_ordinal, day);
    return dst;
}

static void getdate_tell_relative(const struct getdate *g, struct buf *b)
{
    static const char *const units[] = {"year(s)", "month(s)", "day(s)",
                                        "hour(s)", "minutes",  "seconds"};
    size_t before = b->n;
    for (int i = 0; i < 6; i++)
        if (g->rel[i])
            buf_printf(b, " %+lld %s", (long long)g->rel[i], units[i]);
    if (g->rel_ns)
        buf_printf(b, " %+lld nanoseconds", (long long)g->rel_ns);
    if (b->n == before)
        buf_str(b, STR(" today/this/now"));
}

static void getdate_tell_clock(const struct getdate *g, struct buf *b)
{
    buf_printf(b, " %02lld:%02lld:%02lld", (long long)g->hour, (long long)g->minute,
               (long long)g->second);
    if (g->ns)
        buf_printf(b, ".%09d", g->ns);
    if (g->meridian == 12)
        buf_str(b, STR("pm"));
}

/* The part that was just taken; `was` is how things stood before it. */
static void getdate_tell_part(const struct getdate *g, const struct getdate *was, const char *name)
{
    char text[64];
    struct date now;
    struct buf b;

    buf_init(&b, &g->tell->kernel->heap);
    date_from_epoch(g->now / GETDATE_SECOND, 0, g->zone, &now);
    bool zone = g->zones > was->zones;
    if (g->dates > was->dates)
        buf_printf(&b, " (Y-M-D) %04lld-%02lld-%02lld",
                   (long long)(g->has_year ? getdate_full_year(g) : now.year), (long long)g->month,
                   (long long)g->day);
    else if (g->has_year && !was->has_year)
        buf_printf(&b, " year: %04lld", (long long)getdate_full_year(g));
    if (g->times > was->times && !was->times)
        getdate_tell_clock(g, &b);
    if (g->days > was->days)
        buf_printf(&b, " %s (day ordinal=%lld number=%d)", getdate_tell_day(g, text, sizeof text),
                   (long long)g->day_ordinal, g->day_number);
    if (g->rels > was->rels)
        getdate_tell_relative(g, &b);
    if (zone)
        buf_printf(&b, " UTC%s", getdate_tell_offset(text, sizeof text, g->zone_offset));
    if (g->dates > was->dates && g->times > was->times && name[0] == 'd')
        name = "datetime";
    proc_warn(g->tell, "parsed %s part:%s", name, b.n ? buf_get(&b).p : " ");
    buf_fini(&b);
}

/* What the zone is: of the text, of $TZ or of -u. */
static void getdate_tell_zone(const struct getdate *g, bool last)
{
    char text[32];
    struct str tz = STR_NONE;
    if (g->named_utc)
        tz = STR("UTC0");
    else if (!proc_getenv(g->tell, STR("TZ"), &tz))
        tz = STR_NONE;
    const char *what = last ? "timezone" : "input timezone";
    if (!last && g->stamps)
        proc_warn(g->tell, "%s: '@timespec' - always UTC", what);
    else if (!last && g->has_zone)
        proc_warn(g->tell, "%s: parsed date/time string (%s)", what,
                  getdate_tell_offset(text, sizeof text, g->zone_offset));
    else if (g->tz.p)
        proc_warn(g->tell, "%s: TZ=\"%.*s\" %s", what, STR_ARG(g->tz),
                  last ? "environment value" : "in date string");
    else if (!tz.p)
        proc_warn(g->tell, "%s: system default", what);
    else if (str_eqz(tz, "UTC0"))
        proc_warn(g->tell, "%s: %s", what,
                  last ? "Universal Time" : "TZ=\"UTC0\" environment value or -u");
    else
        proc_warn(g->tell, "%s: TZ=\"%.*s\" environment value", what, STR_ARG(tz));
}

/* Where time and date begin, before the day of the week and relative parts move them. */
static void getdate_tell_start(const struct getdate *g, const struct date *d)
{
    struct proc *p = g->tell;
    if (g->times)
        proc_warn(p, "using specified time as starting value: '%02d:%02d:%02d'", d->hour, d->minute,
                  d->second);
    else if (!g->rels || g->dates || g->days)
        proc_warn(p, "warning: using midnight as starting time: 00:00:00");
    else
        proc_warn(p, "using current time as starting value: '%02d:%02d:%02d'", d->hour, d->minute,
                  d->second);
    if (!g->dates && !g->days)
        proc_warn(p, "using current date as starting value: '(Y-M-D) %04lld-%02d-%02d'",
                  (long long)d->year, d->month, d->day);
}

static void getdate_tell_weekday(const struct getdate *g, const struct date *d)
{
    char day[32], text[80];
    getdate_tell_day(g, day, sizeof day);
    if (g->dates)
        proc_warn(g->tell, "warning: day (%s) ignored when explicit dates are given", day);
    else
        proc_warn(g->tell, "new start date: '%s' is '%s'", day,
                  getdate_tell_civil(g, d, text, sizeof text));
}

/* d is where it starts, `moved` where relative years, months and days lead. */
static void getdate_tell_moved(const struct getdate *g, const struct date *d,
                               const struct date *moved)
{
    struct proc *p = g->tell;
    const int64_t *rel = g->rel;
    char text[80];
    proc_warn(p, "starting date/time: '%s'", getdate_tell_civil(g, d, text, sizeof text));
    if (!rel[GETDATE_YEARS] && !rel[GETDATE_MONTHS] && !rel[GETDATE_DAYS])
        return;
    bool far = rel[GETDATE_YEARS] || rel[GETDATE_MONTHS];
    if (far && d->day != 15)
        proc_warn(p, "warning: when adding relative months/years, it is recommended to specify the "
                     "15th of the months");
    if (rel[GETDATE_DAYS] && d->hour != 12)
        proc_warn(p, "warning: when adding relative days, it is recommended to specify noon");
    proc_warn(p, "after date adjustment (%+lld years, %+lld months, %+lld days),",
              (long long)rel[GETDATE_YEARS], (long long)rel[GETDATE_MONTHS],
              (long long)rel[GETDATE_DAYS]);
    proc_warn(p, "    new date/time = '%s'", getdate_tell_civil(g, moved, text, sizeof text));
    int64_t months = d->year * 12 + d->month - 1 + rel[GETDATE_MONTHS] + rel[GETDATE_YEARS] * 12;
    int month = (int)((months % 12 + 12) % 12) + 1;
    if (far && !rel[GETDATE_DAYS] && moved->day != d->day) {
        proc_warn(p, "warning: month/year adjustment resulted in shifted dates:");
        proc_warn(p, "     adjusted Y M D: %04lld %02d %02d",
                  (long long)(months / 12 - (months % 12 < 0)), month, d->day);
        proc_warn(p, "   normalized Y M D: %04lld %02d %02d", (long long)moved->year, moved->month,
                  moved->day);
    }
}

/* t is the second of the civil time, `total` the result in nanoseconds. */
static void getdate_tell_seconds(const struct getdate *g, const struct date *moved,
                                 const struct date_zone *zone, int64_t t, int64_t total)
{
    struct proc *p = g->tell;
    const int64_t *rel = g->rel;
    struct date before, after;
    char text[80];
    int64_t sec = total / GETDATE_SECOND - (total % GETDATE_SECOND < 0);
    proc_warn(p, "'%s' = %lld epoch-seconds", getdate_tell_civil(g, moved, text, sizeof text),
              (long long)t);
    if (!rel[GETDATE_HOURS] && !rel[GETDATE_MINUTES] && !rel[GETDATE_SECONDS] && !g->rel_ns)
        return;
    proc_warn(p, "after time adjustment (%+lld hours, %+lld minutes, %+lld seconds, %+lld ns),",
              (long long)rel[GETDATE_HOURS], (long long)rel[GETDATE_MINUTES],
              (long long)rel[GETDATE_SECONDS], (long long)g->rel_ns);
    proc_warn(p, "    new time = %lld epoch-seconds", (long long)sec);
    if (date_from_epoch(t, 0, zone, &before) == 0 && date_from_epoch(sec, 0, zone, &after) == 0 &&
        before.summer != after.summer)
        proc_warn(p, "warning: daylight saving time changed after time adjustment");
}

static void getdate_tell_final(const struct getdate *g, int64_t total)
{
    int64_t ns = (total % GETDATE_SECOND + GETDATE_SECOND) % GETDATE_SECOND;
    int64_t sec = (total - ns) / GETDATE_SECOND;
    struct date d;
    char text[80], offset[16];
    struct getdate plain = {.zone = g->zone};
    getdate_tell_zone(g, true);
    proc_warn(g->tell, "final: %lld.%09lld (epoch-seconds)", (long long)sec, (long long)ns);
    if (date_from_epoch(sec, 0, &date_utc, &d) == 0)
        proc_warn(g->tell, "final: %s (UTC)", getdate_tell_civil(&plain, &d, text, sizeof text));
    if (date_from_epoch(sec, 0, g->zone, &d) == 0)
        proc_warn(g->tell, "final: %s (UTC%s)", getdate_tell_civil(&plain, &d, text, sizeof text),
                  getdate_tell_offset(offset, sizeof offset, d.offset));
}

/* A time that does not exist: a line of dashes below what would have to change. */
static void getdate_tell_wrong(const struct getdate *g, const struct date *d,
                               const struct date_zone *zone)
{
    struct proc *p = g->tell;
    char given[80], normal[80];
    struct getdate named = *g;
    struct date back, plain = *d;
    int64_t t;
    bool day = d->day > date_month_days(d->year, d->month);
    if (date_to_epoch(d, zone, &t) < 0 || date_from_epoch(t, 0, zone, &back) < 0)
        return;
    plain.day = 1; /* so that nothing is carried over in what was given */
    getdate_tell_civil(&named, &plain, given, sizeof given);
    char *at = strchr(given + 9, '-');
    if (at && strlen(at) > 5)
        at[4] = (char)('0' + d->day / 10 % 10), at[5] = (char)('0' + d->day % 10);
    getdate_tell_civil(&named, &back, normal, sizeof normal);
    proc_warn(p, "error: invalid date/time value:");
    proc_warn(p, "    user provided time: '%s'", given);
    proc_warn(p, "       normalized time: '%s'", normal);
    char marks[sizeof given];
    size_t n = strlen(given), end = 0;
    memset(marks, ' ', sizeof marks);
    for (size_t i = 0; i < n && strlen(normal) == n; i++)
        if (given[i] != normal[i]) { /* the whole field is marked */
            size_t from = i, to = i;
            while (from > 0 && ascii_digit(given[from - 1]))
                from--;
            while (to < n && ascii_digit(given[to]))
                to++;
            memset(marks + from, '-', to - from);
            end = MAX(end, to);
        }
    proc_warn(p, "                         %.*s", (int)end, marks);
    proc_warn(p, "     possible reasons:");
    if (!day && !g->has_zone && back.hour != d->hour)
        proc_warn(p, "       non-existing due to daylight-saving time;");
    if (day)
        proc_warn(p, "       invalid day/month combination;");
    proc_warn(p, "       numeric values overflow;");
    proc_warn(p, "       missing timezone");
}

/* The next item, of whatever kind. */
static int getdate_item(struct getdate *g)
{
    static const struct {
        bool (*take)(struct getdate *);
        const char *name;
    } kinds[] = {{getdate_time, "time"},         {getdate_number_date, "date"},
                 {getdate_month_date, "date"},   {getdate_relative, "relative"},
                 {getdate_weekday, "day"},       {getdate_zone_item, "zone"},
                 {getdate_lone_number, "number"}};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        int at = g->at, dates = g->dates, days = g->days, times = g->times, rels = g->rels;
        int zones = g->zones;
        bool year = g->has_year;
        const struct getdate_token *t = &g->t[at];
        if (!kinds[i].take(g))
            continue;
        struct getdate was = {.dates = dates,
                              .days = days,
                              .times = times,
                              .rels = rels,
                              .zones = zones,
                              .has_year = year};
        if (GETDATE_TELLS(g) && i == 1 && g->at - at == 5 && t[1].value == '/' && t->digits < 4)
            proc_warn(g->tell, "warning: value %lld has less than 4 digits. Assuming MM/DD/YY[YY]",
                      (long long)t->value);
        if (GETDATE_TELLS(g))
            getdate_tell_part(g, &was, kinds[i].name);
        return 0;
    }
    return HOB_EINVAL;
}

static int getdate_items(struct getdate *g)
{
    if (getdate_char(g, 0, '@')) {
        const struct getdate_token *t = getdate_peek(g, 1);
        if (g->n != 2 || (t->kind != GETDATE_SIGNED && t->kind != GETDATE_UNSIGNED)) {
            if (GETDATE_TELLS(g))
                proc_warn(g->tell, "error: parsing failed");
            return HOB_EINVAL;
        }
        g->stamps = 1;
        g->second = t->value;
        g->ns = t->ns;
        if (GETDATE_TELLS(g))
            proc_warn(g->tell, "parsed number of seconds part: number of seconds: %lld",
                      (long long)t->value);
        if (GETDATE_TELLS(g))
            getdate_tell_zone(g, false);
        return 0;
    }
    if (g->n == 0) { /* nothing is midnight */
        struct getdate was = {0};
        getdate_set_time(g, 0, 0, 0, 0);
        if (GETDATE_TELLS(g))
            getdate_tell_part(g, &was, "number");
    }
    while (g->at < g->n) {
        if (getdate_item(g) < 0) {
            if (GETDATE_TELLS(g))
                proc_warn(g->tell, "error: parsing failed");
            return HOB_EINVAL;
        }
    }
    if (GETDATE_TELLS(g))
        getdate_tell_zone(g, false);
    const char *many = g->times > 1   ? "time"
                       : g->dates > 1 ? "date"
                       : g->days > 1  ? "days"
                       : g->zones > 1 ? "time-zone"
                                      : NULL;
    if (many && GETDATE_TELLS(g))
        proc_warn(g->tell, "error: seen multiple %s parts", many);
    return many ? HOB_EINVAL : 0;
}

/* ---- the result ----------------------------------------------------------------------------- */

static int getdate_hour(const struct getdate *g, int64_t *hour)
{
    if (g->meridian == 24) {
        *hour = g->hour;
        return g->hour < 24 ? 0 : HOB_EINVAL;
    }
    if (g->hour < 1 || g->hour > 12)
        return HOB_EINVAL;
    *hour = g->hour % 12 + g->meridian;
    return 0;
}

/* The civil time that the absolute items give. */
static int getdate_civil(struct getdate *g, struct date *d, const struct date_zone *zone)
{
    int64_t hour;

    date_from_epoch((g->now >= 0 ? g->now : g->now - GETDATE_SECOND + 1) / GETDATE_SECOND, 0, zone,
                    d);
    d->nanosecond = (int)(((g->now % GETDATE_SECOND) + GETDATE_SECOND) % GETDATE_SECOND);
    if (g->dates) {
        if (g->has_year)
            d->year = getdate_full_year(g);
        if (g->month < 1 || g->month > 12 || g->day < 1 || g->day > 31)
            return HOB_EINVAL;
        d->month = (int)g->month;
        d->day = (int)g->day;
    }
    if (g->times) {
        if (getdate_hour(g, &hour) < 0) {
            if (GETDATE_TELLS(g))
                proc_warn(g->tell, "error: invalid hour %lld%s", (long long)g->hour,
                          g->meridian == 24   ? ""
                          : g->meridian == 12 ? "pm"
                                              : "am");
            return HOB_EINVAL;
        }
        if (g->minute > 59 || g->second > 60)
            return HOB_EINVAL;
        d->hour = (int)hour;
        d->minute = (int)g->minute;
        d->second = (int)g->second;
        d->nanosecond = g->ns;
    } else if (!g->rels || g->dates || g->days) {
        d->hour = d->minute = d->second = d->nanosecond = 0;
    }
    return 0;
}

/* Whether clocks ever show that: not when they are put forward meanwhile. */
static bool getdate_exists(const struct date *d, const struct date_zone *zone)
{
    struct date back;
    int64_t t;

    return date_to_epoch(d, zone, &t) == 0 && date_from_epoch(t, 0, zone, &back) == 0 &&
           back.minute == d->minute && back.hour == d->hour &&
           date_days(back.year, back.month, back.day) ==
               date_days(d->year, d->month, 1) + d->day - 1;
}

static int getdate_resolve(struct getdate *g, int64_t *out)
{
    struct date d;
    struct date_zone zone = g->has_zone ? date_zone_fixed((int32_t)g->zone_offset) : *g->zone;
    int64_t t;
    __int128 total;

    if (g->stamps) {
        total = (__int128)g->second * GETDATE_SECOND + g->ns;
    } else {
        /* The date of now is that of the local zone, also when the text names another. */
        if (getdate_civil(g, &d, g->zone) < 0 || d.year > 2000000 || d.year < -2000000)
            return HOB_EINVAL;
        if (GETDATE_TELLS(g))
            getdate_tell_start(g, &d);
        if (g->days && !g->dates) {
            int64_t days = date_days(d.year, d.month, d.day);
            int wday = (int)(((days + 4) % 7 + 7) % 7);
            int64_t ahead = (g->day_number - wday + 7) % 7 +
                            7 * (g->day_ordinal - (g->day_ordinal > 0 && wday != g->day_number));
            d.day += (int)MAX(MIN(ahead, 700000000), -700000000);
        }
        if (GETDATE_TELLS(g) && g->days)
            getdate_tell_weekday(g, &d);
        if ((g->dates && d.day > date_month_days(d.year, d.month)) || !getdate_exists(&d, &zone)) {
            if (GETDATE_TELLS(g))
                getdate_tell_wrong(g, &d, &zone);
            return HOB_EINVAL;
        }
        struct date from = d;
        int64_t limit = 700000000;
        for (int i = 0; i < 3; i++) {
            if (g->rel[i] > limit || g->rel[i] < -limit)
                return HOB_EINVAL;
        }
        int64_t months = d.year * 12 + d.month - 1 + g->rel[GETDATE_MONTHS];
        d.year = months / 12 - (months % 12 < 0) + g->rel[GETDATE_YEARS];
        d.month = (int)((months % 12 + 12) % 12) + 1;
        int64_t day = d.day + g->rel[GETDATE_DAYS];
        d.day = 1;
        int64_t first = date_days(d.year, d.month, 1) + day - 1;
        /* Through days, so that any count of them carries over. */
        struct date start;
        if (date_from_epoch(first * 86400, 0, &date_utc, &start) < 0)
            return HOB_EINVAL;
        start.hour = d.hour;
        start.minute = d.minute;
        start.second = d.second;
        if (GETDATE_TELLS(g))
            getdate_tell_moved(g, &from, &start);
        if (date_to_epoch(&start, &zone, &t) < 0)
            return HOB_EINVAL;
        total = (__int128)t + (__int128)g->rel[GETDATE_HOURS] * 3600 +
                (__int128)g->rel[GETDATE_MINUTES] * 60 + g->rel[GETDATE_SECONDS];
        total = total * GETDATE_SECOND + d.nanosecond + g->rel_ns;
        if (GETDATE_TELLS(g) && total < INT64_MAX && total > INT64_MIN)
            getdate_tell_seconds(g, &start, &zone, t, (int64_t)total);
    }
    if (total > INT64_MAX - 1 || total < INT64_MIN + 1)
        return HOB_EINVAL;
    if (GETDATE_TELLS(g))
        getdate_tell_final(g, (int64_t)total);
    *out = (int64_t)total;
    return 0;
}

/* TZ="rule" at the front. */
static int getdate_prefix(struct str *s, struct date_zone *zone)
{
    char name[100];
    size_t i = 4, n = 0;

    for (; i < s->n && s->p[i] != '"'; i++) {
        if (s->p[i] == '\\' && i + 1 < s->n)
            i++;
        if (n == sizeof name)
            return HOB_EINVAL;
        name[n++] = s->p[i];
    }
    if (i == s->n)
        return HOB_EINVAL;
    getdate_zone_named(str_of(name, n), zone);
    *s = str_from(*s, i + 1);
    return 0;
}

static int getdate_run(struct getdate *g, struct str text, int64_t *out)
{
    struct date_zone own;
    struct str all;

    while (text.n && ascii_space(text.p[0]))
        text = str_from(text, 1);
    all = text;
    if (str_starts(text, STR("TZ=\""))) {
        if (getdate_prefix(&text, &own) < 0)
            return HOB_EINVAL;
        g->zone = &own;
        g->tz = str_sub(all, 4, (size_t)str_chr(str_from(all, 4), '"'));
    }
    if (getdate_scan(g, text) < 0) {
        while (GETDATE_TELLS(g) && g->at < g->n && getdate_item(g) == 0)
            continue; /* what stands before is told, too */
        if (GETDATE_TELLS(g))
            proc_warn(g->tell, "error: parsing failed");
        return HOB_EINVAL;
    }
    int e = getdate_items(g);
    return e < 0 ? e : getdate_resolve(g, out);
}

int getdate_parse(struct str text, int64_t now, const struct date_zone *zone, int64_t *out)
{
    struct getdate g = {.now = now, .zone = zone, .meridian = 24};
    return getdate_run(&g, text, out);
}

int getdate_parse_telling(struct proc *p, bool utc, struct str text, int64_t now,
                          const struct date_zone *zone, int64_t *out)
{
    struct getdate g = {.now = now, .zone = zone, .meridian = 24, .tell = p, .named_utc = utc};
    return getdate_run(&g, text, out);
}

int getdate_stamp(struct str s, int64_t now, const struct date_zone *zone, int64_t *out)
{
    struct date d;
    int pair[7], n = 0;
    ptrdiff_t dot = str_chr(s, '.');
    struct str digits = dot < 0 ? s : str_sub(s, 0, (size_t)dot);
    struct str sec = dot < 0 ? STR("") : str_from(s, (size_t)dot + 1);
    int64_t t;

    date_from_epoch(now / GETDATE_SECOND, 0, zone, &d);
    if ((digits.n != 8 && digits.n != 10 && digits.n != 12) || (dot >= 0 && sec.n != 2))
        return HOB_EINVAL;
    for (size_t i = 0; i + 1 < digits.n + 1; i += 2) {
        if (!ascii_digit(digits.p[i]) || !ascii_digit(digits.p[i + 1]))
            return HOB_EINVAL;
        pair[n++] = (digits.p[i] - '0') * 10 + digits.p[i + 1] - '0';
    }
    int *p = pair;
    if (n == 6) {
        d.year = pair[0] * 100 + pair[1];
        p += 2;
    } else if (n == 5) {
        d.year = pair[0] + (pair[0] < 69 ? 2000 : 1900);
        p += 1;
    }
    d.month = p[0];
    d.day = p[1];
    d.hour = p[2];
    d.minute = p[3];
    d.second = 0;
    if (dot >= 0) {
        if (!ascii_digit(sec.p[0]) || !ascii_digit(sec.p[1]))
            return HOB_EINVAL;
        d.second = (sec.p[0] - '0') * 10 + sec.p[1] - '0';
    }
    if (d.month < 1 || d.month > 12 || d.day < 1 || d.day > date_month_days(d.year, d.month) ||
        d.hour > 23 || d.minute > 59 || d.second > 60 || date_to_epoch(&d, zone, &t) < 0)
        return HOB_EINVAL;
    *out = t * GETDATE_SECOND;
    return 0;
}

#undef GETDATE_TELLS
#undef GETDATE_SECOND

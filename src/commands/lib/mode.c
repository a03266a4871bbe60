/* mode.c -- permission modes: parsing 755 and u+x,go-w, applying, printing */
#include "commands/lib/mode.h"

enum {
    MODE_SPECIAL = MODE_SUID | MODE_SGID | MODE_STICKY,
    MODE_ALL = 07777
};

static int mode_octal(struct str s, size_t *i, uint32_t *value)
{
    uint32_t v = 0;
    size_t start = *i;
    for (; *i < s.n && s.p[*i] >= '0' && s.p[*i] <= '7'; ++*i) {
        v = v * 8 + (uint32_t)(s.p[*i] - '0');
        if (v > MODE_ALL)
            return HOB_EINVAL;
    }
    *value = v;
    return *i > start ? 0 : HOB_EINVAL;
}

static uint32_t mode_who(char c)
{
    switch (c) {
    case 'u': return MODE_SUID | 0700;
    case 'g': return MODE_SGID | 0070;
    case 'o': return MODE_STICKY | 0007;
    case 'a': return MODE_ALL;
    default: return 0;
    }
}

/* The permission letters behind an operator. */
static void mode_letters(struct str s, size_t *i, struct mode_op *op)
{
    if (*i < s.n && (s.p[*i] == 'u' || s.p[*i] == 'g' || s.p[*i] == 'o')) {
        op->copy = s.p[(*i)++];
        return;
    }
    for (; *i < s.n; ++*i) {
        switch (s.p[*i]) {
        case 'r': op->value |= 0444; break;
        case 'w': op->value |= 0222; break;
        case 'x': op->value |= 0111; break;
        case 'X': op->execute = true; break;
        case 's': op->value |= MODE_SUID | MODE_SGID; break;
        case 't': op->value |= MODE_STICKY; break;
        default: return;
        }
    }
}

/* One part between commas: [ugoa]*([-+=]perms)+ */
static int mode_clause(struct str s, size_t *i, struct mode_change *out, size_t cap)
{
    uint32_t who = 0, bits;
    while (*i < s.n && (bits = mode_who(s.p[*i])) != 0) {
        who |= bits;
        ++*i;
    }
    if (*i == s.n)
        return HOB_EINVAL;
    while (*i < s.n && (s.p[*i] == '+' || s.p[*i] == '-' || s.p[*i] == '=')) {
        if (out->n == cap)
            return HOB_EINVAL;
        struct mode_op *op = &out->p[out->n++];
        *op = (struct mode_op){.op = s.p[(*i)++], .who = who};
        if (*i < s.n && s.p[*i] >= '0' && s.p[*i] <= '7') {
            if (who || mode_octal(s, i, &op->value) < 0 || (*i < s.n && s.p[*i] != ','))
                return HOB_EINVAL;
            op->who = op->mentioned = MODE_ALL;
        } else {
            mode_letters(s, i, op);
        }
    }
    return *i == s.n || s.p[*i] == ',' ? 0 : HOB_EINVAL;
}

int mode_parse(struct proc *p, struct str s, struct mode_change *out)
{
    size_t i = 0, cap = 1;
    uint32_t value;

    for (size_t k = 0; k < s.n; k++)
        cap += s.p[k] == '+' || s.p[k] == '-' || s.p[k] == '=';
    out->n = 0;
    out->p = arena_array(p->arena, struct mode_op, cap);
    if (!out->p)
        return HOB_ENOMEM;
    if (s.n && s.p[0] >= '0' && s.p[0] <= '7') {
        if (mode_octal(s, &i, &value) < 0 || i != s.n)
            return HOB_EINVAL;
        /* Four digits or fewer leave set-id bits of folders alone unless they are set. */
        uint32_t mentioned = s.n < 5 ? (value & MODE_SPECIAL) | 0777 | MODE_STICKY : MODE_ALL;
        out->p[out->n++] =
            (struct mode_op){.op = '=', .who = MODE_ALL, .value = value, .mentioned = mentioned};
        return 0;
    }
    if (s.n == 0)
        return HOB_EINVAL;
    for (;;) {
        size_t before = out->n;
        int r = mode_clause(s, &i, out, cap);
        if (r < 0 || out->n == before)
            return HOB_EINVAL;
        if (i == s.n)
            return 0;
        i++;
    }
}

static uint32_t mode_copy(char from, uint32_t mode)
{
    uint32_t bits = from == 'u' ? mode >> 6 : from == 'g' ? mode >> 3 : mode;
    bits &= 7;
    return bits | bits << 3 | bits << 6;
}

uint32_t mode_apply(const struct mode_change *c, uint32_t mode, bool dir, uint32_t umask)
{
    mode &= MODE_ALL;
    for (size_t i = 0; i < c->n; i++) {
        const struct mode_op *op = &c->p[i];
        uint32_t value = op->copy ? mode_copy(op->copy, mode) : op->value;
        uint32_t omit =
            dir ? (MODE_SUID | MODE_SGID) & ~(op->mentioned ? op->mentioned : value) : 0;
        if (op->execute && (dir || (mode & 0111)))
            value |= 0111;
        value &= (op->who ? op->who : ~umask) & ~omit;
        if (op->op == '+') {
            mode |= value;
        } else if (op->op == '-') {
            mode &= ~value;
        } else {
            uint32_t preserved = (op->who ? ~op->who : 0) | omit;
            mode = (mode & preserved) | value;
        }
    }
    return mode & MODE_ALL;
}

static char mode_type(uint32_t mode)
{
    switch (mode & MODE_TYPE) {
    case MODE_FILE: return '-';
    case MODE_DIR: return 'd';
    case MODE_LINK: return 'l';
    case MODE_FIFO: return 'p';
    case MODE_CHR: return 'c';
    case MODE_BLK: return 'b';
    case MODE_SOCK: return 's';
    default: return '?';
    }
}

void mode_string(uint32_t mode, char out[11])
{
    static const char letters[] = "rwxrwxrwx";
    out[0] = mode_type(mode);
    for (int i = 0; i < 9; i++)
        out[i + 1] = mode & (0400u >> i) ? letters[i] : '-';
    if (mode & MODE_SUID)
        out[3] = mode & 0100 ? 's' : 'S';
    if (mode & MODE_SGID)
        out[6] = mode & 0010 ? 's' : 'S';
    if (mode & MODE_STICKY)
        out[9] = mode & 0001 ? 't' : 'T';
    out[10] = '\0';
}

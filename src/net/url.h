/* url.h -- URLs taken apart, made canonical and joined
 *
 * Two texts that reach the same place have one canonical form, so that a policy cannot be talked
 * around: case, default ports, dot segments, escapes of plain characters, and the odd ways to
 * write an IPv4 address (0x7f.1) all come out the same.
 */
#ifndef HOB_NET_URL_H
#define HOB_NET_URL_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

struct url {
    struct str scheme;   /* "http" or "https" */
    struct str userinfo; /* before the @, "" if there is none */
    struct str host;     /* lower case; an IPv6 address without its brackets */
    int port;            /* the scheme's where the text has none */
    bool ipv6;
    struct str path; /* begins with a slash, without . and .. */
    struct str query;
    bool has_query;
};

/* Strings live in the arena. A fragment is dropped. HOB_EINVAL with a text that says what is
 * wrong. */
int url_parse(struct arena *a, struct str text, struct url *out, struct hob_error *err);
/* Appends the canonical text. */
void url_write(struct buf *b, const struct url *u);
/* What a reference found at base (a Location header) means. */
int url_join(struct arena *a, const struct url *base, struct str ref, struct url *out,
             struct hob_error *err);

#endif

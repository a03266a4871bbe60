/* policy.h -- which requests may leave, and which secrets go with them
 *
 * Every outgoing request, whoever makes it, is decided by one function from the parsed URL, and its
 * decision is recorded. What it cannot know, the address that a name stands for, the transport
 * asks about again with policy_address() before it connects.
 */
#ifndef HOB_NET_POLICY_H
#define HOB_NET_POLICY_H

#include "net/addr.h"
#include "net/http.h"
#include "net/url.h"

enum policy_mode {
    POLICY_CLOSED, /* nothing; the default */
    POLICY_LIST,   /* what a rule allows */
    POLICY_OPEN    /* everything public */
};

/* "https://api.example.com/v1" allows that path and what is below it;
 * "https://(star).example.com" every host below example.com, with a star for (star). */
struct policy_rule {
    struct str prefix;
    struct str methods; /* "GET HEAD POST"; "": GET and HEAD; a star: all */
};

/* A header that is put on requests to exactly this host, over https only unless plain is set. */
struct policy_secret {
    struct str host;
    struct str name, value;
    bool plain;
};

struct policy_decision {
    struct str method, url; /* without userinfo */
    bool allowed;
    const char *reason; /* "open", "rule", "closed", "no rule", "method", "private address" */
    size_t secrets;     /* how many headers were added */
};

struct policy {
    enum policy_mode mode;
    const struct policy_rule *rules;
    size_t nrules;
    bool private_ok; /* addresses of this machine and of private nets too */
    const struct policy_secret *secrets;
    size_t nsecrets;
    void (*record)(void *ud, const struct policy_decision *d); /* may be NULL */
    void *ud;
};

/* 0, and in *headers the secrets that belong to the host (in the arena); HOB_EDENIED with a text;
 * HOB_EINVAL for a rule that is no URL; HOB_ENOMEM. */
int policy_decide(const struct policy *p, struct arena *a, struct str method, const struct url *u,
                  struct http_header **headers, size_t *nheaders, struct hob_error *err);
/* Whether a connection to this address may be made for the URL: HOB_EDENIED if its host is a
 * name that leads to a private address. A refusal is recorded. */
int policy_address(const struct policy *p, struct heap *h, struct str method, const struct url *u,
                   const struct addr *addr, struct hob_error *err);

#endif

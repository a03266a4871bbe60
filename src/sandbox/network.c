/* network.c -- the network of a virtual sandbox, as the embedder allows it */
#include "base/error.h"
#include "sandbox/sandbox.h"

static void network_record(void *ud, const struct policy_decision *d)
{
    struct virtual_box *box = ud;
    /* Both texts have a NUL behind: the URL comes from a buffer, the method from an arena. */
    hob_net_decision told = {.method = d->method.p,
                             .url = d->url.p,
                             .allowed = d->allowed,
                             .reason = d->reason,
                             .secrets = d->secrets};
    box->network.decision(box->network.decision_ud, &told);
}

static struct str network_text(struct virtual_box *box, const char *z)
{
    return arena_str(&box->given, str_z(z ? z : ""));
}

static int network_rules(struct virtual_box *box, const hob_network *n, struct hob_error *err)
{
    hob_net_rule *given = arena_array(&box->given, hob_net_rule, n->nrules + 1);
    struct policy_rule *rules = arena_array(&box->given, struct policy_rule, n->nrules + 1);
    if (!given || !rules)
        return HOB_ENOMEM;
    for (size_t i = 0; i < n->nrules; i++) {
        if (!n->rules[i].prefix)
            return error_set(err, HOB_EINVAL, "network: rule %zu has no prefix", i);
        rules[i].prefix = network_text(box, n->rules[i].prefix);
        rules[i].methods = network_text(box, n->rules[i].methods);
        if (!rules[i].prefix.p || !rules[i].methods.p)
            return HOB_ENOMEM;
        given[i] = (hob_net_rule){rules[i].prefix.p, rules[i].methods.p};
    }
    box->network.rules = given;
    box->network.nrules = n->nrules;
    box->policy.rules = rules;
    box->policy.nrules = n->nrules;
    return 0;
}

/* A header that could not be sent is told now, not at the first request. */
static bool network_clean(const char *s)
{
    for (; s && *s; s++)
        if (*s == '\n' || *s == '\r')
            return false;
    return true;
}

static int network_secrets(struct virtual_box *box, const hob_network *n, struct hob_error *err)
{
    hob_net_secret *given = arena_array(&box->given, hob_net_secret, n->nsecrets + 1);
    struct policy_secret *secrets = arena_array(&box->given, struct policy_secret, n->nsecrets + 1);
    if (!given || !secrets)
        return HOB_ENOMEM;
    for (size_t i = 0; i < n->nsecrets; i++) {
        const hob_net_secret *s = &n->secrets[i];
        if (!s->host || !s->header || !s->value || !*s->header || !network_clean(s->header) ||
            !network_clean(s->value))
            return error_set(err, HOB_EINVAL,
                             "network: secret %zu: a host, a header and a value of one line are "
                             "wanted",
                             i);
        secrets[i] =
            (struct policy_secret){network_text(box, s->host), network_text(box, s->header),
                                   network_text(box, s->value), s->plain != 0};
        if (!secrets[i].host.p || !secrets[i].name.p || !secrets[i].value.p)
            return HOB_ENOMEM;
        given[i] =
            (hob_net_secret){secrets[i].host.p, secrets[i].name.p, secrets[i].value.p, s->plain};
    }
    box->network.secrets = given;
    box->network.nsecrets = n->nsecrets;
    box->policy.secrets = secrets;
    box->policy.nsecrets = n->nsecrets;
    return 0;
}

/* Rules that are no URLs are told when the sandbox is made. */
static int network_check(struct virtual_box *box, struct hob_error *err)
{
    struct policy probe = box->policy;
    struct http_header *headers;
    struct url u;
    size_t n;
    struct arena_mark mark = arena_mark(&box->given);
    probe.record = NULL;
    int r = url_parse(&box->given, STR("http://hob.invalid/"), &u, err);
    r = r < 0 ? r : policy_decide(&probe, &box->given, STR("GET"), &u, &headers, &n, err);
    arena_release(&box->given, mark);
    if (r == HOB_EDENIED || r == 0) {
        if (err)
            *err = (struct hob_error){0};
        return 0;
    }
    return err && err->code ? error_prefix(err, "network") : r;
}

/* TM-NET-4: without options the policy is the closed one. */
int network_set(struct virtual_box *box, const hob_network *n, struct hob_error *err)
{
    struct kernel *k = &box->kernel;
    static const enum policy_mode modes[] = {POLICY_CLOSED, POLICY_LIST, POLICY_OPEN};
    if (n->mode < 0 || (size_t)n->mode >= COUNT(modes))
        return error_set(err, HOB_EINVAL, "network: %d is no mode", n->mode);
    box->network = (hob_network){.mode = n->mode,
                                 .allow_private = n->allow_private,
                                 .decision = n->decision,
                                 .decision_ud = n->decision_ud};
    box->policy = (struct policy){.mode = modes[n->mode],
                                  .private_ok = n->allow_private != 0,
                                  .record = n->decision ? network_record : NULL,
                                  .ud = box};
    k->policy = &box->policy;
    k->ca_file = STR("");
    box->host.http = &exchange_http;
    box->host.http_ud = &box->exchanges;
    if (n->mode == HOB_NET_CLOSED && !n->decision)
        return 0;
    int r = network_rules(box, n, err);
    r = r < 0 ? r : network_secrets(box, n, err);
    if (r == 0 && n->ca_file) {
        k->ca_file = network_text(box, n->ca_file);
        box->network.ca_file = k->ca_file.p;
        r = k->ca_file.p ? 0 : HOB_ENOMEM;
    }
    return r < 0 ? r : network_check(box, err);
}

/* net.c -- URLs, addresses, the network policy, server-sent events */
#include "net/policy.h"
#include "net/sse.h"
#include "testheap.h"

static struct testheap mem;
static struct arena arena;

static void begin(void)
{
    testheap_init(&mem, SIZE_MAX);
    arena_init(&arena, &mem.heap);
}

static void end(void)
{
    arena_fini(&arena);
    CHECK_EMPTY(&mem);
}

/* ---- URLs ---- */

static void check_url(const char *text, const char *want)
{
    struct url u;
    struct hob_error err = {0};
    struct buf b;
    buf_init(&b, &mem.heap);
    int r = url_parse(&arena, str_z(text), &u, &err);
    if (r == 0)
        url_write(&b, &u);
    CHECK_STR(r < 0 ? NULL : b.p, want);
    if (r < 0)
        CHECK(err.msg[0] != '\0');
    buf_fini(&b);
}

static void test_url_canonical(void)
{
    static const char *const table[][2] = {
        {"http://example.com", "http://example.com/"},
        {" HTTPS://Example.COM:443/a ", "https://example.com/a"},
        {"http://example.com:80/?q", "http://example.com/?q"},
        {"http://example.com:8080?", "http://example.com:8080/?"},
        {"https://h/a/./b/../c#frag", "https://h/a/c"},
        {"https://h/../../x/..", "https://h/"},
        {"https://h/a/%2e%2E/b", "https://h/b"},
        {"https://h/a%2Fb/%7e/%zz/\xc3\xa9", "https://h/a%2Fb/~/%25zz/%C3%A9"},
        {"https://h/a/.", "https://h/a/"},
        {"https://h//a//b", "https://h//a//b"},
        {"https://u:p@h/x", "https://u:p@h/x"},
        {"https://a@b@h/x", "https://a@b@h/x"},
        {"http://2130706433/", "http://127.0.0.1/"},
        {"http://0x7f.1/", "http://127.0.0.1/"},
        {"http://0177.0.0.1/", "http://127.0.0.1/"},
        {"http://127.1", "http://127.0.0.1/"},
        {"http://example.com./", "http://example.com/"},
        {"http://[::1]:80/", "http://[::1]/"},
        {"http://[0:0:0:0:0:FFFF:127.0.0.1]/", "http://[::ffff:7f00:1]/"},
        {"http://[2001:DB8::1:0:0:1]/", "http://[2001:db8::1:0:0:1]/"},
        {"http://[1:2:3:4:5:6:7:8]/", "http://[1:2:3:4:5:6:7:8]/"},
        {"http://[1::]/", "http://[1::]/"},
        {"http://a_b-c.d/", "http://a_b-c.d/"},
        {"", NULL},
        {"example.com", NULL},
        {"ftp://h/", NULL},
        {"file:///etc/passwd", NULL},
        {"http://", NULL},
        {"http:///x", NULL},
        {"http://h:0/", NULL},
        {"http://h:65536/", NULL},
        {"http://h:8a/", NULL},
        {"http://h:+80/", NULL},
        {"http://a b/", NULL},
        {"http://h/\n", "http://h/"},
        {"http://h/a\rb", NULL},
        {"http://h\\@evil/", NULL},
        {"http://h%2e/", NULL},
        {"http://a..b/", NULL},
        {"http://h../", NULL},
        {"http://.h/", NULL},
        {"http://[::1/", NULL},
        {"http://[::1]x/", NULL},
        {"http://[1:2]/", NULL},
        {"http://[::1::2]/", NULL},
        {"http://[1:2:3:4:5:6:7:8:9]/", NULL},
        {"http://[1:2:3:4:5:6:7::8]/", NULL},
        {"http://1.2.3.4.5/", "http://1.2.3.4.5/"},
        {"http://256.1.1.1/", "http://256.1.1.1/"},
    };
    begin();
    for (size_t i = 0; i < COUNT(table); i++)
        check_url(table[i][0], table[i][1]);
    end();
}

static void test_url_join(void)
{
    static const char *const table[][2] = {
        {"g", "http://a/b/c/g"},
        {"./g", "http://a/b/c/g"},
        {"g/", "http://a/b/c/g/"},
        {"/g", "http://a/g"},
        {"//g", "http://g/"},
        {"?y", "http://a/b/c/d?y"},
        {"g?y", "http://a/b/c/g?y"},
        {"#s", "http://a/b/c/d?q"},
        {"", "http://a/b/c/d?q"},
        {"..", "http://a/b/"},
        {"../..", "http://a/"},
        {"../../../g", "http://a/g"},
        {"https://x/y", "https://x/y"},
        {"HTTP://X", "http://x/"},
        {"mailto:x", NULL},
        {"g:h", NULL},
        {"a b", NULL},
    };
    struct url base, u;
    begin();
    REQUIRE(url_parse(&arena, STR("http://a/b/c/d?q"), &base, NULL) == 0);
    for (size_t i = 0; i < COUNT(table); i++) {
        struct buf b;
        buf_init(&b, &mem.heap);
        int r = url_join(&arena, &base, str_z(table[i][0]), &u, NULL);
        if (r == 0)
            url_write(&b, &u);
        CHECK_STR(r < 0 ? NULL : b.p, table[i][1]);
        buf_fini(&b);
    }
    end();
}

static int torture_url(struct heap *h)
{
    struct arena a;
    struct url u;
    arena_init(&a, h);
    int r = url_parse(&a, STR("https://u@Example.com:8/a/../b%20c?q=%41"), &u, NULL);
    r = r < 0 ? r : url_join(&a, &u, STR("../x?y"), &u, NULL);
    arena_fini(&a);
    heap_gate(h);
    return r;
}

static void test_url_torture(void) { testheap_torture(torture_url); }

static void test_addr_public(void)
{
    static const struct {
        const char *text;
        bool want;
    } table[] = {
        {"8.8.8.8", true},
        {"1.1.1.1", true},
        {"127.0.0.1", false},
        {"10.1.2.3", false},
        {"172.15.0.1", true},
        {"172.16.0.1", false},
        {"172.31.255.255", false},
        {"172.32.0.1", true},
        {"192.168.0.1", false},
        {"169.254.169.254", false},
        {"100.64.0.1", false},
        {"100.128.0.1", true},
        {"0.0.0.0", false},
        {"224.0.0.1", false},
        {"255.255.255.255", false},
        {"198.18.0.1", false},
        {"::1", false},
        {"::", false},
        {"2606:4700::1111", true},
        {"fe80::1", false},
        {"fc00::1", false},
        {"fd12:3456::1", false},
        {"ff02::1", false},
        {"::ffff:8.8.8.8", true},
        {"::ffff:10.0.0.1", false},
        {"64:ff9b::7f00:1", false},
        {"64:ff9b::808:808", true},
        {"2002:7f00:1::", false},
        {"2002:808:808::", true},
        {"2001::1", false},
        {"2001:4860:4860::8888", true},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct addr addr;
        REQUIRE(addr_parse(str_z(table[i].text), &addr));
        if (addr_public(&addr) != table[i].want)
            printf("# %s\n", table[i].text);
        CHECK_EQ(addr_public(&addr), table[i].want);
    }
}

/* ---- the policy ---- */

static int recorded, recorded_allowed;
static char recorded_url[200], recorded_reason[40];

static void on_decision(void *ud, const struct policy_decision *d)
{
    (void)ud;
    recorded++;
    recorded_allowed += d->allowed;
    snprintf(recorded_url, sizeof recorded_url, "%.*s", STR_ARG(d->url));
    snprintf(recorded_reason, sizeof recorded_reason, "%s", d->reason);
}

static int decide(const struct policy *p, const char *method, const char *text, size_t *secrets)
{
    struct url u;
    struct hob_error err;
    struct http_header *headers;
    size_t n = 0;
    int r = url_parse(&arena, str_z(text), &u, &err);
    r = r < 0 ? r : policy_decide(p, &arena, str_z(method), &u, &headers, &n, &err);
    if (secrets)
        *secrets = n;
    return r;
}

static void test_policy_modes(void)
{
    struct policy p = {.record = on_decision};
    begin();
    recorded = recorded_allowed = 0;
    CHECK_EQ(decide(&p, "GET", "https://example.com/", NULL), HOB_EDENIED);
    CHECK_STR(recorded_reason, "closed");
    p.mode = POLICY_OPEN;
    CHECK_EQ(decide(&p, "DELETE", "https://u:secret@example.com/", NULL), 0);
    CHECK_STR(recorded_url, "https://example.com/");
    static const char *const inner[] = {"http://localhost/",
                                        "http://a.localhost:8080/",
                                        "http://127.1/",
                                        "http://[::1]/",
                                        "http://0xA000001/",
                                        "http://169.254.169.254/latest",
                                        "http://[::ffff:10.0.0.1]/"};
    for (size_t i = 0; i < COUNT(inner); i++) {
        p.private_ok = false;
        CHECK_EQ(decide(&p, "GET", inner[i], NULL), HOB_EDENIED);
        CHECK_STR(recorded_reason, "private address");
        p.private_ok = true;
        CHECK_EQ(decide(&p, "GET", inner[i], NULL), 0);
    }
    CHECK_EQ(recorded, 2 + 2 * (int)COUNT(inner));
    CHECK_EQ(recorded_allowed, 1 + (int)COUNT(inner));
    end();
}

static void test_policy_rules(void)
{
    static const struct policy_rule rules[] = {
        {STR_INIT("https://api.example.com/v1"), STR_INIT("GET, POST")},
        {STR_INIT("https://*.files.example.com"), STR_INIT("")},
        {STR_INIT("http://localhost:9000/"), STR_INIT("*")},
    };
    static const struct {
        const char *method, *url;
        int want;
    } table[] = {
        {"GET", "https://api.example.com/v1", 0},
        {"POST", "https://API.example.com:443/v1/x?y", 0},
        {"get", "https://api.example.com/v1/", 0},
        {"PUT", "https://api.example.com/v1/x", HOB_EDENIED},
        {"GET", "https://api.example.com/v10", HOB_EDENIED},
        {"GET", "https://api.example.com/v1/../v2", HOB_EDENIED},
        {"GET", "https://api.example.com/v1/%2e%2e/v2", HOB_EDENIED},
        {"GET", "http://api.example.com/v1", HOB_EDENIED},
        {"GET", "https://api.example.com:444/v1", HOB_EDENIED},
        {"GET", "https://api.example.com.evil.org/v1", HOB_EDENIED},
        {"GET", "https://api.example.com@evil.org/v1", HOB_EDENIED},
        {"GET", "https://a.files.example.com/x", 0},
        {"HEAD", "https://a.b.files.example.com/x", 0},
        {"POST", "https://a.files.example.com/x", HOB_EDENIED},
        {"GET", "https://files.example.com/x", HOB_EDENIED},
        {"GET", "https://evilfiles.example.com/x", HOB_EDENIED},
        {"DELETE", "http://localhost:9000/anything", 0},
    };
    struct policy p = {.mode = POLICY_LIST, .rules = rules, .nrules = COUNT(rules)};
    begin();
    for (size_t i = 0; i < COUNT(table); i++) {
        int r = decide(&p, table[i].method, table[i].url, NULL);
        if (r != table[i].want)
            printf("# %s %s\n", table[i].method, table[i].url);
        CHECK_EQ(r, table[i].want);
    }
    struct policy_rule bad = {STR_INIT("not a url"), STR_INIT("")};
    p = (struct policy){.mode = POLICY_LIST, .rules = &bad, .nrules = 1};
    CHECK_EQ(decide(&p, "GET", "https://x/", NULL), HOB_EINVAL);
    end();
}

static void test_policy_addresses(void)
{
    struct policy p = {.mode = POLICY_OPEN};
    struct url name, number;
    struct addr inner, outer;
    begin();
    REQUIRE(url_parse(&arena, STR("https://example.com"), &name, NULL) == 0);
    REQUIRE(url_parse(&arena, STR("http://10.0.0.1"), &number, NULL) == 0);
    REQUIRE(addr_parse(STR("10.0.0.1"), &inner) && addr_parse(STR("8.8.8.8"), &outer));
    CHECK_EQ(policy_address(&p, NULL, STR("GET"), &name, &outer, NULL), 0);
    CHECK_EQ(policy_address(&p, NULL, STR("GET"), &name, &inner, NULL), HOB_EDENIED);
    p.mode =
        POLICY_LIST; /* a name that a rule allows may not turn inwards; a number may be meant */
    CHECK_EQ(policy_address(&p, NULL, STR("GET"), &name, &inner, NULL), HOB_EDENIED);
    CHECK_EQ(policy_address(&p, NULL, STR("GET"), &number, &inner, NULL), 0);
    p.private_ok = true;
    CHECK_EQ(policy_address(&p, NULL, STR("GET"), &name, &inner, NULL), 0);
    end();
}

static void test_policy_secrets(void)
{
    static const struct policy_secret secrets[] = {
        {STR_INIT("api.example.com"), STR_INIT("Authorization"), STR_INIT("Bearer x"), false},
        {STR_INIT("api.example.com"), STR_INIT("X-Two"), STR_INIT("y"), true},
        {STR_INIT("other.org"), STR_INIT("X"), STR_INIT("z"), false},
    };
    struct policy p = {.mode = POLICY_OPEN, .secrets = secrets, .nsecrets = COUNT(secrets)};
    size_t n;
    begin();
    CHECK_EQ(decide(&p, "GET", "https://API.example.com/", &n), 0);
    CHECK_EQ(n, 2);
    CHECK_EQ(decide(&p, "GET", "http://api.example.com/", &n), 0);
    CHECK_EQ(n, 1);
    CHECK_EQ(decide(&p, "GET", "https://sub.api.example.com/", &n), 0);
    CHECK_EQ(n, 0);
    p.mode = POLICY_CLOSED;
    CHECK_EQ(decide(&p, "GET", "https://api.example.com/", &n), HOB_EDENIED);
    CHECK_EQ(n, 0);
    end();
}

static int torture_policy(struct heap *h)
{
    static const struct policy_rule rule = {STR_INIT("https://*.example.com/a"), STR_INIT("")};
    static const struct policy_secret secret = {STR_INIT("x.example.com"), STR_INIT("N"),
                                                STR_INIT("v"), false};
    struct policy p = {
        .mode = POLICY_LIST, .rules = &rule, .nrules = 1, .secrets = &secret, .nsecrets = 1};
    struct arena a;
    struct url u;
    struct http_header *headers;
    size_t n;
    arena_init(&a, h);
    int r = url_parse(&a, STR("https://x.example.com/a"), &u, NULL);
    r = r < 0 ? r : policy_decide(&p, &a, STR("GET"), &u, &headers, &n, NULL);
    arena_fini(&a);
    bool out = heap_gate(h) < 0; /* only the text for the record may be missing */
    return out && r >= 0 ? HOB_ENOMEM : r;
}

static void test_policy_torture(void) { testheap_torture(torture_policy); }

/* ---- server-sent events ---- */

static int collect(void *ud, struct str name, struct str data)
{
    struct buf *b = ud;
    if (str_eqz(data, "stop"))
        return HOB_EINTR;
    buf_printf(b, "<%.*s|%.*s>", STR_ARG(name), STR_ARG(data));
    return 0;
}

/* The events of a text fed in pieces of a size. */
static void check_events(const char *text, size_t n, const char *want)
{
    for (size_t size = 1; size <= n; size++) {
        struct sse s;
        struct buf b;
        int r = 0;
        sse_init(&s, &mem.heap, 1000);
        buf_init(&b, &mem.heap);
        buf_addz(&b, "");
        for (size_t at = 0; at < n && r == 0; at += size)
            r = sse_feed(&s, str_of(text + at, MIN(size, n - at)), collect, &b, NULL);
        CHECK_EQ(r, 0);
        CHECK_EQ(sse_finish(&s, collect, &b, NULL), 0);
        CHECK_STR(b.p ? b.p : "", want);
        buf_fini(&b);
        sse_fini(&s);
    }
}

static void test_sse_events(void)
{
    static const char *const table[][2] = {
        {"data: a\n\ndata: b\n\n", "<|a><|b>"},
        {"event: x\ndata: a\n\ndata: b\n\n", "<x|a><|b>"},
        {"data:a\r\ndata: b\r\n\r\ndata:  c\r\r", "<|a\nb><| c>"},
        {"\xef\xbb\xbf"
         "data: bom\n\n",
         "<|bom>"},
        {"\xef\xbb"
         "data: no bom\n\n",
         ""},
        {": comment\n\n:\n\nid: 7\nretry: 9\ndata: x\n\n", "<|x>"},
        {"event: only a name\n\ndata: y\n\n", "<|y>"},
        {"data\n\n", "<|>"},
        {"data:\ndata:\n\n", "<|\n>"},
        {"data: no empty line behind\n", "<|no empty line behind>"},
        {"data: whole\ndata: cut", "<|whole>"},
        {"unknown: x\ndata: a\n\n\n\n\n", "<|a>"},
        {"data : a\n data: b\n\n", ""},
        {"", ""},
    };
    begin();
    for (size_t i = 0; i < COUNT(table); i++)
        check_events(table[i][0], strlen(table[i][0]), table[i][1]);
    end();
}

static void test_sse_limits(void)
{
    struct sse s;
    struct buf b;
    struct hob_error err = {0};
    begin();
    buf_init(&b, &mem.heap);
    sse_init(&s, &mem.heap, 100);
    int r = 0;
    for (int i = 0; i < 50 && r == 0; i++)
        r = sse_feed(&s, STR("0123456789"), collect, &b, &err);
    CHECK_EQ(r, HOB_ELIMIT);
    CHECK(s.line.n <= 100);
    sse_fini(&s);
    sse_init(&s, &mem.heap, 100);
    for (int i = 0, again = 0; i < 50 && again == 0; i++)
        r = again = sse_feed(&s, STR("data: 0123456789\n"), collect, &b, &err);
    CHECK_EQ(r, HOB_ELIMIT);
    sse_fini(&s);
    sse_init(&s, &mem.heap, 100);
    CHECK_EQ(sse_feed(&s, STR("data: stop\n\ndata: x\n\n"), collect, &b, &err), HOB_EINTR);
    CHECK_EQ(b.n, 0);
    sse_fini(&s);
    buf_fini(&b);
    end();
}

static int torture_sse(struct heap *h)
{
    struct sse s;
    struct buf b;
    buf_init(&b, h);
    sse_init(&s, h, 1000);
    int r = sse_feed(&s, STR("event: name\nda"), collect, &b, NULL);
    r = r < 0 ? r : sse_feed(&s, STR("ta: x\ndata: y\n\n"), collect, &b, NULL);
    sse_fini(&s);
    buf_fini(&b);
    return heap_gate(h) < 0 ? HOB_ENOMEM : r;
}

static void test_sse_torture(void) { testheap_torture(torture_sse); }

UNIT_MAIN(UNIT(test_url_canonical), UNIT(test_url_join), UNIT(test_url_torture),
          UNIT(test_addr_public), UNIT(test_policy_modes), UNIT(test_policy_rules),
          UNIT(test_policy_addresses), UNIT(test_policy_secrets), UNIT(test_policy_torture),
          UNIT(test_sse_events), UNIT(test_sse_limits), UNIT(test_sse_torture))

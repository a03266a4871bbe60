/* model.c -- messages and their JSON, the catalog, models files */
#include "agent/model.h"
#include "agent/model_wire.h"
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

static struct message *read_message(const char *text)
{
    struct json *v;
    struct message *m = NULL;
    if (json_parse(&arena, str_z(text), 50, &v, NULL) == 0)
        message_read(&arena, v, &m);
    return m;
}

static void test_message_json(void)
{
    static const char *const texts[] = {
        "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\\nb\"},{\"type\":"
        "\"image\","
        "\"mimeType\":\"image/png\",\"data\":\"QQ==\"}],\"timestamp\":7}",
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"t\","
        "\"signature\":"
        "\"s\",\"id\":\"r\",\"redacted\":true},{\"type\":\"toolCall\",\"id\":\"c\",\"name\":\"n\","
        "\"arguments\":\"{bad\"}],\"model\":\"p/m\",\"usage\":{\"input\":1,\"output\":2,"
        "\"cacheRead\":3,\"cacheWrite\":4,\"totalTokens\":10,\"cost\":0.125},\"stopReason\":"
        "\"aborted\",\"errorMessage\":\"e\",\"timestamp\":0}",
        "{\"role\":\"toolResult\",\"toolCallId\":\"c\",\"toolName\":\"n\",\"content\":[],"
        "\"isError\":"
        "true,\"timestamp\":-1}",
    };
    begin();
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct buf b;
        struct message *m = read_message(texts[i]);
        REQUIRE(m);
        buf_init(&b, &mem.heap);
        message_write(&b, m);
        CHECK_STR(b.p, texts[i]);
        buf_clear(&b);
        message_write(&b, message_copy(&arena, m));
        CHECK_STR(b.p, texts[i]);
        buf_fini(&b);
    }
    CHECK(!read_message("{\"role\":\"nobody\",\"content\":[]}"));
    CHECK(!read_message("{\"role\":\"user\",\"content\":7}"));
    CHECK(!read_message("{\"role\":\"user\",\"content\":[{\"type\":\"odd\"}]}"));
    CHECK(read_message("{\"role\":\"user\",\"content\":[],\"later\":{}}"));
    end();
}

static void test_message_views(void)
{
    begin();
    struct message *m = message_text(&arena, ROLE_USER,
                                     STR("ab\xc3\xa4"
                                         "cd"));
    REQUIRE(m);
    CHECK_EQ(message_tokens(m), 2);
    struct block *b = message_add(&arena, m, BLOCK_TEXT);
    REQUIRE(b);
    b->text = STR("next");
    message_add(&arena, m, BLOCK_IMAGE);
    CHECK_EQ(message_tokens(m), (5 + 4 + 4800 + 3) / 4);
    struct buf out;
    buf_init(&out, &mem.heap);
    message_texts(&out, m);
    CHECK_STR(out.p, "ab\xc3\xa4"
                     "cd\nnext");
    buf_fini(&out);
    end();
}

static int torture_message(struct heap *h)
{
    struct arena a;
    struct json *v;
    struct message *m = NULL;
    arena_init(&a, h);
    int r =
        json_parse(&a,
                   STR("{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"x\"},"
                       "{\"type\":\"toolCall\",\"id\":\"i\",\"name\":\"n\",\"arguments\":\"{}\"}],"
                       "\"model\":\"m\"}"),
                   50, &v, NULL);
    r = r < 0 ? r : message_read(&a, v, &m);
    if (r == 0 && !message_copy(&a, m))
        r = HOB_ENOMEM;
    arena_fini(&a);
    heap_gate(h);
    return r;
}

static void test_message_torture(void) { testheap_torture(torture_message); }

/* ---- the catalog ---- */

static const char *const env[] = {"ANTHROPIC_API_KEY=canary-anthropic", "PATH=/bin",
                                  "DEPLOY_TOKEN=canary\"deploy", "SHORT_KEY=none", NULL};

static int open_catalog(struct heap *h, struct catalog **out)
{
    static const char *const headers[] = {"X-Auth: Bearer canary-header", NULL};
    static const hob_provider providers[] = {
        {.id = "lab", .wire = HOB_WIRE_CHAT, .base_url = "http://lab/v1", .headers = headers},
        {.id = "anthropic", .base_url = "https://gateway"}};
    static const hob_model models[] = {{.id = "lab/m", .window = 1000, .images = 0},
                                       {.id = "anthropic/claude-opus-4-7", .window = 42}};
    hob_agent agent = HOB_AGENT_INIT;
    agent.env = env;
    agent.providers = providers;
    agent.nproviders = COUNT(providers);
    agent.models = models;
    agent.nmodels = COUNT(models);
    return catalog_new(h, &agent, out, NULL);
}

static void test_catalog_find(void)
{
    struct catalog *c;
    const struct model *m, *again;
    struct hob_error err;
    begin();
    REQUIRE(open_catalog(&mem.heap, &c) == 0);
    REQUIRE(catalog_find(c, STR("openrouter/moonshotai/kimi-k2.6"), &m, &err) == 0);
    CHECK_MEM(m->id.p, m->id.n, "moonshotai/kimi-k2.6", 20);
    CHECK_EQ(m->wire, HOB_WIRE_CHAT);
    CHECK(m->window > 0 && m->key.n == 0 && m->key_env.n > 0);
    REQUIRE(catalog_find(c, STR("openrouter/moonshotai/kimi-k2.6"), &again, &err) == 0);
    CHECK(m == again);
    REQUIRE(catalog_find(c, STR("anthropic/claude-opus-4-7"), &m, &err) == 0);
    CHECK_EQ(m->window, 42);
    CHECK_STR(m->base_url.p, "https://gateway");
    CHECK_STR(m->key.p, "canary-anthropic");
    REQUIRE(catalog_find(c, STR("anthropic/claude-haiku-4-5-20251001"), &m, &err) == 0);
    CHECK_EQ(m->window, 200000);
    REQUIRE(catalog_find(c, STR("anthropic/claude-of-tomorrow-9"), &m, &err) == 0);
    CHECK(m->window == 0 && m->images);
    REQUIRE(catalog_find(c, STR("lab/m"), &m, &err) == 0);
    CHECK(m->window == 1000 && !m->images && m->nheaders == 1);
    CHECK_EQ(catalog_find(c, STR("claude"), &m, &err), HOB_EINVAL);
    CHECK_EQ(catalog_find(c, STR("/x"), &m, &err), HOB_EINVAL);
    CHECK_EQ(catalog_find(c, STR("lab/"), &m, &err), HOB_EINVAL);
    CHECK_EQ(catalog_find(c, STR("opnai/x"), &m, &err), HOB_ENOENT);
    CHECK(strstr(err.msg, "openai"));
    CHECK_EQ(catalog_find(c, STR("zzzzzz/x"), &m, &err), HOB_ENOENT);
    CHECK(strstr(err.msg, "lab"));
    catalog_free(c);
    end();
}

static void test_catalog_redact(void)
{
    struct catalog *c;
    struct buf b;
    struct hob_error err = {0};
    begin();
    REQUIRE(open_catalog(&mem.heap, &c) == 0);
    REQUIRE(catalog_secret(c, STR("another one")) == 0);
    buf_init(&b, &mem.heap);
    buf_addz(
        &b, "a canary-anthropic, canary\"deploy, \"canary\\\"deploy\", canary-header, another one, "
            "none /bin canary-anthropic");
    catalog_redact(c, &b);
    CHECK_STR(b.p, "a ***, ***, \"***\", ***, ***, none /bin ***");
    buf_fini(&b);
    memset(err.msg, 'x', sizeof err.msg - 1);
    memcpy(err.msg + sizeof err.msg - 1 - 9, "canary-an", 9);
    memcpy(err.msg, "canary-anthropic", 16);
    catalog_redact_error(c, &err);
    CHECK(!strstr(err.msg, "canary"));
    catalog_free(c);
    end();
}

static int torture_catalog(struct heap *h)
{
    struct catalog *c;
    const struct model *m;
    int r = open_catalog(h, &c);
    if (r == 0) {
        r = catalog_find(c, STR("lab/m"), &m, NULL);
        catalog_free(c);
    }
    heap_gate(h);
    return r;
}

static void test_catalog_torture(void) { testheap_torture(torture_catalog); }

static void test_table(void)
{
    size_t n;
    const hob_model *table = hob_models(&n);
    CHECK(n > 30);
    for (size_t i = 0; i < n; i++) {
        CHECK(strchr(table[i].id, '/') && table[i].window > 0 && table[i].output > 0);
        CHECK(table[i].output <= table[i].window && table[i].price_output >= table[i].price_input);
        for (size_t k = 0; k < i; k++)
            CHECK(strcmp(table[i].id, table[k].id) != 0);
    }
}

/* ---- models files ---- */

static void test_models_file(void)
{
    struct models_file f;
    struct hob_error err;
    begin();
    REQUIRE(models_file_parse(
                &arena,
                STR("{\"providers\":{\"local\":{\"api\":\"openai-completions\",\"baseUrl\":\"http:/"
                    "/x\","
                    "\"keyEnv\":\"K\",\"headers\":{\"A\":\"b\"}}},\"models\":{\"local/"
                    "q\":{\"window\":9,"
                    "\"output\":3,\"thinking\":true,\"images\":false,\"price\":{\"input\":0.5,"
                    "\"output\":1,\"cacheRead\":0.25}}}}"),
                &f, &err) == 0);
    CHECK_EQ(f.nproviders, 1);
    CHECK_STR(f.providers[0].id, "local");
    CHECK_EQ(f.providers[0].wire, HOB_WIRE_CHAT);
    CHECK_STR(f.providers[0].headers[0], "A: b");
    CHECK(!f.providers[0].headers[1] && !f.providers[0].key);
    CHECK_EQ(f.nmodels, 1);
    CHECK(f.models[0].window == 9 && f.models[0].thinking && !f.models[0].images);
    CHECK(f.models[0].price_input == 0.5 && f.models[0].price_cache_read == 0.25);
    CHECK_EQ(models_file_parse(&arena, STR("{}"), &f, &err), 0);
    static const char *const wrong[][2] = {
        {"{", ""},
        {"[]", "object"},
        {"{\"model\":{}}", "models"},
        {"{\"models\":[]}", "objects"},
        {"{\"models\":{\"x\":{}}}", "provider/model-id"},
        {"{\"models\":{\"a/b\":{\"windw\":1}}}",
         "models.a/b.windw: unknown key; did you mean window?"},
        {"{\"models\":{\"a/b\":{\"window\":\"1\"}}}", "models.a/b.window"},
        {"{\"models\":{\"a/b\":{\"price\":{\"input\":-1}}}}", "price"},
        {"{\"models\":{\"a/b\":{\"images\":1}}}", "true or false"},
        {"{\"providers\":{\"a\":{\"api\":\"soap\"}}}", "anthropic-messages"},
        {"{\"providers\":{\"a\":{\"headers\":{\"x\":1}}}}", "providers.a.x"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        CHECK(models_file_parse(&arena, str_z(wrong[i][0]), &f, &err) < 0);
        if (!CHECK(strstr(err.msg, wrong[i][1])))
            printf("# %s: %s\n", wrong[i][0], err.msg);
    }
    end();
}

UNIT_MAIN(UNIT(test_message_json), UNIT(test_message_views), UNIT(test_message_torture),
          UNIT(test_catalog_find), UNIT(test_catalog_redact), UNIT(test_catalog_torture),
          UNIT(test_table), UNIT(test_models_file))

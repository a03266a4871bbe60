/* containers.c -- tests of map, vec and sort */
#include "testheap.h"

#include "base/map.h"
#include "base/random.h"
#include "base/vec.h"

static struct str key_of(char *tmp, unsigned i)
{
    return str_of(tmp, (size_t)snprintf(tmp, 16, "k%u", i));
}

static void map_order(void)
{
    struct testheap t;
    struct map m;
    char tmp[16];

    testheap_init(&t, SIZE_MAX);
    map_init(&m, &t.heap);
    CHECK(map_get(&m, STR("x")) == NULL);
    CHECK(!map_del(&m, STR("x")));
    CHECK(map_next(&m, NULL) == NULL);
    for (unsigned i = 0; i < 1000; i++) {
        void **v = map_put(&m, key_of(tmp, i));
        REQUIRE(v != NULL);
        CHECK(*v == NULL);
        *v = (void *)(uintptr_t)(i + 1);
    }
    for (unsigned i = 0; i < 1000; i += 3)
        CHECK(map_del(&m, key_of(tmp, i)));
    CHECK_EQ(m.n, 666);
    REQUIRE(map_put(&m, STR("k0")) != NULL);
    unsigned want = 0, count = 0;
    for (struct map_entry *e = NULL; (e = map_next(&m, e));) {
        want += want % 3 == 0;
        count++;
        if (count <= 666) {
            CHECK(str_eq(e->key, key_of(tmp, want)));
            CHECK_EQ((uintptr_t)e->value, want + 1);
        } else {
            CHECK_STR(e->key.p, "k0");
        }
        want++;
    }
    CHECK_EQ(count, 667);
    /* Removing everything while walking. */
    for (struct map_entry *e = NULL; (e = map_next(&m, e));)
        CHECK(map_del(&m, e->key));
    CHECK_EQ(m.n, 0);
    CHECK(map_put(&m, STR("")) != NULL);
    CHECK(map_get(&m, STR("")) != NULL);
    CHECK(map_value(&m, STR("a\0b")) == NULL);
    map_fini(&m);
    CHECK_EMPTY(&t);
}

/* Against a plain array, with much coming and going. */
static void map_random(void)
{
    struct testheap t;
    struct map m;
    struct random r;
    bool have[64] = {false};
    char tmp[16];

    testheap_init(&t, SIZE_MAX);
    map_init(&m, &t.heap);
    random_seed(&r, 9);
    for (int i = 0; i < 100000; i++) {
        unsigned k = (unsigned)random_below(&r, 64);
        if (random_below(&r, 2)) {
            REQUIRE(map_put(&m, key_of(tmp, k)) != NULL);
            have[k] = true;
        } else {
            CHECK_EQ(map_del(&m, key_of(tmp, k)), have[k]);
            have[k] = false;
        }
        k = (unsigned)random_below(&r, 64);
        if (!CHECK_EQ(map_get(&m, key_of(tmp, k)) != NULL, have[k]))
            break;
    }
    CHECK(m.cap <= 128);
    map_fini(&m);
    CHECK_EMPTY(&t);
}

static int map_work(struct heap *h)
{
    struct map m;
    char tmp[16];
    map_init(&m, h);
    for (unsigned i = 0; i < 50; i++) {
        map_put(&m, key_of(tmp, i));
        if (i % 4 == 0)
            map_del(&m, key_of(tmp, i / 2));
    }
    map_fini(&m);
    return heap_gate(h);
}

static void map_torture(void) { testheap_torture(map_work); }

static int by_tens(const void *a, const void *b, void *ud)
{
    ++*(long *)ud;
    int x = *(const int *)a / 10, y = *(const int *)b / 10;
    return (x > y) - (x < y);
}

struct wide {
    int key;
    char fill[20];
};

static int by_key(const void *a, const void *b, void *ud)
{
    (void)ud;
    return ((const struct wide *)a)->key - ((const struct wide *)b)->key;
}

static void sorting(void)
{
    struct testheap t;
    struct random r;
    VEC(int) v = {0};

    testheap_init(&t, SIZE_MAX);
    random_seed(&r, 1);
    for (size_t n = 0; n < 300; n++) {
        long calls = 0;
        v.n = 0;
        for (size_t i = 0; i < n; i++)
            CHECK(vec_push(&t.heap, &v, (int)random_below(&r, 10) * 10));
        /* The last digit is the number among equals: stability shows. */
        for (size_t i = 0; i < n; i++)
            v.p[i] += (int)(i * 9 / (n + 1));
        CHECK_EQ(sort_stable(&t.heap, v.p, n, sizeof *v.p, by_tens, &calls), 0);
        for (size_t i = 1; i < n; i++) {
            if (!CHECK(v.p[i - 1] <= v.p[i]))
                break;
        }
        CHECK(calls <= (long)(n * 12));
    }
    vec_fini(&t.heap, &v);
    struct wide w[3] = {{3, "c"}, {1, "a"}, {2, "b"}};
    CHECK_EQ(sort_stable(&t.heap, w, 3, sizeof *w, by_key, NULL), 0);
    CHECK_STR(w[0].fill, "a");
    CHECK_STR(w[2].fill, "c");
    CHECK_EMPTY(&t);
}

static int vec_work(struct heap *h)
{
    struct strs v = {0};
    long calls;
    int few[20] = {9, 8, 7};
    for (int i = 0; i < 100; i++)
        (void)vec_push(h, &v, STR("x"));
    vec_fini(h, &v);
    sort_stable(h, few, COUNT(few), sizeof *few, by_tens, &calls);
    return heap_gate(h);
}

static void vec_torture(void) { testheap_torture(vec_work); }

UNIT_MAIN(UNIT(map_order), UNIT(map_random), UNIT(map_torture), UNIT(sorting), UNIT(vec_torture))

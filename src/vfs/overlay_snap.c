/* overlay_snap.c -- what changed in an overlay between two snapshots of its upper tree
 *
 * Each snapshot is compared with the backend below; a path that both name counts only if the two
 * trees differ there as well.
 */
#include "base/map.h"
#include "vfs/overlay.h"

struct overlay_snap_entry {
    bool was, is;        /* it is there in the one, in the other */
    bool in_from, in_to; /* named by the comparison of that snapshot with what is below */
    bool touched;        /* the two trees differ here */
    struct stat_info st_was, st_is;
};

struct overlay_snap {
    struct heap *heap;
    struct map paths; /* path -> struct overlay_snap_entry */
    bool second;      /* the comparison that runs is that of `to` */
};

static struct overlay_snap_entry *overlay_snap_at(struct overlay_snap *s, struct str path)
{
    void **v = map_put(&s->paths, path);
    if (v && !*v)
        *v = heap_new(s->heap, struct overlay_snap_entry);
    return v ? *v : NULL;
}

/* One path that a snapshot changed against what is below. */
static int overlay_snap_side(void *ud, struct str path, const struct stat_info *was,
                             const struct stat_info *is)
{
    struct overlay_snap *s = ud;
    struct overlay_snap_entry *e = overlay_snap_at(s, path);
    if (!e)
        return HOB_ENOMEM;
    if (s->second) {
        e->in_to = true;
        e->is = is != NULL;
        if (is)
            e->st_is = *is;
        if (!e->in_from) { /* the first one showed what is below */
            e->was = was != NULL;
            if (was)
                e->st_was = *was;
        }
        return 0;
    }
    e->in_from = true;
    e->was = is != NULL;
    if (is)
        e->st_was = *is;
    e->is = was != NULL; /* until `to` says otherwise, it shows what is below */
    if (was)
        e->st_is = *was;
    return 0;
}

static int overlay_snap_touch(void *ud, struct str path, const struct stat_info *was,
                              const struct stat_info *is)
{
    struct overlay_snap *s = ud;
    (void)was;
    (void)is;
    void **v = map_get(&s->paths, path);
    if (v && *v)
        ((struct overlay_snap_entry *)*v)->touched = true;
    return 0;
}

static int overlay_snap_compare(struct overlay_snap *s, struct fs *fs, const struct tree_snap *snap)
{
    struct fs *view = overlay_new(fs->kernel, fs_ref(overlay_below(fs)));
    if (!view)
        return HOB_ENOMEM;
    int r = tree_restore(overlay_upper(view), snap);
    if (r == 0)
        r = overlay_diff(view, overlay_snap_side, s);
    fs_unref(view);
    return r;
}

int overlay_snap_diff(struct fs *fs, const struct tree_snap *from, const struct tree_snap *to,
                      tree_diff_fn fn, void *ud)
{
    struct overlay_snap s = {.heap = &fs->kernel->heap};
    map_init(&s.paths, s.heap);
    int r = overlay_snap_compare(&s, fs, from);
    s.second = true;
    if (r == 0)
        r = overlay_snap_compare(&s, fs, to);
    if (r == 0)
        r = tree_diff(s.heap, from, to, overlay_snap_touch, &s);
    for (struct map_entry *m = NULL; (m = map_next(&s.paths, m));) {
        struct overlay_snap_entry *e = m->value;
        if (!e)
            continue;
        bool differs = (e->was || e->is) && (e->in_from != e->in_to || e->touched);
        if (r == 0 && differs)
            r = fn(ud, m->key, e->was ? &e->st_was : NULL, e->is ? &e->st_is : NULL);
        heap_drop(s.heap, e);
    }
    map_fini(&s.paths);
    return r;
}

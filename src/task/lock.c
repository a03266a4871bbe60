/* lock.c -- locks of flock(2): held by open files, on what they lead to */
#include "task/proc.h"

struct file_lock {
    struct file_lock *next;
    struct file *file; /* borrowed: closing it takes the lock away */
    uint64_t dev, ino;
    bool exclusive;
};

/* Whether somebody else stands in the way. */
static bool lock_conflicts(const struct kernel *k, const struct file *f, const struct stat_info *st,
                           bool exclusive)
{
    for (const struct file_lock *l = k->locks; l; l = l->next)
        if (l->file != f && l->dev == st->dev && l->ino == st->ino && (exclusive || l->exclusive))
            return true;
    return false;
}

int file_lock(struct file *f, struct proc *p, bool exclusive, int64_t deadline)
{
    struct kernel *k = p->kernel;
    struct stat_info st;
    int e = file_stat(f, &st);
    if (e < 0)
        return e;
    while (lock_conflicts(k, f, &st, exclusive)) {
        if (deadline == 0)
            return HOB_EAGAIN;
        e = proc_wait_on(p, &k->unlocked, deadline);
        if (e < 0)
            return e;
    }
    struct file_lock *l = k->locks;
    while (l && l->file != f)
        l = l->next;
    if (!l) {
        l = heap_new(&k->heap, struct file_lock);
        if (!l)
            return HOB_ENOMEM;
        *l = (struct file_lock){k->locks, f, st.dev, st.ino, exclusive};
        k->locks = l;
    }
    l->exclusive = exclusive;
    if (!exclusive)
        waitq_wake_all(&k->unlocked);
    return 0;
}

void file_unlock(struct file *f)
{
    struct kernel *k = f->kernel;
    for (struct file_lock **at = &k->locks; *at; at = &(*at)->next) {
        struct file_lock *l = *at;
        if (l->file != f)
            continue;
        *at = l->next;
        heap_drop(&k->heap, l);
        waitq_wake_all(&k->unlocked);
        return;
    }
}

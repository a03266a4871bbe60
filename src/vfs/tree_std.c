/* tree_std.c -- the folders and files that every sandbox begins with, in constant memory
 *
 * A new tree refers to them and owns nothing; it copies what it changes. Times are TREE_BOOT and
 * owners may be TREE_USER: both are read as what the sandbox says. The tables are in the layout of
 * tree.h: names packed at the end of each folder, sorted, found by their offset.
 */
#include "vfs/tree.h"

/* An immutable object where a table wants a plain pointer. TREE_STATIC counts keep it untouched. */
#define STD(x) ((void *)(uintptr_t)(&(x)))
#define STD_BLOB(name, text)                                                                       \
    static const struct blob name = {BLOB_STATIC, NULL, NULL, sizeof(text) - 1,                    \
                                     (char *)(uintptr_t)(text)}
#define STD_INODE(name, type, bits, who, links, up, bytes, is, member, of)                         \
    static const struct tree_inode name = {.refs = TREE_STATIC,                                    \
                                           .mode = (type) | (bits),                                \
                                           .kind = (is),                                           \
                                           .uid = (who),                                           \
                                           .gid = (who),                                           \
                                           .nlink = (links),                                       \
                                           .size = (bytes),                                        \
                                           .parent = (up),                                         \
                                           .atime = TREE_BOOT,                                     \
                                           .mtime = TREE_BOOT,                                     \
                                           .ctime = TREE_BOOT,                                     \
                                           .btime = TREE_BOOT,                                     \
                                           .u.member = (of)}
/* A folder of n names that take `bytes` in all: a struct tree_dir with its slots and names. */
#define STD_DIR(name, count, bytes)                                                                \
    static const struct {                                                                          \
        atomic_uint refs;                                                                          \
        uint32_t size;                                                                             \
        uint16_t n, low, live;                                                                     \
        uint8_t level, pad;                                                                        \
        struct tree_slot slot[count];                                                              \
        char names[(bytes) + 1];                                                                   \
    } name
#define STD_BASE(count) (sizeof(struct tree_dir) + (count) * sizeof(struct tree_slot))
#define STD_HEAD(count, bytes)                                                                     \
    TREE_STATIC, STD_BASE(count) + (bytes), (count), STD_BASE(count), (bytes), 0, 0
#define STD_SLOT(number, a, b, c, d, count, at, len, type)                                         \
    {                                                                                              \
        {number}, (uint32_t)(a) << 24 | (b) << 16 | (c) << 8 | (d), STD_BASE(count) + (at), (len), \
            (type) >> 12                                                                           \
    }
STD_BLOB(tree_std_bin_text, "usr/bin");
STD_BLOB(tree_std_lib_text, "usr/lib");
STD_BLOB(tree_std_sbin_text, "usr/sbin");
STD_BLOB(tree_std_etc_group_text, "root:x:0:\n"
                                  "daemon:x:1:\n"
                                  "tty:x:5:\n"
                                  "user:x:1000:\n"
                                  "nogroup:x:65534:\n");
STD_BLOB(tree_std_etc_hostname_text, "hob\n");
STD_BLOB(tree_std_etc_hosts_text, "127.0.0.1\tlocalhost\n"
                                  "::1\tlocalhost ip6-localhost ip6-loopback\n"
                                  "127.0.1.1\thob\n");
STD_BLOB(tree_std_etc_os_release_text, "PRETTY_NAME=\"Hob\"\n"
                                       "NAME=\"Hob\"\n"
                                       "ID=hob\n"
                                       "HOME_URL=\"about:hob\"\n");
STD_BLOB(tree_std_etc_passwd_text, "root:x:0:0:root:/root:/bin/bash\n"
                                   "daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
                                   "user:x:1000:1000:user:/home/user:/bin/bash\n"
                                   "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n");
STD_BLOB(tree_std_etc_profile_text, "# Read by login shells.\n");
STD_BLOB(tree_std_etc_resolv_conf_text, "# There is no network by default.\n");
STD_BLOB(tree_std_etc_shells_text, "/bin/sh\n"
                                   "/bin/bash\n"
                                   "/usr/bin/sh\n"
                                   "/usr/bin/bash\n");

STD_DIR(tree_std_top_names, 15, 49) = {
    STD_HEAD(15, 49),
    {
        STD_SLOT(2, 'b', 'i', 'n', 0, 15, 0, 3, MODE_LINK),
        STD_SLOT(3, 'd', 'e', 'v', 0, 15, 3, 3, MODE_DIR),
        STD_SLOT(4, 'e', 't', 'c', 0, 15, 6, 3, MODE_DIR),
        STD_SLOT(5, 'h', 'o', 'm', 'e', 15, 9, 4, MODE_DIR),
        STD_SLOT(6, 'l', 'i', 'b', 0, 15, 13, 3, MODE_LINK),
        STD_SLOT(7, 'm', 'n', 't', 0, 15, 16, 3, MODE_DIR),
        STD_SLOT(8, 'o', 'p', 't', 0, 15, 19, 3, MODE_DIR),
        STD_SLOT(9, 'p', 'r', 'o', 'c', 15, 22, 4, MODE_DIR),
        STD_SLOT(10, 'r', 'o', 'o', 't', 15, 26, 4, MODE_DIR),
        STD_SLOT(11, 'r', 'u', 'n', 0, 15, 30, 3, MODE_DIR),
        STD_SLOT(12, 's', 'b', 'i', 'n', 15, 33, 4, MODE_LINK),
        STD_SLOT(13, 's', 'r', 'v', 0, 15, 37, 3, MODE_DIR),
        STD_SLOT(14, 't', 'm', 'p', 0, 15, 40, 3, MODE_DIR),
        STD_SLOT(15, 'u', 's', 'r', 0, 15, 43, 3, MODE_DIR),
        STD_SLOT(16, 'v', 'a', 'r', 0, 15, 46, 3, MODE_DIR),
    },
    "bindevetchomelibmntoptprocrootrunsbinsrvtmpusrvar",
};
STD_DIR(tree_std_etc_names, 8, 58) = {
    STD_HEAD(8, 58),
    {
        STD_SLOT(17, 'g', 'r', 'o', 'u', 8, 0, 5, MODE_FILE),
        STD_SLOT(18, 'h', 'o', 's', 't', 8, 5, 8, MODE_FILE),
        STD_SLOT(19, 'h', 'o', 's', 't', 8, 13, 5, MODE_FILE),
        STD_SLOT(20, 'o', 's', '-', 'r', 8, 18, 10, MODE_FILE),
        STD_SLOT(21, 'p', 'a', 's', 's', 8, 28, 6, MODE_FILE),
        STD_SLOT(22, 'p', 'r', 'o', 'f', 8, 34, 7, MODE_FILE),
        STD_SLOT(23, 'r', 'e', 's', 'o', 8, 41, 11, MODE_FILE),
        STD_SLOT(24, 's', 'h', 'e', 'l', 8, 52, 6, MODE_FILE),
    },
    "grouphostnamehostsos-releasepasswdprofileresolv.confshells",
};
STD_DIR(tree_std_home_names, 1, 4) = {
    STD_HEAD(1, 4),
    {
        STD_SLOT(25, 'u', 's', 'e', 'r', 1, 0, 4, MODE_DIR),
    },
    "user",
};
STD_DIR(tree_std_usr_names, 5, 20) = {
    STD_HEAD(5, 20),
    {
        STD_SLOT(26, 'b', 'i', 'n', 0, 5, 0, 3, MODE_DIR),
        STD_SLOT(27, 'l', 'i', 'b', 0, 5, 3, 3, MODE_DIR),
        STD_SLOT(28, 'l', 'o', 'c', 'a', 5, 6, 5, MODE_DIR),
        STD_SLOT(29, 's', 'b', 'i', 'n', 5, 11, 4, MODE_DIR),
        STD_SLOT(30, 's', 'h', 'a', 'r', 5, 15, 5, MODE_DIR),
    },
    "binliblocalsbinshare",
};
STD_DIR(tree_std_var_names, 4, 14) = {
    STD_HEAD(4, 14),
    {
        STD_SLOT(31, 'c', 'a', 'c', 'h', 4, 0, 5, MODE_DIR),
        STD_SLOT(32, 'l', 'i', 'b', 0, 4, 5, 3, MODE_DIR),
        STD_SLOT(33, 'l', 'o', 'g', 0, 4, 8, 3, MODE_DIR),
        STD_SLOT(34, 't', 'm', 'p', 0, 4, 11, 3, MODE_DIR),
    },
    "cacheliblogtmp",
};
STD_DIR(tree_std_usr_local_names, 2, 6) = {
    STD_HEAD(2, 6),
    {
        STD_SLOT(35, 'b', 'i', 'n', 0, 2, 0, 3, MODE_DIR),
        STD_SLOT(36, 'l', 'i', 'b', 0, 2, 3, 3, MODE_DIR),
    },
    "binlib",
};

STD_INODE(tree_std_top, MODE_DIR, 0755, TREE_USER, 14, 1, 0, TREE_DIR, dir,
          STD(tree_std_top_names));
STD_INODE(tree_std_bin, MODE_LINK, 0777, 0, 1, 1, 7, TREE_BLOB, blob, STD(tree_std_bin_text));
STD_INODE(tree_std_dev, MODE_DIR, 0755, 0, 2, 1, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_etc, MODE_DIR, 0755, TREE_USER, 2, 1, 0, TREE_DIR, dir, STD(tree_std_etc_names));
STD_INODE(tree_std_home, MODE_DIR, 0755, 0, 3, 1, 0, TREE_DIR, dir, STD(tree_std_home_names));
STD_INODE(tree_std_lib, MODE_LINK, 0777, 0, 1, 1, 7, TREE_BLOB, blob, STD(tree_std_lib_text));
STD_INODE(tree_std_mnt, MODE_DIR, 0755, TREE_USER, 2, 1, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_opt, MODE_DIR, 0755, TREE_USER, 2, 1, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_proc, MODE_DIR, 0555, 0, 2, 1, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_root, MODE_DIR, 0700, 0, 2, 1, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_run, MODE_DIR, 0755, 0, 2, 1, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_sbin, MODE_LINK, 0777, 0, 1, 1, 8, TREE_BLOB, blob, STD(tree_std_sbin_text));
STD_INODE(tree_std_srv, MODE_DIR, 0755, TREE_USER, 2, 1, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_tmp, MODE_DIR, 01777, 0, 2, 1, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_usr, MODE_DIR, 0755, 0, 7, 1, 0, TREE_DIR, dir, STD(tree_std_usr_names));
STD_INODE(tree_std_var, MODE_DIR, 0755, 0, 6, 1, 0, TREE_DIR, dir, STD(tree_std_var_names));
STD_INODE(tree_std_etc_group, MODE_FILE, 0644, 0, 1, 4, 61, TREE_BLOB, blob,
          STD(tree_std_etc_group_text));
STD_INODE(tree_std_etc_hostname, MODE_FILE, 0644, 0, 1, 4, 4, TREE_BLOB, blob,
          STD(tree_std_etc_hostname_text));
STD_INODE(tree_std_etc_hosts, MODE_FILE, 0644, 0, 1, 4, 75, TREE_BLOB, blob,
          STD(tree_std_etc_hosts_text));
STD_INODE(tree_std_etc_os_release, MODE_FILE, 0644, 0, 1, 4, 57, TREE_BLOB, blob,
          STD(tree_std_etc_os_release_text));
STD_INODE(tree_std_etc_passwd, MODE_FILE, 0644, 0, 1, 4, 182, TREE_BLOB, blob,
          STD(tree_std_etc_passwd_text));
STD_INODE(tree_std_etc_profile, MODE_FILE, 0644, 0, 1, 4, 24, TREE_BLOB, blob,
          STD(tree_std_etc_profile_text));
STD_INODE(tree_std_etc_resolv_conf, MODE_FILE, 0644, 0, 1, 4, 34, TREE_BLOB, blob,
          STD(tree_std_etc_resolv_conf_text));
STD_INODE(tree_std_etc_shells, MODE_FILE, 0644, 0, 1, 4, 44, TREE_BLOB, blob,
          STD(tree_std_etc_shells_text));
STD_INODE(tree_std_home_user, MODE_DIR, 0755, TREE_USER, 2, 5, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_usr_bin, MODE_DIR, 0755, 0, 2, 15, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_usr_lib, MODE_DIR, 0755, 0, 2, 15, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_usr_local, MODE_DIR, 0755, 0, 4, 15, 0, TREE_DIR, dir,
          STD(tree_std_usr_local_names));
STD_INODE(tree_std_usr_sbin, MODE_DIR, 0755, 0, 2, 15, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_usr_share, MODE_DIR, 0755, 0, 2, 15, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_var_cache, MODE_DIR, 0755, 0, 2, 16, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_var_lib, MODE_DIR, 0755, 0, 2, 16, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_var_log, MODE_DIR, 0755, TREE_USER, 2, 16, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_var_tmp, MODE_DIR, 01777, 0, 2, 16, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_usr_local_bin, MODE_DIR, 0755, TREE_USER, 2, 28, 0, TREE_DIR, dir, NULL);
STD_INODE(tree_std_usr_local_lib, MODE_DIR, 0755, 0, 2, 28, 0, TREE_DIR, dir, NULL);

static const struct radix_node tree_std_leaf0 = {
    TREE_STATIC,
    {
        [1] = STD(tree_std_top),
        [2] = STD(tree_std_bin),
        [3] = STD(tree_std_dev),
        [4] = STD(tree_std_etc),
        [5] = STD(tree_std_home),
        [6] = STD(tree_std_lib),
        [7] = STD(tree_std_mnt),
        [8] = STD(tree_std_opt),
        [9] = STD(tree_std_proc),
        [10] = STD(tree_std_root),
        [11] = STD(tree_std_run),
        [12] = STD(tree_std_sbin),
        [13] = STD(tree_std_srv),
        [14] = STD(tree_std_tmp),
        [15] = STD(tree_std_usr),
        [16] = STD(tree_std_var),
        [17] = STD(tree_std_etc_group),
        [18] = STD(tree_std_etc_hostname),
        [19] = STD(tree_std_etc_hosts),
        [20] = STD(tree_std_etc_os_release),
        [21] = STD(tree_std_etc_passwd),
        [22] = STD(tree_std_etc_profile),
        [23] = STD(tree_std_etc_resolv_conf),
        [24] = STD(tree_std_etc_shells),
        [25] = STD(tree_std_home_user),
        [26] = STD(tree_std_usr_bin),
        [27] = STD(tree_std_usr_lib),
        [28] = STD(tree_std_usr_local),
        [29] = STD(tree_std_usr_sbin),
        [30] = STD(tree_std_usr_share),
        [31] = STD(tree_std_var_cache),
    },
};
static const struct radix_node tree_std_leaf1 = {
    TREE_STATIC,
    {
        [0] = STD(tree_std_var_lib),
        [1] = STD(tree_std_var_log),
        [2] = STD(tree_std_var_tmp),
        [3] = STD(tree_std_usr_local_bin),
        [4] = STD(tree_std_usr_local_lib),
    },
};
const struct radix_node tree_std_table = {TREE_STATIC, {STD(tree_std_leaf0), STD(tree_std_leaf1)}};

#undef STD
#undef STD_BLOB
#undef STD_INODE
#undef STD_DIR
#undef STD_BASE
#undef STD_HEAD
#undef STD_SLOT

/* Replaces a file that names the user or the host. */
static int tree_std_rewrite(struct tree *t, const char *path, const struct buf *b)
{
    struct tree_at a;
    struct tree_inode *n = NULL;

    if (tree_find(t, (struct cred){0, 0}, str_z(path), &a) == 0)
        n = tree_own(t, a.ino);
    if (!n)
        return HOB_ENOMEM;
    tree_data_clear(t, n);
    ptrdiff_t w = tree_data_write(t, n, 0, b->p, b->n);
    return w == (ptrdiff_t)b->n ? 0 : HOB_ENOMEM;
}

static int tree_std_user(struct tree *t, struct buf *b)
{
    const struct kernel *k = t->fs.kernel;
    const struct cred root = {0, 0};
    struct str user = k->user;
    int r = 0;

    if (k->uid == 0)
        return t->fs.ops->rmdir(&t->fs, root, STR("home/user"));
    if (!str_eqz(user, "user")) {
        buf_printf(b, "home/%.*s", STR_ARG(user));
        r = b->heap->oom ? HOB_ENOMEM
                         : t->fs.ops->rename(&t->fs, root, STR("home/user"), buf_get(b));
        buf_clear(b);
    }
    if (r == 0) {
        buf_printf(b,
                   "root:x:0:0:root:/root:/bin/bash\n"
                   "daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
                   "%.*s:x:%u:%u:%.*s:/home/%.*s:/bin/bash\n"
                   "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
                   STR_ARG(user), k->uid, k->gid, STR_ARG(user), STR_ARG(user));
        r = tree_std_rewrite(t, "etc/passwd", b);
    }
    if (r == 0) {
        buf_clear(b);
        buf_printf(b, "root:x:0:\ndaemon:x:1:\ntty:x:5:\n%.*s:x:%u:\nnogroup:x:65534:\n",
                   STR_ARG(user), k->gid);
        r = tree_std_rewrite(t, "etc/group", b);
    }
    return r;
}

/* Fits the tree to a user or a host name other than the usual ones. */
int tree_std_adapt(struct tree *t)
{
    const struct kernel *k = t->fs.kernel;
    bool user = !str_eqz(k->user, "user") || k->uid != 1000 || k->gid != 1000;
    bool host = !str_eqz(k->hostname, "hob");
    struct buf b;
    int r = 0;

    if (!user && !host)
        return 0;
    buf_init(&b, &t->fs.kernel->heap);
    if (user && k->user.n > 0)
        r = tree_std_user(t, &b);
    if (host && r == 0) {
        buf_clear(&b);
        buf_printf(&b, "%.*s\n", STR_ARG(k->hostname));
        r = tree_std_rewrite(t, "etc/hostname", &b);
    }
    if (host && r == 0) {
        buf_clear(&b);
        buf_printf(&b,
                   "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n"
                   "127.0.1.1\t%.*s\n",
                   STR_ARG(k->hostname));
        r = tree_std_rewrite(t, "etc/hosts", &b);
    }
    buf_fini(&b);
    return r;
}

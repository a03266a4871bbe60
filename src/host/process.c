/* process.c -- real processes: spawned without a copy of ours, reaped one by one */
#include "host/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int process_error(int e)
{
    static const int known[] = {
        EPERM,        ENOENT, ESRCH,     EINTR, EIO,       ENXIO,  E2BIG,  ENOEXEC, EBADF,  ECHILD,
        EAGAIN,       ENOMEM, EACCES,    EBUSY, EEXIST,    EXDEV,  ENODEV, ENOTDIR, EISDIR, EINVAL,
        ENFILE,       EMFILE, ENOTTY,    EFBIG, ENOSPC,    ESPIPE, EROFS,  EMLINK,  EPIPE,  ERANGE,
        ENAMETOOLONG, ENOSYS, ENOTEMPTY, ELOOP, EOVERFLOW, EILSEQ, ENOTSUP};
    if (e == EDQUOT)
        return HOB_ENOSPC;
    if (e == ETXTBSY)
        return HOB_EBUSY;
    for (size_t i = 0; i < COUNT(known); i++)
        if (known[i] == e)
            return -e;
    return HOB_EIO;
}

/* ---- descriptors ----------------------------------------------------------------------------- */

/* The same descriptor above 2: what is made while stdin is closed must not land there. */
static int process_above(int fd)
{
    if (fd < 0 || fd > 2)
        return fd;
    int up = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    int e = errno;
    close(fd);
    errno = e;
    return up;
}

int process_pipe(int fds[2], int ours)
{
    if (pipe2(fds, O_CLOEXEC) < 0)
        return process_error(errno);
    fds[0] = process_above(fds[0]);
    fds[1] = process_above(fds[1]);
    if (fds[0] >= 0 && fds[1] >= 0 && fcntl(fds[ours], F_SETFL, O_NONBLOCK) == 0)
        return 0;
    int e = errno;
    for (int i = 0; i < 2; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    return process_error(e);
}

int process_null(int flags)
{
    int fd = process_above(open("/dev/null", flags | O_CLOEXEC));
    return fd < 0 ? process_error(errno) : fd;
}

int process_text(const void *data, size_t n)
{
    int fd = process_above(memfd_create("hob", MFD_CLOEXEC));
    if (fd < 0)
        return process_error(errno);
    for (const char *at = data; n > 0;) {
        ssize_t put = write(fd, at, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            int e = errno;
            close(fd);
            return process_error(e);
        }
        at += put;
        n -= (size_t)put;
    }
    if (lseek(fd, 0, SEEK_SET) == 0)
        return fd;
    close(fd);
    return HOB_EIO;
}

/* SIGPIPE is held back for the write, and taken away if the write raised it. */
ptrdiff_t process_write(int fd, const void *data, size_t n)
{
    sigset_t pipe, before, pending;
    struct timespec none = {0};
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&pending);
    bool had = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    ssize_t put = write(fd, data, n);
    int e = errno;
    if (put < 0 && e == EPIPE && !had)
        while (sigtimedwait(&pipe, NULL, &none) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return put < 0 ? process_error(e) : put;
}

/* ---- processes ------------------------------------------------------------------------------- */

bool process_find(const char *path, const char *name, char *dst, size_t cap)
{
    size_t len = strlen(name);
    while (*path) {
        size_t n = strcspn(path, ":");
        struct stat st;
        if (n && path[0] == '/' && n + len + 2 <= cap) { /* relative folders are no place to look */
            memcpy(dst, path, n);
            dst[n] = '/';
            memcpy(dst + n + 1, name, len + 1);
            if (stat(dst, &st) == 0 && S_ISREG(st.st_mode) && access(dst, X_OK) == 0)
                return true;
        }
        path += n + (path[n] == ':');
    }
    return false;
}

static int process_actions(posix_spawn_file_actions_t *a, const struct process_spec *s)
{
    int e = posix_spawn_file_actions_init(a);
    if (e)
        return e;
    for (int i = 0; i < 3 && !e; i++)
        e = posix_spawn_file_actions_adddup2(a, s->fds[i], i);
    if (!e && s->extra >= 0)
        e = posix_spawn_file_actions_adddup2(a, s->extra, 3);
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
    if (!e) /* TM-LOC-5: what the program forgot to mark is not for the sandbox */
        e = posix_spawn_file_actions_addclosefrom_np(a, s->extra >= 0 ? 4 : 3);
#endif
    if (!e)
        e = posix_spawn_file_actions_addchdir_np(a, s->cwd);
    if (e)
        posix_spawn_file_actions_destroy(a);
    return e;
}

int process_spawn(const struct process_spec *s, int *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    sigset_t none, all;
    int e = process_actions(&actions, s);
    if (e)
        return process_error(e);
    e = posix_spawnattr_init(&attr);
    if (!e) {
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attr, &none);
        posix_spawnattr_setsigdefault(&attr, &all);
        posix_spawnattr_setpgroup(&attr, 0);
        posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                            POSIX_SPAWN_SETSIGDEF);
        pid_t p;
        e = posix_spawn(&p, s->file, &actions, &attr, (char *const *)s->argv,
                        (char *const *)s->envp);
        *pid = (int)p;
        posix_spawnattr_destroy(&attr);
    }
    posix_spawn_file_actions_destroy(&actions);
    return e ? process_error(e) : 0;
}

int process_watch(int pid)
{
#ifdef SYS_pidfd_open
    return process_above((int)syscall(SYS_pidfd_open, pid, 0));
#else
    (void)pid;
    return -1;
#endif
}

int process_reap(int pid, int *status, int *signal)
{
    int w;
    pid_t r;
    do
        r = waitpid(pid, &w, WNOHANG);
    while (r < 0 && errno == EINTR);
    if (r <= 0)
        return r < 0 ? process_error(errno) : 0;
    *signal = WIFSIGNALED(w) ? WTERMSIG(w) : 0;
    *status = WIFSIGNALED(w) ? 128 + *signal : WEXITSTATUS(w);
    return 1;
}

int process_signal(int pid, int sig) { return kill(pid, sig) == 0 ? 0 : process_error(errno); }

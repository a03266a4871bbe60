/* process.h -- real processes: spawned without a copy of ours, reaped one by one
 *
 * Nothing here touches the handlers of the embedding program or its own children: only pids that
 * process_spawn() gave are ever waited for.
 */
#ifndef HOB_HOST_PROCESS_H
#define HOB_HOST_PROCESS_H

#include "base/types.h"
#include "hob.h"

struct process_spec {
    const char *file; /* absolute */
    const char *const *argv, *const *envp;
    const char *cwd;
    int fds[3]; /* stdin, stdout, stderr; stay the caller's */
    int extra;  /* >= 0: becomes descriptor 3; every other one is closed */
};

int process_error(int e); /* errno as one of our numbers */
/* Starts it as the leader of a process group of its own, signals as a fresh program has them. */
int process_spawn(const struct process_spec *s, int *pid);
int process_watch(int pid); /* a descriptor that is readable once it has ended; -1: not here */
/* 1 when it has ended, with its status (128 + n after signal n); 0 while it runs; an error when
 * somebody else took the status away. It is gone after 1 and after an error. */
int process_reap(int pid, int *status, int *signal);
int process_signal(int pid, int sig); /* pid < 0: the group */
/* A pipe, both ends above the three standard descriptors and closed on exec. `ours` (0 or 1) is the
 * end that never blocks. */
int process_pipe(int fds[2], int ours);
/* Writes without a SIGPIPE for the program: the number of bytes, or an error. */
ptrdiff_t process_write(int fd, const void *data, size_t n);
/* A file in memory with this text, read from its start; a descriptor or an error. */
int process_text(const void *data, size_t n);
int process_null(int flags); /* /dev/null, above the standard descriptors */
/* The first executable file of this name in a list of folders such as PATH has: false if there is
 * none. dst gets its absolute path. */
bool process_find(const char *path, const char *name, char *dst, size_t cap);

#endif

/* hob.h -- Hob: a place to work for AI agents: files, a shell, and what acts there
 * SPDX-License-Identifier: Apache-2.0
 *
 * This header is the whole interface of libhob and its manual.
 *
 *     hob_sandbox *box;
 *     hob_result res;
 *     hob_sandbox_new(NULL, &box, NULL);
 *     hob_exec(box, "echo hello | tr a-z A-Z", NULL, &res);
 *     fwrite(res.out, 1, res.out_len, stdout);
 *     hob_result_free(&res);
 *     hob_sandbox_free(box);
 *
 * Rules that hold everywhere
 *
 *  - Results of type int are >= 0 for success or a negative HOB_E... number. Functions that can
 *    say more take a `hob_error *`, which may be NULL.
 *  - Strings are UTF-8 or any bytes; where a length is given they may hold NUL. A length of
 *    HOB_Z says that the string ends at its NUL.
 *  - A handle is used by one thread at a time; different handles may be used by different threads
 *    without a lock, forks of one sandbox included. hob_interrupt() alone may come from anywhere.
 *  - Every struct that the caller fills begins with `size`; fill structs with {0} and set
 *    `size = sizeof(...)`, or use the HOB_..._INIT macro. Zero means the default in every field.
 *  - What a function returns through a pointer belongs to the caller unless it says "borrowed".
 *  - Nothing is read from the host that was not handed in: no environment, no files, no locale.
 */
#ifndef HOB_H
#define HOB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HOB_VERSION_MAJOR 0
#define HOB_VERSION_MINOR 1
#define HOB_VERSION_PATCH 0
#define HOB_VERSION "0.1.0"

#ifndef HOB_API
#if defined(__GNUC__)
#define HOB_API __attribute__((visibility("default")))
#else
#define HOB_API
#endif
#endif

#define HOB_Z ((size_t)-1) /* "this string ends at its NUL" */

/* The version of the library that runs, "0.1.0". */
HOB_API const char *hob_version(void);

/* ------------------------------------------------------------------------------------------------
 * Errors
 *
 * Numbers with a unix counterpart have its Linux value, negated. They never change.
 */
enum {
    HOB_OK = 0,
    HOB_EPERM = -1,
    HOB_ENOENT = -2,
    HOB_ESRCH = -3,
    HOB_EINTR = -4,
    HOB_EIO = -5,
    HOB_ENXIO = -6,
    HOB_E2BIG = -7,
    HOB_ENOEXEC = -8,
    HOB_EBADF = -9,
    HOB_ECHILD = -10,
    HOB_EAGAIN = -11,
    HOB_ENOMEM = -12,
    HOB_EACCES = -13,
    HOB_EBUSY = -16,
    HOB_EEXIST = -17,
    HOB_EXDEV = -18,
    HOB_ENODEV = -19,
    HOB_ENOTDIR = -20,
    HOB_EISDIR = -21,
    HOB_EINVAL = -22,
    HOB_ENFILE = -23,
    HOB_EMFILE = -24,
    HOB_ENOTTY = -25,
    HOB_EFBIG = -27,
    HOB_ENOSPC = -28,
    HOB_ESPIPE = -29,
    HOB_EROFS = -30,
    HOB_EMLINK = -31,
    HOB_EPIPE = -32,
    HOB_ERANGE = -34,
    HOB_ENAMETOOLONG = -36,
    HOB_ENOSYS = -38,
    HOB_ENOTEMPTY = -39,
    HOB_ELOOP = -40,
    HOB_ENODATA = -61,
    HOB_EPROTO = -71,
    HOB_EOVERFLOW = -75,
    HOB_EILSEQ = -84,
    HOB_ENOTSUP = -95,
    HOB_ETIMEDOUT = -110,
    HOB_ECONNREFUSED = -111,
    HOB_EHOSTUNREACH = -113,
    HOB_ECANCELED = -125,
    /* Hob's own */
    HOB_EBUG = -201,        /* a mistake in Hob itself */
    HOB_EMISUSE = -202,     /* a call that the state of the handle does not allow */
    HOB_ELIMIT = -203,      /* a limit was reached; the text names it */
    HOB_ESYNTAX = -204,     /* a script or an input that cannot be parsed */
    HOB_EDENIED = -205,     /* refused by policy */
    HOB_EKILLED = -206,     /* the process was ended by a signal while it waited */
    HOB_EDIED = -207,       /* the sandbox is gone */
    HOB_ECONFLICT = -208,   /* what was to be applied no longer fits */
    HOB_EAUTH = -209,       /* model: the key is missing, wrong or not allowed to */
    HOB_ERATE = -210,       /* model: too many requests, or no credit left */
    HOB_EOVERLOADED = -211, /* model: the provider has no capacity now */
    HOB_ECONTEXT = -212,    /* model: the conversation is longer than its window */
    HOB_EREFUSED = -213,    /* model: it declined to answer */
    HOB_ENETWORK = -214,    /* the connection failed or was cut */
    HOB_EMODEL = -215,      /* model: any other answer that cannot be used */
    HOB_ERESULT = -216      /* the model gave up, or never gave the result that was asked for */
};

typedef struct hob_error {
    int code;
    char msg[240];
} hob_error;

HOB_API const char *hob_error_name(int code); /* "ENOENT" */
HOB_API const char *hob_error_text(int code); /* "No such file or directory" */

/* ------------------------------------------------------------------------------------------------
 * Memory
 *
 * One function for everything, as in Lua: p == NULL allocates n bytes, n == 0 frees, else resizes;
 * osize is the size that was asked for before. It returns NULL when it cannot. It must be safe to
 * call from several threads when sandboxes or their forks live on several.
 */
typedef void *(*hob_alloc_fn)(void *ud, void *p, size_t osize, size_t n);

/* ------------------------------------------------------------------------------------------------
 * Limits
 *
 * Reaching one is an error that names it, never silence. 0 is the default, HOB_UNLIMITED none.
 */
#define HOB_UNLIMITED UINT64_MAX

typedef struct hob_limits {
    size_t size;
    uint64_t memory;    /* bytes for everything, files included (default 1 GiB) */
    uint64_t fuel;      /* steps of the interpreter per call (default unlimited) */
    uint64_t output;    /* bytes of captured stdout + stderr per call (default 256 MiB) */
    uint64_t files;     /* files and folders in the tree (default 1,000,000) */
    uint64_t file_size; /* bytes in one file (default: the memory limit; holes are free) */
    uint64_t processes; /* virtual processes alive at once (default 1,024) */
    uint64_t fds;       /* open descriptors in one process (default 1,024) */
    uint64_t stack;     /* bytes of stack of one process (default 8 MiB) */
    uint64_t script;    /* bytes of one script text (default 64 MiB) */
    uint64_t depth;     /* nesting of syntax, functions, substitutions (default: by the stack) */
} hob_limits;

/* What a sandbox has used. */
typedef struct hob_usage {
    size_t size;
    uint64_t memory;      /* bytes now, files included */
    uint64_t memory_peak; /* the most so far */
    uint64_t files;       /* files and folders in the tree */
    uint64_t file_bytes;  /* bytes their contents take */
    uint64_t processes;   /* alive now (0 when idle) */
    uint64_t fuel;        /* steps since the sandbox was made */
    uint64_t commands;    /* commands run since then */
} hob_usage;

/* ------------------------------------------------------------------------------------------------
 * Files handed in
 */
enum {
    HOB_FILE = 0,        /* data and len are its contents */
    HOB_DIR = 1,         /* an empty folder */
    HOB_SYMLINK = 2,     /* data and len are the target */
    HOB_FILE_STATIC = 3, /* as HOB_FILE, but the bytes are borrowed for as long as any sandbox made
                            with them, or any fork or snapshot of it, lives */
    HOB_LAZY = 4         /* read(ud, ...) gives the contents when the file is first looked at */
};

typedef struct hob_bytes {
    char *data; /* freed with hob_free() */
    size_t len;
} hob_bytes;

/* Gives the contents of a lazy file: *out is filled by the callback with hob_alloc()ed bytes.
 * 0 or a negative number. */
typedef int (*hob_lazy_fn)(void *ud, const char *path, hob_bytes *out);

typedef struct hob_file {
    const char *path; /* relative paths start at cwd; missing folders are made */
    const void *data;
    size_t len;    /* HOB_Z: data is a C string */
    uint32_t mode; /* permission bits; 0: 0644, folders 0755 */
    uint32_t kind; /* HOB_FILE ... */
    hob_lazy_fn read;
    void *ud;
} hob_file;

/* ------------------------------------------------------------------------------------------------
 * A sandbox
 */
typedef struct hob_sandbox hob_sandbox;
typedef struct hob_snapshot hob_snapshot;
typedef struct hob_shell hob_shell;
typedef struct hob_job hob_job;
typedef struct hob_cmd hob_cmd;

enum {
    HOB_CLOCK_REAL = 0,   /* the machine's clock, UTC */
    HOB_CLOCK_VIRTUAL = 1 /* starts at clock_start; when everything sleeps it jumps to the next
                             timer, so `sleep 3600` takes no time. Work moves it only while a timer
                             or a deadline waits, by 100 ns a unit of fuel: `timeout 1 COMMAND`
                             ends what never sleeps, after the same work each time */
};

/* What may leave the sandbox: curl, wget and whatever else makes requests. Each one, and each
 * redirect it meets, is decided by its URL and then by the address that its host stands for.
 * docs/sandboxes.md says more. */
enum {
    HOB_NET_CLOSED = 0, /* nothing */
    HOB_NET_LIST = 1,   /* what a rule allows */
    HOB_NET_OPEN = 2    /* everything but private addresses */
};

typedef struct hob_net_rule {
    /* "https://api.example.com/v1" allows that path and what is below it; a host that begins with
     * "*." stands for every host below the rest. */
    const char *prefix;
    const char *methods; /* "GET HEAD POST"; NULL: GET and HEAD; "*": all */
} hob_net_rule;

/* A header that requests to exactly this host get outside of the sandbox, over https alone unless
 * plain is set. Nothing inside can read it; a server that sends it back reveals it. */
typedef struct hob_net_secret {
    const char *host;
    const char *header, *value; /* "Authorization", "Bearer ..." */
    int plain;                  /* != 0: over http too */
} hob_net_secret;

typedef struct hob_net_decision {
    const char *method, *url; /* the URL without a password */
    int allowed;
    const char *reason; /* "open", "rule", "closed", "no rule", "method", "private address" */
    size_t secrets;     /* headers that were added */
} hob_net_decision;

typedef struct hob_network {
    int mode; /* HOB_NET_... */
    const hob_net_rule *rules;
    size_t nrules;
    int allow_private; /* != 0: addresses of this machine and of private nets, too */
    const hob_net_secret *secrets;
    size_t nsecrets;
    const char *ca_file; /* PEM certificates that are trusted; NULL: the system's */
    /* Every decision, for logs. Called on the thread that steps the sandbox; it must not use it. */
    void (*decision)(void *ud, const hob_net_decision *d);
    void *decision_ud;
} hob_network;

typedef struct hob_options {
    size_t size;
    const hob_file *files; /* what the sandbox starts with */
    size_t nfiles;
    const char *const *env; /* "NAME=value", ended by NULL; beside HOME, PATH, PWD ... */
    const char *cwd;        /* default: /home/user */
    const char *user;       /* default: user */
    uint32_t uid, gid;      /* default: 1000, 1000 */
    const char *hostname;   /* default: hob */
    int clock;              /* HOB_CLOCK_... */
    int64_t clock_start;    /* nanoseconds since 1970 (virtual clock) */
    uint64_t seed;          /* != 0: everything random comes from it, so a run repeats exactly */
    hob_limits limits;
    hob_alloc_fn alloc; /* default: malloc, realloc and free */
    void *alloc_ud;
    hob_network network; /* closed unless it is opened */
} hob_options;

/* clang-format off */
#ifdef __cplusplus
#define HOB_OPTIONS_INIT {sizeof(hob_options)}
#define HOB_EXEC_OPTIONS_INIT {sizeof(hob_exec_options)}
#else
#define HOB_OPTIONS_INIT {.size = sizeof(hob_options)}
#define HOB_EXEC_OPTIONS_INIT {.size = sizeof(hob_exec_options)}
#endif
/* clang-format on */

/* opt may be NULL. On failure *out is NULL. */
HOB_API int hob_sandbox_new(const hob_options *opt, hob_sandbox **out, hob_error *err);
/* Ends whatever runs in it and frees it. NULL is allowed. Snapshots stay usable. */
HOB_API void hob_sandbox_free(hob_sandbox *box);
HOB_API int hob_sandbox_usage(hob_sandbox *box, hob_usage *out);
/* The working folder that relative paths of this handle start from (borrowed). */
HOB_API const char *hob_sandbox_cwd(hob_sandbox *box);

/* Frees what Hob allocated for the caller (file contents, lists). */
HOB_API void hob_free(void *p);
/* Allocates what a callback hands to Hob. */
HOB_API void *hob_alloc(size_t n);

/* ------------------------------------------------------------------------------------------------
 * Running commands
 */
enum {
    HOB_STDOUT = 1,
    HOB_STDERR = 2
};

/* Output as it is produced. A result < 0 ends the run with that error. */
typedef int (*hob_output_fn)(void *ud, int stream, const void *data, size_t len);
/* Input when the script asks for it: the number of bytes put at dst, 0 at the end, HOB_EAGAIN if
 * there are none yet (the run then waits for the host, see hob_step()), or another error. */
typedef ptrdiff_t (*hob_input_fn)(void *ud, void *dst, size_t cap);

typedef struct hob_exec_options {
    size_t size;
    const char *cwd;        /* relative ones start at the sandbox's; default: the sandbox's */
    const char *const *env; /* "NAME=value" added for this call; "NAME" alone removes */
    int replace_env;        /* != 0: env is the whole environment */
    const void *input;      /* stdin, as from a pipe; with neither input nor read it is /dev/null */
    size_t input_len;
    hob_input_fn read;
    void *read_ud;
    const char *const *argv; /* != NULL: the words of one command, no shell syntax; script is then
                                not looked at */
    const char *const *args; /* $1, $2 ... of the script, ended by NULL */
    const char *name;        /* $0, default "bash" */
    int64_t timeout_ns;      /* > 0: after so long the run ends with status 124 */
    hob_output_fn output;    /* instead of capturing */
    void *output_ud;
    int merge;         /* != 0: stderr goes where stdout goes */
    int tty;           /* != 0: stdin, stdout and stderr look like a terminal */
    uint64_t fuel;     /* for this call; 0: as the sandbox's */
    size_t script_len; /* length of the script; 0 or HOB_Z: to its NUL */
} hob_exec_options;

/* Which limit ended a run. */
enum {
    HOB_LIMIT_NONE = 0,
    HOB_LIMIT_TIME,
    HOB_LIMIT_FUEL,
    HOB_LIMIT_MEMORY,
    HOB_LIMIT_OUTPUT,
    HOB_LIMIT_INTERRUPT, /* hob_interrupt() */
    HOB_LIMIT_STACK,
    HOB_LIMIT_PROCESSES,
    HOB_LIMIT_DEADLOCK /* every process waits for another, and nothing can wake them */
};

typedef struct hob_result {
    int status;      /* exit status as bash gives it: 0..255, 124 at a deadline */
    int signal;      /* the signal that ended the script, or 0 */
    int limit;       /* HOB_LIMIT_... */
    char *out, *err; /* what was captured, with a NUL behind; never NULL after success */
    size_t out_len, err_len;
    int truncated;     /* != 0: the output limit cut it */
    int64_t time_ns;   /* how long it took, by the sandbox's clock */
    uint64_t fuel;     /* steps it took */
    char message[120]; /* names the limit that was reached; empty if none */
} hob_result;

HOB_API void hob_result_free(hob_result *res);

/* Runs a script to its end in a fresh shell: only files outlive the call. Returns 0 for every
 * script that ended, whatever its status; an error only when it could not be run. */
HOB_API int hob_exec(hob_sandbox *box, const char *script, const hob_exec_options *opt,
                     hob_result *res);

/* The same in steps, so that one thread can drive many sandboxes.
 *
 *     hob_job *job;
 *     hob_exec_start(box, script, NULL, &job, NULL);
 *     while (hob_step(box, 0) == HOB_STEP_MORE || !hob_job_done(job))
 *         ... hob_wait_for(box, &w), wait until w.until_ns or for input ...
 *     hob_job_finish(job, &res);
 *
 * Several jobs may run in one sandbox at the same time; they share its files. */
enum {
    HOB_STEP_IDLE = 0, /* nothing is left to run */
    HOB_STEP_MORE = 1, /* the slice is over, there is more to do */
    HOB_STEP_WAIT = 2  /* everything waits: for a timer, the network, or input that had
                          HOB_EAGAIN */
};
HOB_API int hob_exec_start(hob_sandbox *box, const char *script, const hob_exec_options *opt,
                           hob_job **out, hob_error *err);
/* Runs for about `fuel` steps (0: a default slice). */
HOB_API int hob_step(hob_sandbox *box, uint64_t fuel);

typedef struct hob_pending {
    size_t size;
    int64_t until_ns; /* nanoseconds from now until the next timer; -1: none */
    int input;        /* != 0: some job waits for its read callback to have data */
    int fd;           /* >= 0: poll it for reading too (the network, other kinds); -1: none */
} hob_pending;
/* What the next step waits for. It is asked again after each step: fd knows what was asked for. */
HOB_API int hob_wait_for(hob_sandbox *box, hob_pending *out);
/* Waits on the host until a step has something to do, or at most max_ns. */
HOB_API int hob_wait(hob_sandbox *box, int64_t max_ns);

HOB_API int hob_job_done(const hob_job *job); /* 1 when the script ended */
/* Ends the job if it still runs (as SIGKILL would), fills res (may be NULL) and frees the job.
 * After an error res holds what there was until then; hob_result_free() is always right. */
HOB_API int hob_job_finish(hob_job *job, hob_result *res);
HOB_API int hob_job_pid(const hob_job *job);
/* What was captured since the last call of this function (hob_free() it). */
HOB_API int hob_job_read(hob_job *job, int stream, hob_bytes *out);
HOB_API int hob_job_signal(hob_job *job, int sig);

/* Processes that outlived their call (`server &`), and those of running jobs. */
typedef struct hob_process {
    int pid, ppid, pgid;
    char state;       /* 'R' can run, 'S' waits, 'T' stopped, 'Z' ended and not awaited */
    char command[59]; /* cut to fit */
    int64_t start_ns;
} hob_process;
HOB_API int hob_processes(hob_sandbox *box, hob_process **out, size_t *n); /* hob_free(*out) */
HOB_API int hob_kill(hob_sandbox *box, int pid, int sig); /* pid < 0: the process group */
/* Output that background processes wrote after their call had ended. hob_free() it. */
HOB_API int hob_background_output(hob_sandbox *box, int stream, hob_bytes *out);

/* Ends what runs in the sandbox as soon as possible, from any thread. The runs end with status 130
 * and HOB_LIMIT_INTERRUPT. Nothing happens when nothing runs. */
HOB_API void hob_interrupt(hob_sandbox *box);

/* ------------------------------------------------------------------------------------------------
 * A shell that stays: variables, functions, options and cwd carry over from call to call.
 */
HOB_API int hob_shell_open(hob_sandbox *box, const hob_exec_options *opt, hob_shell **out,
                           hob_error *err);
HOB_API void hob_shell_close(hob_shell *sh);
/* opt: input, read, timeout, output, merge, fuel, args and script_len count; the others were set
 * when the shell was opened. res->status is $?. After `exit` hob_shell_exited() is 1. */
HOB_API int hob_shell_exec(hob_shell *sh, const char *script, const hob_exec_options *opt,
                           hob_result *res);
HOB_API int hob_shell_exec_start(hob_shell *sh, const char *script, const hob_exec_options *opt,
                                 hob_job **out, hob_error *err);
HOB_API int hob_shell_exited(const hob_shell *sh);
HOB_API const char *hob_shell_cwd(hob_shell *sh); /* borrowed */
/* The expanded prompt (PS1, or PS2 with more != 0). hob_free() it. */
HOB_API int hob_shell_prompt(hob_shell *sh, int more, hob_bytes *out);
/* 1 if the text is a whole command, 0 if it wants more lines (an open quote, a `do`), HOB_ESYNTAX
 * if it can never be one. */
HOB_API int hob_shell_complete_text(hob_shell *sh, const char *text, size_t len);
/* Words that could stand at byte `at` of the line: commands or paths, one per line. */
HOB_API int hob_shell_completions(hob_shell *sh, const char *line, size_t at, hob_bytes *out);

/* ------------------------------------------------------------------------------------------------
 * Files from outside. Relative paths start at the handle's cwd, and ".." is taken by the letter;
 * the caller acts as the sandbox's user. They may be called while jobs are between two steps.
 */
typedef struct hob_stat_t {
    uint32_t mode; /* type and permission bits as in unix: 0100644, 040755, 0120777 ... */
    uint32_t uid, gid, nlink;
    uint64_t ino, bytes; /* bytes: the size */
    int64_t atime_ns, mtime_ns, ctime_ns;
} hob_stat_t;

typedef struct hob_dirent {
    char *name;
    uint32_t mode; /* type bits */
} hob_dirent;

enum {
    HOB_RECURSIVE = 1, /* mkdir -p, rm -r */
    HOB_FORCE = 2,     /* rm -f: a missing path is no error */
    HOB_APPEND = 4     /* a driver's write: behind what is there */
};

HOB_API int hob_read(hob_sandbox *box, const char *path, hob_bytes *out); /* with a NUL behind */
/* Creates or replaces; missing folders are made. So does append. */
HOB_API int hob_write(hob_sandbox *box, const char *path, const void *data, size_t len);
HOB_API int hob_append(hob_sandbox *box, const char *path, const void *data, size_t len);
HOB_API int hob_stat(hob_sandbox *box, const char *path, hob_stat_t *out);
HOB_API int hob_lstat(hob_sandbox *box, const char *path, hob_stat_t *out);
HOB_API int hob_exists(hob_sandbox *box, const char *path); /* 1 or 0, never an error */
/* Sorted by name, without . and .. ; free with hob_free() (one block). */
HOB_API int hob_readdir(hob_sandbox *box, const char *path, hob_dirent **out, size_t *n);
HOB_API int hob_mkdir(hob_sandbox *box, const char *path, int flags);
HOB_API int hob_rm(hob_sandbox *box, const char *path, int flags);
HOB_API int hob_rename(hob_sandbox *box, const char *from, const char *to);
HOB_API int hob_symlink(hob_sandbox *box, const char *target, const char *path);
HOB_API int hob_readlink(hob_sandbox *box, const char *path, hob_bytes *out);
HOB_API int hob_chmod(hob_sandbox *box, const char *path, uint32_t mode);
/* Calls fn for the path and everything below, folders before what is in them, sorted. A result
 * != 0 of fn ends the walk and is returned. */
typedef int (*hob_walk_fn)(void *ud, const char *path, const hob_stat_t *st);
HOB_API int hob_walk(hob_sandbox *box, const char *path, hob_walk_fn fn, void *ud);

/* ------------------------------------------------------------------------------------------------
 * Mounts, live
 */
enum {
    HOB_MOUNT_RO = 0,      /* a folder of the host, never written */
    HOB_MOUNT_RW = 1,      /* a folder of the host, written */
    HOB_MOUNT_OVERLAY = 2, /* a folder of the host below, never written; changes stay in memory */
    HOB_MOUNT_COPY = 3,    /* copied into the tree once; the host is not looked at again */
    HOB_MOUNT_MEMORY = 4,  /* an empty tree of its own */
    HOB_MOUNT_LAZY = 5     /* a folder by callbacks */
};

/* A folder that is asked for when it is looked at. list gives names separated by '\n', folders
 * with a '/' behind; read gives contents. Both get paths relative to the mount ("" is its root). */
typedef struct hob_lazy_dir {
    size_t size;
    hob_lazy_fn list;
    hob_lazy_fn read;
    void *ud;
} hob_lazy_dir;

typedef struct hob_mount_options {
    size_t size;
    int kind;             /* HOB_MOUNT_... */
    const char *host_dir; /* RO, RW, OVERLAY, COPY */
    const hob_lazy_dir *lazy;
    uint64_t quota; /* bytes that may be written; 0: the sandbox's limits alone */
} hob_mount_options;

HOB_API int hob_mount(hob_sandbox *box, const char *path, const hob_mount_options *opt,
                      hob_error *err);
HOB_API int hob_unmount(hob_sandbox *box, const char *path); /* HOB_EBUSY while files are open */

/* ------------------------------------------------------------------------------------------------
 * Snapshots and forks: a few microseconds whatever the size.
 *
 * A snapshot holds the files (every in-memory tree, the changes of overlays included; host folders
 * stay where they are). It may be shared, restored any number of times, and outlives the sandbox.
 */
HOB_API int hob_snapshot_take(hob_sandbox *box, hob_snapshot **out);
HOB_API void hob_snapshot_free(hob_snapshot *snap);
/* HOB_EBUSY while something runs in the sandbox. */
HOB_API int hob_snapshot_restore(hob_sandbox *box, const hob_snapshot *snap);
/* A new sandbox with the same files, settings, mounts and commands. HOB_EBUSY unless idle. */
HOB_API int hob_sandbox_fork(hob_sandbox *box, hob_sandbox **out);

enum {
    HOB_ADDED = 'A',
    HOB_MODIFIED = 'M', /* the contents, the mode or the kind */
    HOB_REMOVED = 'D'
};
typedef struct hob_change {
    char *path;
    int what;          /* HOB_ADDED ... */
    uint32_t old_mode; /* type and permissions before, 0 if it was not there */
    uint32_t new_mode;
} hob_change;
/* What differs from `from` to `to` (NULL: the sandbox as it is), sorted by path. One block,
 * hob_free(*out). */
HOB_API int hob_snapshot_diff(hob_sandbox *box, const hob_snapshot *from, const hob_snapshot *to,
                              hob_change **out, size_t *n);
HOB_API int hob_snapshot_read(const hob_snapshot *snap, const char *path, hob_bytes *out);
HOB_API int hob_snapshot_lstat(const hob_snapshot *snap, const char *path, hob_stat_t *out);

/* ------------------------------------------------------------------------------------------------
 * Commands of the embedder
 */
/* Runs when the script calls the command. Its result is the exit status, 0..255. */
typedef int (*hob_command_fn)(hob_cmd *cmd, void *ud);
/* name: a plain word, found like any command on PATH (and listed in /usr/bin). Replaces one of the
 * same name. fn == NULL removes. summary is one line for `help`; it may be NULL. */
HOB_API int hob_command_add(hob_sandbox *box, const char *name, const char *summary,
                            hob_command_fn fn, void *ud);

/* Inside the callback (and only there). A callback that waits for something outside calls
 * hob_cmd_yield() in a loop: the other processes of the sandbox go on meanwhile, hob_step() returns
 * HOB_STEP_WAIT, and the callback goes on at the next hob_step(). HOB_EKILLED: it must end. */
HOB_API int hob_cmd_yield(hob_cmd *cmd);
HOB_API int hob_cmd_argc(const hob_cmd *cmd);
HOB_API const char *hob_cmd_arg(const hob_cmd *cmd, int i);            /* borrowed; 0 is the name */
HOB_API const char *hob_cmd_getenv(hob_cmd *cmd, const char *name);    /* borrowed, or NULL */
HOB_API const char *hob_cmd_cwd(const hob_cmd *cmd);                   /* borrowed */
HOB_API hob_sandbox *hob_cmd_sandbox(hob_cmd *cmd);                    /* for file functions */
HOB_API ptrdiff_t hob_cmd_read(hob_cmd *cmd, void *dst, size_t cap);   /* stdin; 0 at the end */
HOB_API int hob_cmd_write(hob_cmd *cmd, const void *data, size_t len); /* stdout */
HOB_API int hob_cmd_print(hob_cmd *cmd, const char *text);             /* stdout, a C string */
HOB_API int hob_cmd_error(hob_cmd *cmd, const void *data, size_t len); /* stderr */
/* Runs a script in a subshell of the command's and waits; its output goes where the command's
 * goes. The exit status, or an error. */
HOB_API int hob_cmd_exec(hob_cmd *cmd, const char *script);

/* ------------------------------------------------------------------------------------------------
 * Kinds of sandbox
 *
 * hob_sandbox_new() makes a virtual one. hob_sandbox_open() makes one of any kind by its name, and
 * all functions of this header work on all of them: running commands, files. What a kind cannot do
 * (snapshots of a local sandbox, say) answers HOB_ENOTSUP. A name is "virtual" (or "empty"),
 * "local", "exec" (a driver that has nothing but exec, over a local one), or one that
 * hob_driver_register() added.
 */
typedef struct hob_sandbox_options {
    size_t size;
    const char *cwd;             /* where it starts; default: by the kind (local: the process's) */
    const char *const *env;      /* "NAME=value" sets, "NAME" alone removes */
    const char *const *host_env; /* local: where the 14 names come from; the caller's environ */
    const hob_options *virtual_options; /* virtual: everything else */
    uint64_t output;                    /* bytes of one call's output; default 64 MiB, virtual: as
                                           its limits say */
    void *ud;                           /* for a driver of the caller's */
    /* A call was given up (a deadline, an abort) and has ended now: for logs alone. Times are
     * nanoseconds since 1970; status is the exit status or a negative error. Called on the thread
     * that uses the sandbox, from inside of a call. */
    void (*orphan)(void *ud, const char *command, int64_t started_ns, int64_t given_up_ns,
                   int64_t ended_ns, int status);
    void *orphan_ud;
    hob_alloc_fn alloc; /* default: malloc, realloc and free; virtual: in virtual_options */
    void *alloc_ud;
} hob_sandbox_options;

HOB_API int hob_sandbox_open(const char *kind, const hob_sandbox_options *opt, hob_sandbox **out,
                             hob_error *err);
HOB_API const char *hob_sandbox_kind(const hob_sandbox *box); /* "virtual", "local", ... */
/* Another handle on the same sandbox, whose relative paths start at cwd (which is not made, and
 * itself starts at box's). The sandbox lives until its last handle is freed; all its handles are
 * used by one thread at a time. */
HOB_API int hob_sandbox_view(hob_sandbox *box, const char *cwd, hob_sandbox **out);
/* The one spelling of a path: absolute, "." and ".." taken out by the letter (links are not looked
 * at). hob_free() it. */
HOB_API int hob_resolve(const hob_sandbox *box, const char *path, hob_bytes *out);

/* A driver of the caller's. Its functions run on a stack of their own and may take their time: they
 * wait only through hob_call_wait() and hob_call_poll(), so that one thread can drive many. A
 * driver that waits in a system call instead blocks the thread, and works all the same. Paths are
 * absolute and clean; everything else that the contract asks for (folders made on write, deadlines
 * that the driver lets pass, aborts, a cap on output) is done around it, once for all drivers.
 *
 * open and exec must be there. File slots that are NULL are filled by shell commands through exec
 * (a POSIX shell with the GNU or busybox tools). What cannot be done as asked answers HOB_ENOTSUP
 * before anything is touched. docs/sandboxes.md says more. */
typedef struct hob_call hob_call;
typedef struct hob_driver {
    size_t size;
    const char *name;
    int (*open)(const hob_sandbox_options *opt, void **state, hob_error *err);
    void (*close)(void *state);
    const char *(*cwd)(void *state); /* borrowed; absolute. NULL: opt->cwd, else "/" */
    /* Runs a script. Output goes to hob_call_output(), input comes from hob_call_input() (opt->read
     * or opt->input is set when there is any). The exit status, 0..255; an error only when it could
     * not be run or the sandbox is gone (HOB_EDIED). The deadline of the call (hob_call_deadline())
     * is the driver's to keep: it ends the command and returns 124. Of opt count script_len, cwd
     * (absolute), env and replace_env (the call's own), name and merge. */
    int (*exec)(void *state, hob_call *call, const char *script, const hob_exec_options *opt);
    int (*read)(void *state, hob_call *call, const char *path, hob_bytes *out);
    int (*write)(void *state, hob_call *call, const char *path, const void *data, size_t len,
                 int flags); /* HOB_APPEND, or 0: create or replace */
    int (*stat)(void *state, hob_call *call, const char *path, int follow, hob_stat_t *out);
    /* For each entry a letter (f file, d folder, l link, ? other or unknown), the name, and a NUL;
     * without . and .. , in any order. */
    int (*readdir)(void *state, hob_call *call, const char *path, hob_bytes *out);
    int (*mkdir)(void *state, hob_call *call, const char *path, int flags);
    int (*rm)(void *state, hob_call *call, const char *path, int flags);
    int (*rename)(void *state, hob_call *call, const char *from, const char *to);
    int (*symlink)(void *state, hob_call *call, const char *target, const char *path);
    int (*readlink)(void *state, hob_call *call, const char *path, hob_bytes *out);
    int (*chmod)(void *state, hob_call *call, const char *path, uint32_t mode);
    /* Sends a signal to what hob_call_pid() named; pid < 0: to its group. NULL: HOB_ENOTSUP. */
    int (*signal)(void *state, int pid, int sig);
    /* Asked every 5 s while a call waits: 1 it lives, 0 it is gone, an error: not known, which
     * counts as alive. No answer for 10 s: gone. NULL: always alive. */
    int (*alive)(void *state, hob_call *call);
} hob_driver;

/* The driver must live as long as the library is used. HOB_EEXIST: the name is taken. */
HOB_API int hob_driver_register(const hob_driver *driver);

/* Waits until fd is ready (events as poll(2) has them; fd < 0: for the time alone) or max_ns have
 * passed (< 0: no end). The events that came, 0 for the time. HOB_ECANCELED: the call was given up;
 * end the command, clean up and return. It is said once, so that cleaning up may wait as well; when
 * the sandbox is being freed it is said again and again: return at once. */
HOB_API int hob_call_wait(hob_call *call, int fd, int events, int64_t max_ns);
/* The same for several: how many are ready, with revents set. 0 for the time, or because there may
 * be input after hob_call_input() had none. */
typedef struct hob_poll {
    int fd; /* < 0: not looked at */
    short events, revents;
} hob_poll;
HOB_API int hob_call_poll(hob_call *call, hob_poll *fds, size_t n, int64_t max_ns);
/* HOB_ELIMIT when the output limit is reached, or another error: end the command, return 1. */
HOB_API int hob_call_output(hob_call *call, int stream, const void *data, size_t len);
/* The next bytes of stdin: their number, 0 at the end, HOB_EAGAIN when there are none yet. */
HOB_API ptrdiff_t hob_call_input(hob_call *call, void *dst, size_t cap);
HOB_API int64_t hob_call_deadline(const hob_call *call); /* nanoseconds from now; -1: none */
/* What runs the call, for hob_job_pid(), hob_processes() and hob_kill(). 0: it has ended. */
HOB_API void hob_call_pid(hob_call *call, int pid);
/* Answers an exec now; the function may go on, for what was left in the background: its further
 * output is that of hob_background_output(). */
HOB_API void hob_call_answer(hob_call *call, int status);

/* ------------------------------------------------------------------------------------------------
 * Agents
 *
 *     hob_agent agent = HOB_AGENT_INIT;
 *     agent.model = "anthropic/claude-sonnet-4-6";
 *     agent.env = (const char *const *)environ;
 *     hob_harness *h;
 *     hob_session *s;
 *     hob_reply reply;
 *     hob_init(NULL, &agent, "demo", &h, &err);
 *     hob_harness_session(h, NULL, HOB_SESSION_OPEN, &s, &err);
 *     if (hob_session_prompt(s, "List the files here.", NULL, &reply, &err) == 0)
 *         puts(reply.text);
 *     hob_reply_free(&reply);
 *     hob_harness_free(h);
 *
 * A harness is one agent at work in one sandbox; its sessions are conversations that share the
 * sandbox. Everything that takes time is an operation (hob_op): either a function runs it to its
 * end, or its _start twin returns at once and the loop is stepped. One loop drives any number of
 * harnesses on one thread.
 */
typedef struct hob_loop hob_loop;
typedef struct hob_harness hob_harness;
typedef struct hob_session hob_session;
typedef struct hob_op hob_op;
typedef struct hob_toolcall hob_toolcall;

HOB_API int hob_loop_new(hob_loop **out, hob_error *err);
HOB_API void hob_loop_free(hob_loop *loop); /* after its harnesses */
/* Moves every operation on as far as it goes without waiting. HOB_STEP_... */
HOB_API int hob_loop_step(hob_loop *loop);
/* Waits until a step has something to do, at most max_ns (< 0: as long as it takes; HOB_ENODATA
 * when there is nothing that could end the wait). */
HOB_API int hob_loop_wait(hob_loop *loop, int64_t max_ns);
/* For an outer poll(): readable when a step has something to do; hob_loop_timeout() says after how
 * many nanoseconds a step is due at the latest (-1: none). */
HOB_API int hob_loop_fd(hob_loop *loop);
HOB_API int64_t hob_loop_timeout(hob_loop *loop);

/* ---- what an agent is ---- */

enum {
    HOB_THINK_DEFAULT = 0, /* of the agent, else medium */
    HOB_THINK_OFF,
    HOB_THINK_MINIMAL,
    HOB_THINK_LOW,
    HOB_THINK_MEDIUM,
    HOB_THINK_HIGH,
    HOB_THINK_XHIGH
};

/* A tool of the embedder's. Exactly one of fn and command is set. */
typedef int (*hob_tool_fn)(hob_toolcall *call, void *ud);
typedef struct hob_tool {
    const char *name; /* letters, digits, _ and -; not the name of a built-in tool */
    const char *description;
    const char *schema; /* JSON Schema of its arguments, an object; NULL: no arguments */
    /* Called with arguments that fit the schema, on the thread that steps the loop. 0: answered
     * with hob_toolcall_answer() or _fail(); HOB_EAGAIN: the answer comes later, from the same
     * thread; another error fails the call with its text. */
    hob_tool_fn fn;
    void *ud;
    const char *command; /* a script run in the sandbox: the arguments as JSON on stdin, and each
                            one as $ARG_name; what it prints is the answer */
    int64_t timeout_ns;  /* > 0: the call fails after so long, what it printed is kept */
} hob_tool;

HOB_API const char *hob_toolcall_args(const hob_toolcall *call); /* JSON, borrowed */
HOB_API const char *hob_toolcall_id(const hob_toolcall *call);   /* borrowed */
HOB_API hob_session *hob_toolcall_session(hob_toolcall *call);
HOB_API int hob_toolcall_aborted(const hob_toolcall *call); /* 1: nobody waits for it any more */
/* The answer for the model; ends the call. After HOB_EAGAIN the handle is gone afterwards.
 * HOB_ECANCELED: it came too late. A handle that is never answered goes with its harness. */
HOB_API int hob_toolcall_answer(hob_toolcall *call, const char *text, size_t len);
HOB_API int hob_toolcall_fail(hob_toolcall *call, const char *text, size_t len);

/* A skill handed in, beside those found in .agents/skills of the sandbox. */
typedef struct hob_skill {
    const char *name, *description;
    const char *body; /* Markdown */
} hob_skill;

/* Where models are. The built-in ones (anthropic, openai, openrouter, offline) can be changed by
 * naming them here; NULL and 0 keep what is built in. */
enum {
    HOB_WIRE_DEFAULT = 0,
    HOB_WIRE_ANTHROPIC, /* Anthropic messages */
    HOB_WIRE_RESPONSES, /* OpenAI responses */
    HOB_WIRE_CHAT,      /* OpenAI chat completions */
    HOB_WIRE_OFFLINE    /* a script of replies from a file: base_url is its path */
};
typedef struct hob_provider {
    const char *id;
    int wire;
    const char *base_url;
    const char *key;            /* the key itself; NULL: from key_env in the agent's env */
    const char *key_env;        /* for example "ANTHROPIC_API_KEY" */
    const char *const *headers; /* "Name: value", ended by NULL */
} hob_provider;

/* What a model is. Prices are per million tokens. A window of 0 is unknown. */
typedef struct hob_model {
    const char *id; /* "provider/model-id" */
    int64_t window, output;
    double price_input, price_output, price_cache_read, price_cache_write;
    int thinking; /* 1: it can think */
    int images;   /* 1: it sees images */
} hob_model;
/* The built-in table; *n is set. */
HOB_API const hob_model *hob_models(size_t *n);

typedef struct hob_compaction {
    int off;         /* != 0: no compaction at a threshold */
    int64_t reserve; /* tokens kept free for the answer (default 20,000) */
    int64_t keep;    /* tokens of recent conversation kept as they are (default 8,000) */
    const char *model;
} hob_compaction;

typedef struct hob_tokens {
    int64_t input, output, cache_read, cache_write;
    double cost; /* in dollars; 0 when the price is unknown */
} hob_tokens;

/* Everything that happens, in order. json is the whole event: {"type":"text_delta",...}. All
 * pointers are borrowed for the call. Callbacks must not free the harness. */
typedef struct hob_event {
    const char *type;    /* "run_start", "text_delta", "tool_start", ... (docs/agents.md) */
    const char *session; /* name, or NULL */
    const char *text;    /* of text_delta and thinking_delta, else NULL */
    size_t text_len;
    const char *json;
    size_t json_len;
    uint64_t index; /* from 0, one more for each event of the harness */
} hob_event;
typedef void (*hob_event_fn)(void *ud, const hob_event *event);

typedef struct hob_agent {
    size_t size;
    const char *name, *description;
    const char *model; /* "provider/model-id"; NULL: every call names one */
    const char *instructions;
    const char
        *sandbox; /* a kind: "virtual" (default; also "empty"), "local", or a registered one */
    const hob_sandbox_options *sandbox_options; /* of that kind; may be NULL */
    hob_sandbox *box;                           /* instead of both: one of the caller's, borrowed */
    const char *cwd;                            /* relative ones start at the sandbox's */
    const hob_tool *tools;
    size_t ntools;
    const char *const *builtin; /* names of the built-in tools the model sees; NULL: all */
    const hob_skill *skills;
    size_t nskills;
    const struct hob_agent *const *subagents; /* ended by NULL; they need names */
    int thinking;                             /* HOB_THINK_... */
    hob_compaction compaction;
    const char *store;      /* path of an SQLite file that keeps the sessions; NULL: memory */
    const char *const *env; /* where keys are looked for, "NAME=value"; nothing else is read */
    const hob_provider *providers;
    size_t nproviders;
    const hob_model *models; /* added to the built-in table, or replacing its rows */
    size_t nmodels;
    hob_event_fn event;
    void *event_ud;
} hob_agent;

/* clang-format off */
#ifdef __cplusplus
#define HOB_AGENT_INIT {sizeof(hob_agent)}
#else
#define HOB_AGENT_INIT {.size = sizeof(hob_agent)}
#endif
/* clang-format on */

/* ---- harness and sessions ---- */

/* Makes the sandbox. What it holds for the agent (AGENTS.md, skills) is read at each prompt, so
 * files may be put there first. The agent is copied; callbacks and their ud stay the caller's. loop
 * NULL: one of its own, see hob_harness_loop(). id names this instance in the store ("default" when
 * NULL). */
HOB_API int hob_init(hob_loop *loop, const hob_agent *agent, const char *id, hob_harness **out,
                     hob_error *err);
/* Aborts what runs, closes the sessions and frees the sandbox that hob_init made. */
HOB_API void hob_harness_free(hob_harness *h);
HOB_API hob_loop *hob_harness_loop(hob_harness *h);
/* The sandbox as the agent sees it: relative paths start at the agent's cwd. hob_read(),
 * hob_write() and the others on it are the harness's `fs`: nothing is recorded. Borrowed. */
HOB_API hob_sandbox *hob_harness_sandbox(hob_harness *h);

enum {
    HOB_SESSION_OPEN = 0, /* get it, or make it */
    HOB_SESSION_GET,      /* HOB_ENOENT if it is not there */
    HOB_SESSION_CREATE    /* HOB_EEXIST if it is */
};
/* name NULL: "default". The handle is borrowed: it lives until the harness is freed or the session
 * deleted; asking again gives the same one. */
HOB_API int hob_harness_session(hob_harness *h, const char *name, int mode, hob_session **out,
                                hob_error *err);
/* Removes it with its tasks' sessions, from the store too. No error if there is none. */
HOB_API int hob_harness_delete(hob_harness *h, const char *name, hob_error *err);
HOB_API const char *hob_session_name(const hob_session *s); /* borrowed */
/* The conversation as JSON lines, one entry each. hob_free() it. */
HOB_API int hob_session_export(hob_session *s, hob_bytes *out);

/* ---- operations ---- */

typedef struct hob_image {
    const void *data; /* the bytes of the image */
    size_t len;
    const char *mime; /* "image/png" */
} hob_image;

typedef struct hob_prompt_options {
    size_t size;
    const char *model; /* instead of the agent's */
    int thinking;
    const hob_tool *tools; /* beside the agent's, for this call */
    size_t ntools;
    const char *schema; /* JSON Schema of the result: the model must give one that fits */
    const hob_image *images;
    size_t nimages;
    const char *args;  /* of a skill, JSON */
    const char *agent; /* of a task: the name of a subagent; NULL: the agent itself */
    const char *cwd;   /* of a task */
} hob_prompt_options;

typedef struct hob_reply {
    char *text; /* of the last message, with a NUL behind */
    size_t text_len;
    char *data; /* the structured result as JSON, or NULL */
    size_t data_len;
    char model[128]; /* "provider/model-id" that answered */
    hob_tokens usage;
    int turns;
} hob_reply;
/* A reply is always set, as far as it came: after HOB_ERESULT it has the last text of the model.
 * Free it after an error too. */
HOB_API void hob_reply_free(hob_reply *reply);

/* One operation runs in a session at a time: HOB_EBUSY for a second one. Inside of a tool's
 * callback these may be called for other sessions; in a command of the sandbox (hob_command_add)
 * only the *_start functions, with hob_cmd_yield() until hob_op_done(). */
HOB_API int hob_session_prompt(hob_session *s, const char *text, const hob_prompt_options *opt,
                               hob_reply *reply, hob_error *err);
HOB_API int hob_session_skill(hob_session *s, const char *name, const hob_prompt_options *opt,
                              hob_reply *reply, hob_error *err);
/* In a session of its own, in the same sandbox; only its answer comes back. */
HOB_API int hob_session_task(hob_session *s, const char *text, const hob_prompt_options *opt,
                             hob_reply *reply, hob_error *err);
HOB_API int hob_session_compact(hob_session *s, hob_error *err);
/* Runs a script in the sandbox; the session's is recorded in the conversation, as if the model had
 * called it; values of env are not. */
HOB_API int hob_session_shell(hob_session *s, const char *script, const hob_exec_options *opt,
                              hob_result *res, hob_error *err);
HOB_API int hob_harness_shell(hob_harness *h, const char *script, const hob_exec_options *opt,
                              hob_result *res, hob_error *err);

HOB_API int hob_prompt_start(hob_session *s, const char *text, const hob_prompt_options *opt,
                             hob_op **out, hob_error *err);
HOB_API int hob_skill_start(hob_session *s, const char *name, const hob_prompt_options *opt,
                            hob_op **out, hob_error *err);
HOB_API int hob_task_start(hob_session *s, const char *text, const hob_prompt_options *opt,
                           hob_op **out, hob_error *err);
HOB_API int hob_compact_start(hob_session *s, hob_op **out, hob_error *err);
HOB_API int hob_shell_start(hob_session *s, const char *script, const hob_exec_options *opt,
                            hob_op **out, hob_error *err);
HOB_API int hob_op_done(const hob_op *op); /* 1 when it ended */
/* Ends it as soon as possible; it is done soon after, with HOB_ECANCELED and the reason as text.
 * What the conversation holds stays whole. */
HOB_API void hob_op_abort(hob_op *op, const char *reason);
/* The result; frees the operation. reply is for prompt, skill and task, res for shell; both may be
 * NULL. An operation that still runs is aborted first. */
HOB_API int hob_op_finish(hob_op *op, hob_reply *reply, hob_result *res, hob_error *err);

/* ---- sessions on disk ---- */

/* {"id":..,"session":..,"entries":n,"created":..,"updated":..} per line. hob_free() it. */
HOB_API int hob_store_list(const char *path, hob_bytes *out, hob_error *err);
HOB_API int hob_store_export(const char *path, const char *id, const char *session, hob_bytes *out,
                             hob_error *err);
HOB_API int hob_store_delete(const char *path, const char *id, const char *session, hob_error *err);

#ifdef __cplusplus
}
#endif

#endif

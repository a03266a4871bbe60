/* sql.h -- the sqlite3 command: the real SQLite over the files of the sandbox
 *
 * sql_vfs.c gives the library files, locks, time and chance; sql_db.c a connection within the
 * sandbox's limits; sql_func.c and sql_series.c the functions the shell adds. The rest is the
 * shell: sql.c reads the command line and the input, sql_dot.c the commands with a dot,
 * sql_format.c and sql_table.c write rows, sql_dump.c and sql_import.c move whole tables.
 *
 * The library is only ever called between sql_enter() and sql_leave(), which tell whose memory it
 * uses, and every way back into Hob (a file, a function, the clock) leaves first: there another
 * process of the sandbox may run.
 */
#ifndef HOB_COMMANDS_SQLITE3_SQL_H
#define HOB_COMMANDS_SQLITE3_SQL_H

#include "shell/command.h"
#include "text/date.h"

#ifdef HAVE_SQLITE3

#include <sqlite3.h>

enum sql_mode {
    SQL_LINE,
    SQL_COLUMN,
    SQL_LIST,
    SQL_SEMI,
    SQL_HTML,
    SQL_INSERT,
    SQL_QUOTE,
    SQL_TCL,
    SQL_CSV,
    SQL_EXPLAIN,
    SQL_ASCII,
    SQL_EQP,
    SQL_JSON,
    SQL_MARKDOWN,
    SQL_TABLE,
    SQL_BOX
};

enum {
    SQL_SEP = 64,   /* bytes of a separator, with its NUL */
    SQL_ARGS = 52,  /* words of a dot-command */
    SQL_DEPTH = 25, /* .read within .read */
    SQL_QUIT = 2    /* the result of .quit */
};

struct sql_file { /* what SQLite sees as a file */
    sqlite3_file base;
    struct sql *sql;
    struct file *file; /* NULL: a temporary one, in `mem` */
    struct buf mem;
    const char *name; /* SQLite's, as long as it is open */
    uint64_t dev, ino;
    int lock; /* SQLITE_LOCK_... */
    bool remove;
    struct sql_file *next; /* of the sandbox */
};

struct sql_wrap { /* .mode column --wrap N --wordwrap --quote */
    int width;
    bool words, quote;
};

struct sql_cell {
    const char *text; /* NULL for NULL; blobs in quoting modes are in `text` as they are */
    int type, n;
};

struct sql_row {
    sqlite3_stmt *stmt;
    struct sql_cell *cells;
    const char **names;
    int n;
    int *indent; /* of EXPLAIN's steps, nindent of them */
    size_t nindent;
};

/* A line of EXPLAIN QUERY PLAN. */
struct sql_plan {
    int id, parent;
    struct str text;
};

struct sql {
    struct proc *p;
    struct heap *heap;
    struct date_zone zone; /* of 'localtime' */
    sqlite3 *db;
    sqlite3_vfs vfs;
    char vfs_name[32];
    struct str filename; /* "" : a temporary one */
    bool readonly, nofollow, create_new;

    struct out std, other;
    struct out *out;
    struct file *other_file; /* of .output */
    struct str output_name;
    bool once;

    int mode, cmode; /* asked for, and of this statement */
    bool headers, headers_set, echo, bail, changes, stats, timer, newlines, rowids, data_only,
        nosys;
    bool writable; /* .dump turned writable_schema on */
    int eqp;       /* 0 off, 1 on, 3 full */
    int explain;   /* 0 off, 1 on, 2 auto */
    char colsep[SQL_SEP], rowsep[SQL_SEP], null[SQL_SEP];
    struct sql_wrap wrap;
    struct str table; /* of .mode insert */
    int *widths, nwidths;
    uint64_t rows; /* written of this statement */
    VEC(struct sql_plan) plan;

    struct in *in;    /* what is read now; NULL: nothing */
    struct str where; /* its name, for .read */
    int64_t line;
    int depth;
    int status; /* of .exit */
};

static inline void sql_enter(struct sql *s)
{
    const struct host *h = s->p->kernel->host;
    if (h->sql_memory)
        h->sql_memory(h->ud, s->heap, &s->zone);
}
static inline void sql_leave(struct sql *s)
{
    const struct host *h = s->p->kernel->host;
    if (h->sql_memory)
        h->sql_memory(h->ud, NULL, NULL);
}
/* True when the command has to end: killed, or out of memory. */
static inline bool sql_over(struct sql *s) { return s->heap->oom || proc_check(s->p) < 0; }

/* ---- sql_vfs.c */
int sql_vfs_register(struct sql *s);
void sql_vfs_unregister(struct sql *s);

/* ---- sql_db.c */
/* Opens a database by name with the limits of the sandbox. An SQLite result; *db may be set with an
 * error, too, for its message. */
int sql_connect(struct sql *s, struct str name, int flags, sqlite3 **db);
void sql_disconnect(struct sql *s, sqlite3 *db);
/* The database of the shell, opened if it is not: false after a message. */
bool sql_open(struct sql *s);
void sql_close(struct sql *s);
int sql_prepare(struct sql *s, const char *text, sqlite3_stmt **stmt, const char **tail);
int sql_step(struct sql *s, sqlite3_stmt *stmt);
int sql_finalize(struct sql *s, sqlite3_stmt *stmt);
/* A column as text, "" for NULL; borrowed until the next step. */
const char *sql_text(struct sql *s, sqlite3_stmt *stmt, int i);
/* Runs statements whose rows nobody wants. */
int sql_execute(struct sql *s, const char *text);
/* fmt with SQLite's %q, %Q and %w is not at hand here: quotes with q doubled inside. */
void sql_quote(struct buf *b, const char *text, char q);
/* The quote an identifier needs: '"', or 0. */
char sql_quote_char(const char *name);
/* Words of a message of the library: to stderr with "Error: " in front. */
int sql_complain(struct sql *s, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* ---- sql_func.c, sql_series.c */
int sql_functions(struct sql *s, sqlite3 *db);
int sql_series(struct sql *s, sqlite3 *db);

/* ---- sql_format.c, sql_table.c */
/* Writes all rows of a statement in the mode of the shell. An SQLite result is left for
 * sql_finalize(). */
void sql_print(struct sql *s, sqlite3_stmt *stmt);
void sql_print_table(struct sql *s, sqlite3_stmt *stmt);
void sql_plan_clear(struct sql *s);
void sql_plan_render(struct sql *s);
void sql_write_quoted(struct sql *s, const char *text);
void sql_write_c(struct sql *s, const char *text);
/* A CREATE statement with its end; see .schema. */
void sql_write_schema(struct sql *s, const char *sql, const char *tail);
/* A double as SQL text with all its digits. */
void sql_real(char out[64], double v);

/* ---- sql.c */
/* Runs the statements of a text. 0, or an SQLite result with the message in *err (arena). */
int sql_run(struct sql *s, const char *text, struct str *err);
/* Reads statements and dot-commands until the end: how many went wrong. */
int sql_read(struct sql *s, struct in *in);
int sql_dot(struct sql *s, char *line); /* 0, 1 or SQL_QUIT */
/* Opens what .read and -init name and runs it. */
int sql_source(struct sql *s, struct str path);
void sql_output_reset(struct sql *s);

/* ---- sql_dump.c, sql_import.c: dot-commands */
int sql_dump(struct sql *s, char **arg, int n);
int sql_schema(struct sql *s, char **arg, int n);
int sql_fullschema(struct sql *s, char **arg, int n);
int sql_tables(struct sql *s, char **arg, int n);
int sql_import(struct sql *s, char **arg, int n);

#endif
#endif

/* curl.h -- the inside of curl: what was asked for, and what its files share */
#ifndef HOB_COMMANDS_CURL_CURL_H
#define HOB_COMMANDS_CURL_CURL_H

#include "net/fetch.h"
#include "shell/command.h"

#define CURL_VERSION "7.88.1"

enum { /* exit statuses, as curl numbers them */
    CURL_UNSUPPORTED_PROTOCOL = 1,
    CURL_FAILED_INIT = 2,
    CURL_URL_MALFORMAT = 3,
    CURL_NO_PROXY = 5,
    CURL_COULDNT_CONNECT = 7,
    CURL_HTTP_ERROR = 22,
    CURL_WRITE_ERROR = 23,
    CURL_READ_ERROR = 26,
    CURL_OUT_OF_MEMORY = 27,
    CURL_RANGE_ERROR = 33,
    CURL_FILE_ERROR = 37,
    CURL_BAD_OPTION = 43,
    CURL_TOO_MANY_REDIRECTS = 47
};

/* A URL with what stands beside it on the command line. */
struct curl_node {
    struct str url, output, upload; /* .p == NULL: not given */
    bool remote;                    /* -O */
    bool has_output;                /* -o or -O was given */
};

/* A part of a form. */
struct curl_part {
    struct str name, value;
    struct str type, filename, headers;
    bool file;    /* the value names one: it is sent as a file */
    bool content; /* the value names one: it is sent as text */
};

struct curl_cookie {
    struct str domain, path, name, value; /* on the heap of the jar's arena */
    bool tail;                            /* subdomains as well */
    bool secure, http_only, dead;
    int64_t expires; /* seconds; 0: with the session */
};

struct curl_jar {
    struct proc *p;
    bool active;
    VEC(struct curl_cookie) list; /* in the order of making */
};

struct curl {
    struct proc *p;
    /* options; the table has their offsets */
    bool silent, show_error, fail, fail_body, fail_early, head, include, location, trusted;
    bool insecure, compressed, get, verbose, create_dirs, remote_all, disposition, no_glob;
    bool junk_session, post301, post302, post303, retry_all, retry_refused, ignored, next_slot;
    bool form_escape, remove_on_error, no_clobber, ask_help, ask_version, digest, any_auth,
        parallel;
    int version; /* of HTTP: 0, 10, 11, 20 */
    struct str method, agent, referer, user, bearer, range, resume, output_dir, write_out;
    struct str dump_header, jar_file, stderr_file, proxy, data_type, time_cond;
    struct str etag_save, etag_compare;
    double max_time, connect_time, retry_delay, retry_max;
    int64_t max_redirs, retries;
    struct strs headers, cookie_args;
    bool has_data, json;
    struct buf data; /* of -d and its kin */
    VEC(struct curl_part) parts;
    VEC(struct curl_node) nodes;
    struct curl_jar jar;
    /* state */
    struct str etag;                  /* of --etag-compare */
    struct str cond_name, cond_value; /* the header of -z; .p == NULL: none */
    int64_t cond_time;
    struct out out; /* stdout */
    int depth;      /* of -K */
};

/* One URL on its way: what -w can tell about it. */
struct curl_transfer {
    struct curl *c;
    struct curl_node *node;
    struct str url;       /* as it was typed, expanded */
    struct str effective; /* where it ended */
    struct str redirect;  /* where it would have gone on to; "" */
    struct str method, filename, referer;
    struct str content_type;
    bool basic;        /* --anyauth: the server wants a password as it is */
    struct str digest; /* the answer to a server that asks for one */
    struct str head;   /* of the last answer; on the arena */
    struct http_info info;
    int status, redirects, headers, result, number;
    uint64_t head_bytes, received;
    int64_t retry_after; /* seconds, from the server; 0: none */
    double time_redirect;
    bool head_only_file; /* the file exists already */
    struct file *file;   /* where the body goes; NULL: stdout, or not opened yet */
    struct out body;
    bool body_open, wrote;
    struct hob_error error;
};

/* curl_args.c: 0, or an exit status after a message. Stops behind --next; *used words were read. */
int curl_args_read(struct curl *c, struct str *argv, int argc, int *used);
extern const struct opt curl_opts[];

/* "curl: ..." unless -s; "Warning: ..." */
void curl_say(struct curl *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
void curl_warn(struct curl *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* A whole file of the sandbox, "-" is stdin, appended. */
int curl_slurp(struct curl *c, struct str path, struct buf *out);
bool curl_same(struct str a, struct str b); /* in any case of letters */
struct str curl_join(struct curl *c, struct str a, struct str b);

/* curl_data.c */
int curl_data_add(struct curl *c, char kind, struct str arg); /* 'd' 'r' 'b' 'u' 'j' */
int curl_part_add(struct curl *c, struct str arg, bool literal);
/* The body and its type; 0 or an exit status. */
int curl_form(struct curl *c, struct buf *body, struct str *type);
void curl_escape(struct buf *b, struct str s);

/* curl_glob.c: URLs with {a,b} and [1-9], one after the other. */
struct curl_glob_set {
    struct str *words; /* {a,b} or a literal */
    size_t n;          /* 0: a range */
    bool literal, letters;
    uint64_t from, to, step, at;
    int width;
};
struct curl_glob {
    VEC(struct curl_glob_set) sets;
    bool done;
};
int curl_glob_open(struct curl *c, struct str url, struct curl_glob *g);
/* The next URL, on the arena; false at the end. */
bool curl_glob_next(struct curl *c, struct curl_glob *g, struct str *out);
/* A name with #1, #2 ... for what the sets stand at. Called before curl_glob_next moves on. */
struct str curl_glob_name(struct curl *c, const struct curl_glob *g, struct str pattern);
void curl_glob_move(struct curl_glob *g);
void curl_glob_close(struct curl *c, struct curl_glob *g);

/* curl_cond.c */
int curl_time_condition(struct curl *c); /* 0, or an exit status */
bool curl_time_unmet(const struct curl_transfer *t);
int curl_etag_load(struct curl *c);          /* 0, or an exit status */
int curl_etag_keep(struct curl_transfer *t); /* 0, or an exit status */
/* After a 401: sets t->digest. False: the server does not ask for that, or in an unknown way. */
bool curl_digest_answer(struct curl_transfer *t, const struct url *u, struct str method);

/* curl_cookie.c */
int curl_jar_load(struct curl *c);
void curl_jar_set(struct curl_jar *j, const struct url *u, struct str header);
/* The value of the Cookie header, "" if there is none, on the arena. */
struct str curl_jar_get(struct curl *c, const struct url *u);
int curl_jar_save(struct curl *c);
void curl_jar_fini(struct curl *c);

/* curl_transfer.c: what curl exits with, or a negative error of the process. */
int curl_transfer_run(struct curl_transfer *t);
/* Makes sure that there is something to write to. */
int curl_body_open(struct curl_transfer *t);

/* curl_send.c: one exchange of a transfer, and its trace. */
struct curl_hop {
    struct curl_transfer *t;
    struct url url;
    struct str method;
    struct str first_host; /* keys of the user are for this one */
    int first_port;
    struct str body, body_type;
    bool has_body, upload;
    struct fetch fetch;
    struct http_header *headers;
    size_t nheaders, cap;
};
int curl_hop_open(struct curl_hop *h, int64_t left_ns);
void curl_trace_request(struct curl_hop *h);
void curl_trace_head(struct curl_hop *h);

/* curl_write.c */
void curl_write_out(struct curl_transfer *t);
/* The value of a header of the last head; false: none. */
bool curl_header(struct str head, struct str name, struct str *value);

#endif

/* http.h -- an HTTP request, and the contract for what carries it out
 *
 * Whoever makes a request fills a struct http_request; src/host/http.c carries it out with libcurl.
 * A call is driven by its owner's event loop: nothing here waits.
 */
#ifndef HOB_NET_HTTP_H
#define HOB_NET_HTTP_H

#include "base/error.h"
#include "base/str.h"

struct addr; /* net/addr.h */

/* A value with .p == NULL: the header that is sent by default is left out. */
struct http_header {
    struct str name, value;
};

/* Nothing is read from the environment: a proxy and certificates are used when they are named here.
 * Redirects are never followed, so that no key goes to a host it is not meant for. */
struct http_request {
    struct str method; /* "GET", "POST" ... */
    struct str url;
    const struct http_header *headers;
    size_t nheaders;
    struct str body;
    int64_t connect_ns;  /* time to connect; 0: 30 s */
    int64_t idle_ns;     /* time without a byte before it fails; 0: 300 s */
    struct str ca_file;  /* PEM certificates that are trusted; "": the system's */
    struct str proxy;    /* "http://host:port"; "": none */
    bool public_only;    /* HOB_EDENIED for a name that leads to a private address */
    struct str no_proxy; /* hosts that are reached without it: "localhost,.example.org" */
    bool has_body;       /* also when it is empty */
    bool no_body;        /* the answer has none, as for HEAD */
    bool insecure;       /* certificates are not checked */
    bool decode;         /* ask for a compressed answer and unpack it */
    int version;         /* 0: the best; 10, 11, 20 */
    int64_t total_ns;    /* time for all of it; 0: no limit */
    /* Asked before each connection: a result < 0 refuses the address. It is called until the call
     * is closed. NULL: not asked. */
    int (*admit)(void *ud, const struct addr *addr);
    void *admit_ud;
};

/* What is known about an exchange beside its bytes. Times are seconds from its begin. */
struct http_info {
    char remote_ip[48], local_ip[48];
    long remote_port, local_port;
    int version; /* 10, 11, 20, 30; 0: unknown */
    long connects, verify;
    uint64_t sent_head, sent_body, received;
    double lookup, connect, secure, before, first, total;
};

enum { /* results that others than libcurl give, too */
    HTTP_NO_CONNECTION = 7,
    HTTP_OUT_OF_MEMORY = 27
};

/* Where an exchange stands. */
struct http_state {
    bool head;       /* the final head is there: status, raw */
    bool ended;      /* nothing more will come but `data` */
    int status;      /* 200 ... */
    struct str raw;  /* the heads so far with their line ends, those of 1xx answers in front */
    struct str data; /* bytes of the body that wait */
    int result;      /* ended: 0, or what curl exits with */
    struct hob_error error; /* ended with a result != 0 */
    struct http_info info;
};

#endif

/* http.h -- an HTTP request, and the contract for what carries it out
 *
 * Whoever makes a request fills a struct http_request; src/host/http.c carries it out with libcurl.
 * A call is driven by its owner's event loop: nothing here waits.
 */
#ifndef HOB_NET_HTTP_H
#define HOB_NET_HTTP_H

#include "base/error.h"
#include "base/str.h"

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
};

#endif

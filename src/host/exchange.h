/* exchange.h -- the HTTP of task/host.h, by libcurl */
#ifndef HOB_HOST_EXCHANGE_H
#define HOB_HOST_EXCHANGE_H

#include "host/http.h"
#include "task/host.h"

/* The exchanges of one sandbox. All zero: none yet; the client is made with the first. */
struct exchange_set {
    struct http_client *client;
    size_t n; /* exchanges that are open */
};

extern const struct host_http exchange_http;  /* its ud is a struct exchange_set */
void exchange_fini(struct exchange_set *set); /* all exchanges are closed */

#endif

/* http.h -- HTTP by libcurl's multi interface
 *
 * One client per event loop. It owns an epoll descriptor that is readable when it has work; the
 * loop calls http_client_step() then, and when http_client_timeout() has passed. Calls hand
 * their progress to one callback, from inside the step; the callback may start or close calls.
 */
#ifndef HOB_HOST_HTTP_H
#define HOB_HOST_HTTP_H

#include "net/http.h"

struct http_client;
struct http_call;

enum http_event {
    HTTP_HEAD, /* the final status and the headers are there: http_call_status, http_call_header */
    HTTP_DATA, /* bytes of the body */
    HTTP_END,  /* all of it came */
    HTTP_FAIL  /* it failed: err says how. Nothing follows END or FAIL */
};
typedef void (*http_fn)(void *ud, struct http_call *call, enum http_event event, struct str data,
                        const struct hob_error *err);

/* HOB_ENOTSUP when Hob was built without libcurl. */
int http_client_new(struct heap *h, struct http_client **out, struct hob_error *err);
void http_client_free(struct http_client *c); /* its calls are closed. NULL is allowed */
int http_client_fd(const struct http_client *c);
int64_t http_client_timeout(struct http_client *c); /* ns until a step is due; -1: none */
void http_client_step(struct http_client *c);

/* The request is copied. HOB_EINVAL for a header or a URL that cannot be sent. Everything else that
 * goes wrong comes as HTTP_FAIL: HOB_ENETWORK, HOB_ETIMEDOUT (to connect, or without a byte for
 * idle_ns), HOB_EDENIED for a certificate that is not trusted, HOB_ENOMEM. */
int http_call_start(struct http_client *c, const struct http_request *req, http_fn fn, void *ud,
                    struct http_call **out, struct hob_error *err);
/* Ends the call if it still runs, without a further callback. NULL is allowed. */
void http_call_close(struct http_call *call);
/* Back-pressure: no more DATA, END or FAIL until it goes on; idle time does not count meanwhile. */
void http_call_pause(struct http_call *call, bool paused);
int http_call_status(const struct http_call *call); /* 200 ...; 0 before HEAD */
/* The value of the first header of that name, in any case; borrowed from the call. */
bool http_call_header(const struct http_call *call, struct str name, struct str *value);

/* The heads as they came, those of 1xx answers in front; borrowed. */
struct str http_call_raw(const struct http_call *call);
/* After END or FAIL: libcurl's number for how it ended, which is what curl exits with. */
int http_call_result(const struct http_call *call);
const struct http_info *http_call_info(struct http_call *call); /* borrowed */

#endif

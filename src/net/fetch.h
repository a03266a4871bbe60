/* fetch.h -- HTTP for the commands of a sandbox: the one way out
 *
 * A process opens an exchange, waits for its head and reads its body. Opening asks the policy of
 * the sandbox; the address is asked about when the connection is made. Redirects are not followed:
 * whoever follows one opens the next exchange, which is decided anew.
 */
#ifndef HOB_NET_FETCH_H
#define HOB_NET_FETCH_H

#include "net/http.h"
#include "net/url.h"
#include "task/proc.h"

struct fetch {
    struct proc *p;
    struct http_stream *stream;
    struct url url;
    struct str method;
    struct http_state state; /* as of the last wait; its strings until the next one */
    size_t used;             /* bytes of state.data that were handed out */
};

/* What the policy says is sent: the canonical form of req->url, without userinfo, and the secrets
 * of its host, which replace headers of the same name. HOB_EDENIED, HOB_EINVAL (no URL),
 * HOB_ENOTSUP (no network in this build), HOB_ENOMEM, with a text. f lives until fetch_close(). */
int fetch_open(struct fetch *f, struct proc *p, const struct http_request *req,
               struct hob_error *err);
/* Waits until the head is there or the exchange ended (f->state). 0, or why the process must end:
 * HOB_EKILLED, HOB_EINTR. */
int fetch_head(struct fetch *f);
/* The next bytes of the body, until the next call. 0: some, or the end (n == 0). */
int fetch_read(struct fetch *f, struct str *out);
void fetch_close(struct fetch *f); /* f zeroed or closed before is allowed */

#endif

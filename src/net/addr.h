/* addr.h -- numeric IP addresses */
#ifndef HOB_NET_ADDR_H
#define HOB_NET_ADDR_H

#include "base/str.h"

/* An IP address; IPv4 uses the first four bytes. */
struct addr {
    bool v6;
    uint8_t b[16];
};
/* Numeric texts only: "127.0.0.1", "0x7f.1", "::1". */
bool addr_parse(struct str text, struct addr *out);
void addr_write(struct buf *b, const struct addr *addr);
/* Whether it is an address of the public internet: not this machine, a private or a link-local net,
 * multicast, or one that stands for such an address. */
bool addr_public(const struct addr *addr);

#endif

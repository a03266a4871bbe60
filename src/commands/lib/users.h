/* users.h -- names of users and groups, from /etc/passwd and /etc/group of the sandbox */
#ifndef HOB_COMMANDS_LIB_USERS_H
#define HOB_COMMANDS_LIB_USERS_H

#include "shell/command.h"

struct users {
    struct proc *p;
    struct str text[2]; /* passwd, group; read when first needed */
    bool loaded[2];
    uint32_t last_id[2]; /* the answer before is remembered */
    struct str last[2];
};

void users_init(struct users *u, struct proc *p);
/* {NULL,0}: there is no such user or group. */
struct str users_name(struct users *u, uint32_t uid);
struct str users_group(struct users *u, uint32_t gid);
/* By name (not by number). False: unknown. *gid, if not NULL, gets the user's group. */
bool users_find(struct users *u, struct str name, uint32_t *uid, uint32_t *gid);
bool users_find_group(struct users *u, struct str name, uint32_t *gid);
/* Field n of the passwd line of a user. */
struct str users_field(struct users *u, uint32_t uid, int n);

#endif

/* agent_thousand.c -- a thousand conversations at the same time, in one thread
 *
 * Each one is started, and the loop is stepped until all are done. While one waits for its model,
 * the others go on.
 */
#include <hob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SESSIONS = 1000
};

/* A script of replies: every conversation gets a call of a tool first, then a text. The model
 * takes a fifth of a second for each; one after the other that would be 400 s. */
static int write_script(char *path)
{
    int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f)
        return -1;
    for (int i = 0; i < SESSIONS; i++)
        fprintf(
            f, "{\"calls\":[{\"name\":\"bash\",\"args\":{\"command\":\"echo visitor >> guests\"}}],"
               "\"delay_ms\":200}\n");
    fprintf(f, "{\"text\":\"Welcome.\",\"delay_ms\":200,\"repeat\":true}\n");
    return fclose(f);
}

int main(void)
{
    char script[] = "/tmp/hob-example-XXXXXX", name[32];
    int done = 0;
    static hob_op *ops[SESSIONS];
    if (write_script(script) < 0)
        return 1;

    hob_provider offline = {.id = "offline", .base_url = script};
    hob_agent agent = HOB_AGENT_INIT;
    agent.model = "offline/example";
    agent.providers = &offline;
    agent.nproviders = 1;

    hob_harness *h;
    hob_session *s;
    hob_error err;
    if (hob_init(NULL, &agent, NULL, &h, &err) < 0) {
        fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    for (int i = 0; i < SESSIONS; i++) {
        snprintf(name, sizeof name, "visitor-%d", i);
        if (hob_harness_session(h, name, HOB_SESSION_CREATE, &s, &err) < 0 ||
            hob_prompt_start(s, "Sign the guest book.", NULL, &ops[i], &err) < 0)
            return 1;
    }
    hob_loop *loop = hob_harness_loop(h);
    for (int r; (r = hob_loop_step(loop)) != HOB_STEP_IDLE;)
        if (r == HOB_STEP_WAIT)
            hob_loop_wait(loop, -1);
    for (int i = 0; i < SESSIONS; i++) {
        hob_reply reply;
        if (hob_op_finish(ops[i], &reply, NULL, &err) == 0)
            done += strcmp(reply.text, "Welcome.") == 0;
        hob_reply_free(&reply);
    }
    printf("%d conversations\n", done);
    hob_result res;
    if (hob_harness_shell(h, "wc -l < guests", NULL, &res, &err) == 0)
        printf("%s guests\n", strtok(res.out, "\n"));
    hob_result_free(&res);
    hob_harness_free(h);
    unlink(script);
    return 0;
}

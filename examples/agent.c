/* agent.c -- an agent with a tool of the program's own, in a virtual sandbox
 *
 * The model here is a script of replies, so that the example runs anywhere. With
 * agent.model = "anthropic/claude-sonnet-4-6" and agent.env = environ the rest stays as it is.
 */
#include <hob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char replies[] =
    "{\"text\":\"I look at the order and ask for the stock.\",\"calls\":["
    "{\"name\":\"read\",\"args\":{\"path\":\"order.txt\"}},"
    "{\"name\":\"stock\",\"args\":{\"item\":\"kettle\"}}]}\n"
    "{\"calls\":[{\"name\":\"bash\",\"args\":{\"command\":"
    "\"echo 'Three kettles leave today.' > reply.txt; wc -w reply.txt\"}}]}\n"
    "{\"text\":\"The answer is in reply.txt.\"}\n";

/* What the model calls `stock`: the arguments fit the schema when it gets here. */
static int stock(hob_toolcall *call, void *ud)
{
    int *asked = ud;
    ++*asked;
    if (strstr(hob_toolcall_args(call), "kettle"))
        return hob_toolcall_answer(call, "12 in stock", HOB_Z);
    return hob_toolcall_fail(call, "there is no such item", HOB_Z);
}

static void show(void *ud, const hob_event *event)
{
    (void)ud;
    if (strcmp(event->type, "text_delta") == 0)
        fwrite(event->text, 1, event->text_len, stdout);
    else if (strcmp(event->type, "turn") == 0)
        putchar('\n');
    else if (strcmp(event->type, "tool_call") == 0) {
        const char *name = strstr(event->json, "\"toolName\":\"");
        printf("  [%.*s]\n", (int)strcspn(name + 12, "\""), name + 12);
    }
}

int main(void)
{
    char script[] = "/tmp/hob-example-XXXXXX";
    int fd = mkstemp(script), asked = 0;
    if (fd < 0 || write(fd, replies, strlen(replies)) < 0)
        return 1;
    close(fd);

    hob_tool tool = {.name = "stock",
                     .description = "How many of an item are in stock.",
                     .schema =
                         "{\"type\":\"object\",\"properties\":{\"item\":{\"type\":\"string\"}},"
                         "\"required\":[\"item\"]}",
                     .fn = stock,
                     .ud = &asked};
    hob_provider offline = {.id = "offline", .base_url = script};
    hob_agent agent = HOB_AGENT_INIT;
    agent.model = "offline/example";
    agent.instructions = "You answer orders.";
    agent.tools = &tool;
    agent.ntools = 1;
    agent.providers = &offline;
    agent.nproviders = 1;
    agent.event = show;

    hob_harness *h;
    hob_session *s;
    hob_reply reply;
    hob_error err;
    if (hob_init(NULL, &agent, NULL, &h, &err) < 0) {
        fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    hob_sandbox *box = hob_harness_sandbox(h);
    hob_write(box, "order.txt", "3 kettles, please.\n", 19);
    int r = hob_harness_session(h, NULL, HOB_SESSION_OPEN, &s, &err);
    if (r == 0)
        r = hob_session_prompt(s, "Answer the order in order.txt.", NULL, &reply, &err);
    if (r == 0) {
        hob_bytes out;
        if (hob_read(box, "reply.txt", &out) == 0)
            printf("reply.txt: %s", out.data);
        hob_free(out.data);
        printf("%d turns, the tool was asked %d time(s)\n", reply.turns, asked);
        hob_reply_free(&reply);
    } else {
        fprintf(stderr, "%s\n", err.msg);
    }
    hob_harness_free(h);
    unlink(script);
    return r < 0;
}

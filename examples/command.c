/* command.c -- a command of the program's own, used in a script like any other */
#include <ctype.h>
#include <hob.h>
#include <stdio.h>
#include <string.h>

/* shout [SUFFIX]: stdin in capitals. */
static int shout(hob_cmd *cmd, void *ud)
{
    char buf[512];
    ptrdiff_t n;
    int *calls = ud;
    ++*calls;
    if (hob_cmd_argc(cmd) > 2) {
        hob_cmd_error(cmd, "shout: too many words\n", HOB_Z);
        return 2;
    }
    while ((n = hob_cmd_read(cmd, buf, sizeof buf)) > 0) {
        for (ptrdiff_t i = 0; i < n; i++)
            buf[i] = (char)toupper((unsigned char)buf[i]);
        if (hob_cmd_write(cmd, buf, (size_t)n) < 0)
            return 1;
    }
    if (hob_cmd_argc(cmd) == 2) {
        hob_cmd_print(cmd, hob_cmd_arg(cmd, 1));
        hob_cmd_print(cmd, "\n");
    }
    return 0;
}

int main(void)
{
    int calls = 0;
    hob_sandbox *box;
    hob_result res;
    if (hob_sandbox_new(NULL, &box, NULL) < 0)
        return 1;
    hob_command_add(box, "shout", "Turn stdin into capitals.", shout, &calls);
    if (hob_exec(box,
                 "printf 'a\\nb\\n' | shout '!' | sort -r; shout a b; echo $?; "
                 "ls /usr/bin/shout; x=$(echo c | shout); echo $x",
                 NULL, &res) == 0) {
        printf("%s%s%d calls\n", res.out, res.err, calls);
        hob_result_free(&res);
    }
    hob_sandbox_free(box);
    return 0;
}

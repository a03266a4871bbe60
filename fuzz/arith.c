/* arith.c -- fuzz target: an expression through every way arithmetic is evaluated
 *
 * TM-INP-1. The text comes in by $((..)), by ((..)), by let, by an integer variable, by a subscript
 * and by a slice. An expression of plain characters is also put into a script, where it is compiled
 * once and for all: value and side effects must be those of the text that is read at run time.
 */
#include "fuzz.h"

/* $1 is the expression, $2 is not empty when it may stand in a script. */
static const char arith_script[] =
    "E=$1\n"
    "setup() { x=9 y=-2 z=0x10 s='x+1' n=2; a=(5 6 7); unset m; declare -gA m=([k]=3 [j]=4); }\n"
    "show() { echo \"$? $r|$x|$y|$z|$s|$n|${a[*]}|${m[k]}|${m[j]}|${#m[@]}\"; }\n"
    "setup; A=$( (r=$(( $E )); show) 2>/dev/null)\n"
    "setup; B=$A; [ -z \"$2\" ] || B=$( (eval \"r=\\$(( $E ))\"; show) 2>/dev/null)\n"
    "setup; C=$( (declare -i r; r=$E; show) 2>/dev/null)\n"
    "( (( $E )) ) 2>/dev/null; ( let \"$E\" ) 2>/dev/null\n"
    "( echo \"${a[$E]}\" \"${s:$E}\" \"${a[@]:$E:2}\" ) >/dev/null 2>&1\n"
    "( [[ $E -eq 3 || $E -lt n ]]; for ((i = 0; i < 2 && ($E); i++)); do :; done ) 2>/dev/null\n"
    "printf '%s\\n%s\\n%s\\n' \"$A\" \"$B\" \"$C\"\n";

/* What may stand in $(( )) of a script without another meaning. */
static int arith_plain(const char *s, size_t n)
{
    int depth = 0;
    for (size_t i = 0; i < n; i++) {
        if (!strchr("0123456789xyznsam+-*/%<>=!&|^~?:,()[] ", s[i]))
            return 0;
        depth += (s[i] == '(') - (s[i] == ')');
        if (depth < 0)
            return 0;
    }
    return depth == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[2048];
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    int plain = arith_plain(text, strlen(text));
    const char *args[] = {text, plain ? "plain" : "", NULL};
    hob_exec_options run = {.size = sizeof run, .args = args};
    hob_sandbox *box = fuzz_box(100000);
    hob_result res = {0};
    if (hob_exec(box, arith_script, &run, &res) >= 0) {
        char *a = res.out, *b = strchr(a, '\n'), *c = b ? strchr(b + 1, '\n') : NULL;
        /* Limits may end the script before it prints; then there is nothing to compare. */
        if (c && res.limit == 0) {
            *b = *c = '\0';
            fuzz_demand(!plain || strcmp(a, b + 1) == 0);
        }
        hob_result_free(&res);
    }
    fuzz_box_end(box);
    return 0;
}

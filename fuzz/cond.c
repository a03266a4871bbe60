/* cond.c -- fuzz target: [[ ]], case and test with any operands
 *
 * TM-INP-1. A line end parts a text from a pattern. [[ == ]], != and case must agree about them, a
 * quoted pattern is the text itself, and test must agree with [[ ]] where both know the operator.
 * The whole input is also read as the inside of [[ ]].
 */
#include "fuzz.h"

static const char cond_script[] =
    "t=$1 p=$2 x=5 a=(1 2); bad() { echo \"BAD $1\"; }\n"
    "for o in -s -u; do shopt $o extglob; for c in -u -s; do shopt $c nocasematch\n"
    "[[ $t == $p ]]; r=$?; [[ $t != $p ]]; (( $? + r == 1 )) || bad not\n"
    "case $t in $p) q=0 ;; *) q=1 ;; esac\n"
    "[ $o = -u ] || [ $q = $r ] || bad case\n"
    "[[ $t == \"$t\" ]] || bad self\n"
    "[[ ! ( $t == $p ) ]]; (( $? + r == 1 )) || bad paren\n"
    "done; done; shopt -u nocasematch\n"
    "for o in = != '<' '>'; do [ \"$t\" \"$o\" \"$p\" ]; r=$?\n"
    "eval \"[[ \\$t $o \\\"\\$p\\\" ]]\"; [ $? = $r ] || bad \"test $o\"; done\n"
    "[[ -z $t ]]; r=$?; [[ -n $t ]]; (( $? + r == 1 )) || bad empty\n"
    "[[ $t =~ $p ]] 2>/dev/null; r=$?\n"
    "if [ $r = 0 ]; then [[ $t == *\"${BASH_REMATCH[0]}\"* ]] || bad rematch; fi\n"
    "[[ $t =~ \"$t\" ]] || bad literal\n"
    "( [[ $t -eq $p || $t -lt x ]]; [[ -v $t ]]; test \"$t\" -ot \"$p\"; test $p ) 2>/dev/null\n"
    "( eval \"[[ $3 ]]\" ) >/dev/null 2>&1\n"
    "( eval \"test $3\" ) >/dev/null 2>&1\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[1024], whole[1024];
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    strcpy(whole, text);
    char *pattern = strchr(text, '\n');
    if (pattern)
        *pattern++ = '\0';
    const char *args[] = {text, pattern ? pattern : "", whole, NULL};
    fuzz_script(cond_script, args);
    return 0;
}

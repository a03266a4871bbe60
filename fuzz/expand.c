/* expand.c -- fuzz target: words, their expansion, and the ways to quote what came out
 *
 * TM-INP-1. The input is a word list as in a script: it is expanded in several places. What a
 * variable holds must survive printf %q, ${x@Q}, declare -p and read, byte for byte.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hob.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char expand_script[] =
    "T=$1; x='a b' y='*' e= u=äöü; unset n; a=(1 'two 2' '' 4); declare -A m=([k]=v ['q r']=s)\n"
    "set -- \"p 1\" p2 ''; touch f1 f2 'f 3'\n"
    "bad() { echo \"BAD $1\"; }\n"
    "Q=$(printf %q \"$T\"; echo .); eval \"R=${Q%.}\"; [ \"$R\" = \"$T\" ] || bad q\n"
    "eval \"R=${T@Q}\"; [ \"$R\" = \"$T\" ] || bad Q\n"
    "D=$(declare -p T; echo .); U=$T; T=; eval \"${D%.}\"; [ \"$T\" = \"$U\" ] || bad p\n"
    "w=(\"$T\" \"$T$T\"); D=$(declare -p w); v=(\"${w[@]}\"); eval \"$D\"\n"
    "[ \"${w[0]}\" = \"${v[0]}\" ] && [ \"${w[1]}\" = \"${v[1]}\" ] || bad array\n"
    "m[\"$T.\"]=$T; D=$(declare -p m); m=(); eval \"$D\"; [ \"${m[\"$T.\"]}\" = \"$T\" ] || bad "
    "assoc\n"
    "IFS= read -r -d '' R < <(printf '%s\\0' \"$T\"); [ \"$R\" = \"$T\" ] || bad read\n"
    "[ \"${T#\"$T\"}\" = '' ] && [ \"${T/\"$T\"/}\" = '' ] || bad pattern\n"
    "[[ $T == \"$T\" && $T = $(printf %q \"$T\") || 1 ]] || bad cond\n"
    "[ \"${T^^}\" = \"${T~~}\" ] || :; [ ${#T} -le 4096 ] || bad length\n"
    "( eval \"set -- $T\"; printf '<%s>' \"$@\" ) >/dev/null 2>&1\n"
    "( eval \"w=($T)\"; declare -p w ) >/dev/null 2>&1\n"
    "( eval \"v=$T\"; echo \"${v@P}${v@E}\" ) >/dev/null 2>&1\n"
    "( eval \"cat <<EOF\n$T\nEOF\n\" ) >/dev/null 2>&1\n"
    "( eval \"echo \\\"$T\\\"\" ) >/dev/null 2>&1\n"
    "( eval \"echo \\${x$T} \\${a[@]$T}\" ) >/dev/null 2>&1\n";

static void expand_demand(int x)
{
    if (!x)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hob_options opt = {.size = sizeof opt};
    hob_exec_options run = {.size = sizeof run};
    hob_sandbox *box = NULL;
    hob_result res = {0};
    char text[2048];
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    const char *args[] = {text, NULL};
    opt.clock = HOB_CLOCK_VIRTUAL;
    opt.seed = 1;
    opt.limits.size = sizeof opt.limits;
    opt.limits.memory = 16 << 20;
    opt.limits.fuel = 300000;
    opt.limits.output = 1 << 20;
    opt.limits.processes = 32;
    run.args = args;
    expand_demand(hob_sandbox_new(&opt, &box, NULL) >= 0);
    if (hob_exec(box, expand_script, &run, &res) >= 0) {
        expand_demand(res.limit != 0 || strstr(res.out, "BAD") == NULL);
        hob_result_free(&res);
    }
    hob_sandbox_free(box);
    return 0;
}

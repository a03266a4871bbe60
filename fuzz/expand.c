/* expand.c -- fuzz target: words, their expansion, and the ways to quote what came out
 *
 * TM-INP-1. The input is a word list as in a script: it is expanded in several places. What a
 * variable holds must survive printf %q, ${x@Q}, declare -p and read, byte for byte.
 */
#include "fuzz.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[2048];
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    const char *args[] = {text, NULL};
    fuzz_script(expand_script, args);
    return 0;
}

/* jq_prelude.c -- functions in jq's own language, read when a program first calls them */
#include "commands/jq/jq.h"

const struct jq_prelude_row jq_prelude[] = {
    {"IN", 1, "def IN(s): any(s == .; .);"},
    {"IN", 2, "def IN(src; s): any(src == s; .);"},
    {"INDEX", 1, "def INDEX(f): INDEX(.[]; f);"},
    {"INDEX", 2,
     "def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] |= $row);"},
    {"GROUP_BY", 1, "def GROUP_BY(f): group_by(f);"},
    {"JOIN", 2, "def JOIN($index; f): [.[] | [., $index[f]]];"},
    {"JOIN", 3, "def JOIN($index; stream; f): stream | [., $index[f]];"},
    {"JOIN", 4, "def JOIN($index; stream; f; join): stream | [., $index[f]] | join;"},
    {"all", 0, "def all: all(.[]; .);"},
    {"all", 1, "def all(f): all(.[]; f);"},
    {"all", 2, "def all(g; condition): isempty(first(g | condition and empty));"},
    {"any", 0, "def any: any(.[]; .);"},
    {"any", 1, "def any(f): any(.[]; f);"},
    {"any", 2, "def any(g; condition): isempty(first(g | condition or empty)) | not;"},
    {"arrays", 0, "def arrays: select(type == \"array\");"},
    {"ascii", 0, "def ascii: [.] | implode;"},
    {"booleans", 0, "def booleans: select(type == \"boolean\");"},
    {"capture", 1,
     "def capture($val): ($val | type) as $vt |"
     " if $vt == \"string\" then capture($val; null)"
     " elif $vt == \"array\" and ($val | length) > 1 then capture($val[0]; $val[1])"
     " elif $vt == \"array\" and ($val | length) > 0 then capture($val[0]; null)"
     " else error($vt + \" not a string or array\") end;"},
    {"capture", 2,
     "def capture(re; flags): match(re; flags) |"
     " [.captures | .[] | select(.name != null) | {key: .name, value: .string}] | from_entries;"},
    {"combinations", 0,
     "def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w |"
     " [$x] + $w end;"},
    {"combinations", 1, "def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;"},
    {"date", 0, "def date: todate;"},
    {"dateadd", 2, "def dateadd(u; n): . + n;"},
    {"datesub", 2, "def datesub(u; n): . - n;"},
    {"debug", 1, "def debug(msg): (msg | debug | empty), .;"},
    {"del", 1, "def del(f): delpaths([path(f)]);"},
    {"finites", 0, "def finites: select(isinfinite or isnan | not);"},
    {"first", 0, "def first: .[0];"},
    {"flatten", 0, "def flatten: _flatten(1e9);"},
    {"flatten", 1, "def flatten($x): _flatten($x);"},
    {"from_entries", 0,
     "def from_entries: reduce .[] as $x ({}; . + {($x | .key // .k // .Key // .K // .name // "
     ".Name):"
     " ($x | if has(\"value\") then .value elif has(\"v\") then .v elif has(\"V\") then .V"
     " else .Value end)});"},
    {"fromdate", 0, "def fromdate: fromdateiso8601;"},
    {"fromdateiso8601", 0, "def fromdateiso8601: strptime(\"%Y-%m-%dT%H:%M:%SZ\") | mktime;"},
    {"fromstream", 1,
     "def fromstream(f): {x: null, e: false} as $init |"
     " foreach f as $i ($init;"
     "  if .e then $init else . end |"
     "  if $i | length == 2"
     "  then setpath([\"e\"]; $i[0] | length == 0) | setpath([\"x\"] + $i[0]; $i[1])"
     "  else setpath([\"e\"]; $i[0] | length == 1) end;"
     "  if .e then .x else empty end);"},
    {"group_by", 1, "def group_by(f): _group_by(map([f]));"},
    {"gsub", 2, "def gsub($re; str): sub($re; str; \"g\");"},
    {"gsub", 3, "def gsub($re; str; $flags): sub($re; str; $flags + \"g\");"},
    {"halt_error", 0, "def halt_error: halt_error(5);"},
    {"in", 1, "def in(xs): . as $x | xs | has($x);"},
    {"index", 1, "def index($i): indices($i) | .[0];"},
    {"inputs", 0,
     "def inputs: def r: (try input catch if . == \"break\" then empty else error end)"
     " | (., r); r;"},
    {"inside", 1, "def inside(xs): . as $x | xs | contains($x);"},
    {"isempty", 1, "def isempty(g): label $go | (g | false, break $go), true;"},
    {"isfinite", 0, "def isfinite: type == \"number\" and (isinfinite | not);"},
    {"isvalid", 1, "def isvalid(f): try (f | true) catch false;"},
    {"iterables", 0, "def iterables: select(type | . == \"array\" or . == \"object\");"},
    {"last", 0, "def last: .[-1];"},
    {"last", 1, "def last(f): reduce f as $x (null; $x);"},
    {"leaf_paths", 0, "def leaf_paths: paths(scalars);"},
    {"limit", 2,
     "def limit($n; f): if $n > 0 then label $out | foreach f as $item (0; . + 1; $item,"
     " if . >= $n then break $out else empty end) elif $n == 0 then empty else f end;"},
    {"map", 1, "def map(f): [.[] | f];"},
    {"map_values", 1, "def map_values(f): .[] |= f;"},
    {"match", 1,
     "def match($val): ($val | type) as $vt |"
     " if $vt == \"string\" then match($val; null)"
     " elif $vt == \"array\" and ($val | length) > 1 then match($val[0]; $val[1])"
     " elif $vt == \"array\" and ($val | length) > 0 then match($val[0]; null)"
     " else error($vt + \" not a string or array\") end;"},
    {"match", 2, "def match(re; mode): _match(re; mode; false) | .[];"},
    {"max_by", 1, "def max_by(f): _max_by(map([f]));"},
    {"min_by", 1, "def min_by(f): _min_by(map([f]));"},
    {"normals", 0, "def normals: select(isnormal);"},
    {"nth", 1, "def nth($n): .[$n];"},
    {"nth", 2,
     "def nth($n; f): if $n < 0 then error(\"nth doesn't support negative indices\")"
     " else label $out | foreach f as $item ($n; . - 1;"
     " if . < 0 then $item, break $out else empty end) end;"},
    {"nulls", 0, "def nulls: select(. == null);"},
    {"numbers", 0, "def numbers: select(type == \"number\");"},
    {"objects", 0, "def objects: select(type == \"object\");"},
    {"paths", 0, "def paths: path(..) | select(length > 0);"},
    {"paths", 1,
     "def paths(node_filter): . as $dot | paths |"
     " select(. as $p | $dot | getpath($p) | node_filter);"},
    {"pick", 1,
     "def pick(pathexps): . as $top |"
     " reduce path(pathexps) as $p (null; setpath($p; $top | getpath($p)));"},
    {"range", 3,
     "def range($from; $upto; $by):"
     " if $by > 0 then $from | while(. < $upto; . + $by)"
     " elif $by < 0 then $from | while(. > $upto; . + $by) else empty end;"},
    {"recurse", 0, "def recurse: recurse(.[]?);"},
    {"recurse", 1, "def recurse(f): def r: ., (f | r); r;"},
    {"recurse", 2, "def recurse(f; cond): def r: ., (f | select(cond) | r); r;"},
    {"recurse_down", 0, "def recurse_down: recurse;"},
    {"repeat", 1, "def repeat(f): def _repeat: f, _repeat; _repeat;"},
    {"rindex", 1, "def rindex($i): indices($i) | .[-1:][0];"},
    {"scalars", 0, "def scalars: select(type | . != \"array\" and . != \"object\");"},
    {"scan", 1, "def scan($re): scan($re; null);"},
    {"scan", 2,
     "def scan($re; $flags): match($re; \"g\" + $flags) |"
     " if (.captures | length) > 0 then [.captures | .[] | .string] else .string end;"},
    {"select", 1, "def select(f): if f then . else empty end;"},
    {"sort_by", 1, "def sort_by(f): _sort_by(map([f]));"},
    {"split", 2,
     "def split($re; flags): . as $s |"
     " [foreach ((match($re; flags + \"g\") | [.offset, .length]), null) as $m"
     " ([0, null]; if $m == null then [.[0], $s[.[0]:]]"
     " else [$m[0] + $m[1], $s[.[0]:$m[0]]] end; .[1])];"},
    {"splits", 1, "def splits($re): splits($re; null);"},
    {"splits", 2, "def splits($re; flags): split($re; flags) | .[];"},
    {"strings", 0, "def strings: select(type == \"string\");"},
    {"sub", 2, "def sub($re; str): sub($re; str; \"\");"},
    {"sub", 3,
     "def sub($re; str; $flags): . as $in |"
     " (reduce match($re; $flags) as $edit ({result: [], previous: 0};"
     "  $in[.previous:$edit.offset] as $gap |"
     "  [$edit.captures | map(select(.name != null) | {key: .name, value: .string}) |"
     "   from_entries | str] as $inserts |"
     "  reduce range(0; $inserts | length) as $i (.; .result[$i] += $gap + $inserts[$i]) |"
     "  .previous = $edit.offset + $edit.length) |"
     "  .result[] + $in[.previous:]) // $in;"},
    {"test", 1,
     "def test($val): ($val | type) as $vt |"
     " if $vt == \"string\" then test($val; null)"
     " elif $vt == \"array\" and ($val | length) > 1 then test($val[0]; $val[1])"
     " elif $vt == \"array\" and ($val | length) > 0 then test($val[0]; null)"
     " else error($vt + \" not a string or array\") end;"},
    {"test", 2, "def test(re; mode): _match(re; mode; true);"},
    {"todate", 0, "def todate: strftime(\"%Y-%m-%dT%H:%M:%SZ\");"},
    {"todateiso8601", 0, "def todateiso8601: strftime(\"%Y-%m-%dT%H:%M:%SZ\");"},
    {"tostream", 0,
     "def tostream: path(def r: (.[]? | r), .; r) as $p | getpath($p) |"
     " reduce path(.[]?) as $q ([$p, .]; [$p + $q]);"},
    {"truncate_stream", 1,
     "def truncate_stream(stream): . as $n | null | stream | . as $input |"
     " if (.[0] | length) > $n then setpath([0]; $input[0][$n:]) else empty end;"},
    {"unique_by", 1, "def unique_by(f): _unique_by(map([f]));"},
    {"until", 2,
     "def until(cond; update): def _until: if cond then . else (update | _until) end;"
     " _until;"},
    {"values", 0, "def values: select(. != null);"},
    {"walk", 1,
     "def walk(f): def w: if type == \"object\" then map_values(w)"
     " elif type == \"array\" then map(w) else . end | f; w;"},
    {"while", 2,
     "def while(cond; update): def _while: if cond then ., (update | _while)"
     " else empty end; _while;"},
    {"with_entries", 1, "def with_entries(f): to_entries | map(f) | from_entries;"},
};

size_t jq_prelude_count(void) { return COUNT(jq_prelude); }

int jq_prelude_find(struct str name, uint32_t nparams)
{
    for (size_t i = 0; i < COUNT(jq_prelude); i++)
        if (jq_prelude[i].nparams == (int)nparams && str_eqz(name, jq_prelude[i].name))
            return (int)i;
    return -1;
}

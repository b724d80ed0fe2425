#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Odd profiles in all formats of other programs: names that are no text, nothing measured, many
# functions; the same data make the same file.

. "$SRC/testsuite/mlprof.sh"
. "$SRC/testsuite/export/programs.sh"
need readelf python3

# formats PROGRAM DATA...: into out.FORMAT, twice.
formats() {
    # Not of calls alone.
    [ "$1" = many ] && formats= || formats=google-pprof
    formats="$formats callgrind firefox folded pprof speedscope"
    for format in $formats; do
        run 0 "$MLPROF" -balance false -"$format" first "$@"
        run 0 "$MLPROF" -balance false -"$format" "out.$format" "$@"
        cmp first "out.$format" || fail "-$format made another file of the same data"
    done
}

# json FILE EXPRESSION: it is true of the value `data' that the file has.
json() {
    python3 -c 'import json, sys
data = json.load(open(sys.argv[1], encoding="utf-8"))
sys.exit(not eval(sys.argv[2]))' "$@" || fail "$1: not so: $2"
}

echo 'Names.'
example odd "say \\\"a'b\\\\c" 'new\nline \377\303\244'
data odd.out 3 0 "$PWD/odd" -- "0 0 $(at odd 0) 1" "0 0 $(at odd 4) 2"
formats odd odd.out
# What is not UTF-8 is U+FFFD, what controls a terminal is written out.
outer='"say \"a'"'"'b\\c"' inner='"new\\x0aline \ufffd\u00e4"'
json out.speedscope "[frame['name'] for frame in data['shared']['frames']] == [$outer, $inner]"
json out.speedscope "data['profiles'][0]['samples'] == [[0], [0, 1]]"
json out.speedscope "data['profiles'][0]['weights'] == [10000000, 20000000]"
json out.firefox "$outer in data['shared']['stringArray'] and $inner in data['shared']['stringArray']"
json out.firefox "data['threads'][0]['samples']['weight'] == [10, 20]"
json out.firefox "data['shared']['frameTable']['inlineDepth'] == [0, 0, 1]"
# Addresses are those from where the file is loaded, and the function begins at the first.
json out.firefox "data['shared']['frameTable']['address'] == [$(at odd 0), $(at odd 4), $(at odd 4)]"
json out.firefox "data['shared']['nativeSymbols'] == {'libIndex': [0], 'address': [$(at odd 0)], 'name': [data['shared']['stringArray'].index($outer)], 'functionSize': [12], 'length': 1}"
json out.firefox "data['libs'][0]['codeId'] == '$(build_id odd)'"
id=$(build_id odd | tr a-f A-F)
# 0123456789AB... is 67452301AB89...
guid=$(echo "$id" | sed 's/\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(.\{16\}\).*/\4\3\2\1\6\5\8\7\90/')
json out.firefox "data['libs'][0]['breakpadId'] == '$guid'"

# google-pprof takes two dashes for the end of a name.
grep -a -q '^0x0*1 new\\x0aline ' out.google-pprof || fail "-google-pprof: $(cat -v out.google-pprof)"
example dashes 'a::operator--' 'b---c'
data dashes.out 3 0 "$PWD/dashes" -- "0 0 $(at dashes 0) 1" "0 0 $(at dashes 4) 2"
formats dashes dashes.out
if have google-pprof 'google-pprof'; then
    google-pprof --text out.google-pprof >got 2>err || fail "google-pprof: $(cat err)"
    has got '^ *2 .* 2  *66.7% b- - -c$'
    has got '^ *1 .* 3 100.0% a::operator- -$'
fi

echo 'Nothing was measured.'
data none 0 0 "$PWD/odd" --
formats odd none
json out.speedscope "data['profiles'][0]['samples'] == [] and data['profiles'][0]['endValue'] == 0"
json out.firefox "data['threads'][0]['samples']['length'] == 0"

echo 'Many functions, each called once.'
{
    for number in $(seq 600); do
        echo "int f$number(int x) { return x + $number; }"
    done
    echo 'int main(void) { int x = 0;'
    seq -f 'x = f%.0f(x);' 600
    echo 'return x == 0; }'
} >many.c
pcc -O0 -fplugin-arg-ccprof-profile=count many.c -o many
CCPROF=output=many.out ./many
formats many many.out
{
    seq -f 'f%.0f 1' 600
    echo 'main 1'
} | sort >want
sort out.folded >got
same got want
python3 "$EXPORT/pprof.py" own out.pprof calls out.folded
python3 "$EXPORT/speedscope.py" out.speedscope calls 1 out.folded
python3 "$EXPORT/firefox.py" file out.firefox calls 1 out.folded

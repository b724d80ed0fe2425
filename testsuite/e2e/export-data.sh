#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables as data: JSON keeps to its schema, CSV is one of its tables; of C, C++ and Fortran, of all
# kinds, of odd names, and of nothing.

. "$SRC/testsuite/mlprof.sh"
need readelf python3
# The interpreter that Debian's packages are for.
PYTHON=python3
[ ! -x /usr/bin/python3 ] || PYTHON=/usr/bin/python3
"$PYTHON" -c 'import jsonschema' 2>/dev/null || skip 'python3-jsonschema is not installed'

# tables PROGRAM DATA TABLE [OPTION...]: both formats, and what is compared of them.
tables() {
    program=$1 file=$2 name=$3
    shift 3
    run 0 "$MLPROF" "$@" -json tables.json -csv table.csv -folded folded "$program" "$file"
    "$PYTHON" "$SRC/testsuite/export/data.py" "$SRC/doc/mlprof.schema.json" tables.json table.csv "$name" \
        ${FOLDED:+folded} || fail "$name of $program"
}

echo 'By hand.'
recursive
FOLDED=yes tables prog one functions
has table.csv '^main,main,prog.c,7,5,false,41,410000000,0.41,'
FOLDED='' tables prog one lines -list .
has table.csv '^main,prog.c,9,41,410000000,96,960000000,,,'
tables prog one calls -callers .
has table.csv '^main,prog.c,7,sq,prog.c,3,83,830000000,,,,'
STACK=no

echo 'Names.'
example odd 'a, \"b\"' 'new\nline\377'
data odd.out 3 0 "$PWD/odd" -- "0 0 $(at odd 0) 1" "0 0 $(at odd 4) 2"
tables odd odd.out functions
has table.csv '^"a, ""b""",'

# value EXPRESSION: what it is of the JSON, called t.
value() {
    "$PYTHON" -c "import json; t = json.load(open('tables.json')); print($1)"
}

if have "$CXX" 'C++'; then
    echo 'C++: all kinds.'
    pcxx -O2 -fplugin-arg-ccprof-profile=time,count,alloc -fplugin-arg-ccprof-blocks \
        "$SRC/testsuite/export/templates.cc" -o templates
    CCPROF=rate=1000 ./templates >printed
    FOLDED=yes tables templates mlmon.out functions
    # fib(30) is called 2 F(31) - 1 times, all but once by itself.
    value "[row['calls'] for row in t['functions'] if row['function'] == 'fib']" >got
    echo '[2692537]' | holds got
    value "sorted(row['calls'] for row in t['calls'] if row['callee'] == 'fib')" >got
    echo '[1, 2692536]' | holds got
    FOLDED='' tables templates mlmon.out call_sites -arcs .
    tables templates mlmon.out allocations -allocs site
    tables templates mlmon.out groups -by file
    # Executions are those of the lines of all functions; they are no calls.
    tables templates mlmon.out groups -by line
    value "'\n'.join('%s:%d %d' % (row['file'], row['line'], row['executions']) for row in t['groups'] \
        if row['executions'])" | sort >got
    value "'\n'.join('%s:%d %d' % (row['file'], row['line'], row['executions']) for row in t['lines'] \
        if row['line'] and row['executions'])" | awk '{ n[$1] += $2 } END { for (at in n) print at, n[at] }' |
        sort >want
    comm -23 want got >missing
    { [ "$(wc -l <got)" -gt 20 ] && [ "$(wc -l <missing)" -eq 0 ]; } || fail "not what lines have: $(cat missing)"
    value "sum(row['samples'] for row in t['groups']), {row['calls'] for row in t['groups']}" >got
    value "t['run']['total'], {None}" >want
    same got want
    value "all(row['local_samples'] >= row['samples'] for row in t['groups'])" >got
    echo True | holds got
    FOLDED='' tables templates mlmon.out groups -by copy
    value "sum(row['code_bytes'] is not None for row in t['groups']) > 5" >got
    echo True | holds got
    # Shares are of what the rows add up to, here executions; what only functions have of the stack
    # is not known.
    pcxx -O2 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks -fplugin-arg-ccprof-stack \
        "$SRC/testsuite/export/templates.cc" -o executed
    ./executed >printed
    tables executed mlmon.out groups -by line
    value "abs(sum(row['share'] for row in t['groups']) - 1) < 1e-9, {row['stack_calls'] for row in t['groups']}" >got
    echo 'True {None}' | holds got
fi
if have "$FC" 'Fortran'; then
    echo 'Fortran: bytes alone, calls alone.'
    pfc -fplugin-arg-ccprof-profile=alloc "$SRC/testsuite/alloc/levels.f90" -o levels
    ./levels >printed
    FOLDED='' tables levels mlmon.out functions
    value "t['run']['total']" >got
    awk '$2 ~ /^[0-9]+$/ { bytes += $2 } END { print bytes }' printed | holds got
    pfc -fplugin-arg-ccprof-profile=count "$SRC/testsuite/count/fortran.f90" -o calls
    ./calls >printed
    tables calls mlmon.out functions
    value "{row['samples'] for row in t['functions']}, t['run']['kinds']" >got
    echo "{None} ['count']" | holds got
fi

echo 'Nothing was measured.'
data none 0 0 "$PWD/prog" --
run 0 "$MLPROF" -json tables.json prog none
value "t['functions'], t['run']['samples']" >got
echo '[] 0' | holds got
run 0 "$MLPROF" -csv - prog none
[ "$(wc -l <out)" -eq 1 ]

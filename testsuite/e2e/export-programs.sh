#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiled programs in the formats of other programs, each read by the program that owns it: names,
# stacks, lines and totals are mlprof's.

. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/export/programs.sh"
need python3

pprof() {
    python3 "$EXPORT/pprof.py" "$@" || fail "pprof.py $*"
}

arg=-fplugin-arg-ccprof-profile
programs='c cxx calls bytes all'
profiled c pcc c.c
profiled cxx pcxx cxx.cc
profiled calls pcc c.c $arg=count -fplugin-arg-ccprof-blocks
profiled bytes pcc c.c $arg=alloc
profiled all pcc c.c $arg=time,count,alloc
if have "$FC" 'Fortran'; then
    profiled fortran pfc fortran.f90
    programs="$programs fortran"
fi

for name in $programs; do
    run 0 "$MLPROF" -folded "$name.folded" -list . -balance false "$name" "$name.out"
    mv out "$name.list"
done

# What is called how often stands in c.c.
cat >calls.want <<'END'
main 1
descend 300
other 60
polish 120
square 4800000
END
sort calls.want >want
sort calls.folded >got
same got want

echo 'pprof.'
for name in $programs; do
    run 0 "$MLPROF" -pprof "$name.pb.gz" "$name" "$name.out"
    case "$name" in
    calls) type=calls ;;
    bytes) type=alloc_space ;;
    *) type=samples ;;
    esac
    # Phases are labels there, frames here.
    sed 's/^\[second half\];//' "$name.folded" >"$name.stacks"
    if [ "$name" != calls ]; then
        pprof stacks "$name.pb.gz" $type "$name.stacks"
        pprof lines "$name.pb.gz" $type "$name.list"
    fi
done
pprof own calls.pb.gz calls calls.folded
# Each measure of one run is a value of its own.
pprof own all.pb.gz calls calls.folded
pprof own all.pb.gz alloc_space bytes.folded
[ "$(pprof total all.pb.gz alloc_objects)" = 120 ] || fail 'blocks'
[ "$(pprof total bytes.pb.gz alloc_objects)" = 120 ] || fail 'blocks alone'

# go_pprof FILE OPTION...: into the file `got'.
go_pprof() {
    go_file=$1
    shift
    HOME=$PWD go tool pprof "$@" "$go_file" >got 2>err || fail "go tool pprof: $(cat err)"
}
if have go 'go tool pprof'; then
    for name in $programs; do
        type=$(python3 "$EXPORT/pprof.py" dump "$name.pb.gz" | sed -n 's/^type \([^ ]*\) .*default$/\1/p')
        go_pprof "$name.pb.gz" -top -nodecount=100000 -nodefraction=0 -unit=ms
        pprof top "$name.pb.gz" "$type" got
    done
    go_pprof calls.pb.gz -peek '^polish$'
    has got '^ *60 .*% |   descend$'
    has got '^ *60 .*% |   other$'
    has got '^ *120 .*4800120 .*| polish$'
    go_pprof c.pb.gz -peek '^square$'
    has got ' 100% |   polish (inline)$'
    go_pprof c.pb.gz -tags
    has got 'second half$'
    # What stands in another file is listed there.
    go_pprof calls.pb.gz -list '^square$'
    has got '^ *4800000  *4800000 *16:static inline double square'
    go_pprof c.pb.gz -list '^polish$' -unit=ms
    has got 'polish in .*/step.h$'
    has got 's  *3:x = square(x)'
fi

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Allocations in library code that is not inlined, by the call outside of libraries that led
# there, against the program's own count: callbacks, recursion, exceptions, longjmp, tail calls,
# threads, shared objects.  It is the same whatever is inlined.

. "$SRC/testsuite/mlprof.sh"
. "$SRC/testsuite/alloc/alloc.sh"

p=$ALLOC/paths
"$CXX" -O2 -isystem "$p/lib" -c "$p/pathnew.cc" -o new.o

# lines FILE...: `LINE BYTES BLOCKS' of the program's own, without what exceptions take, and
# `0 BYTES BLOCKS' of the library's.
lines() {
    "$MLPROF" -allocs path -library pathlib.h "$@" | awk '
        NR > 2 && /%/ && !/__cxa_allocate/ {
            gsub(/,/, "")
            line = /path[a-z]*\.cc: [0-9]+$/ ? $NF : 0
            bytes[line] += $2
            blocks[line] += $3
        }
        END { for (line in bytes) print line, bytes[line], blocks[line] }' | sort -n
}

for options in -O0 -O2 "-O3 -g -flto" "-Os -fPIC -fno-inline" -O1; do
    rm -f mlmon.out
    # shellcheck disable=SC2086
    pcxx -std=c++23 $options -fPIC "$KIND" -isystem "$p/lib" -shared "$p/pathplug.cc" -o libpathplug.so
    # shellcheck disable=SC2086
    pcxx -std=c++23 $options "$KIND" -isystem "$p/lib" "$p/paths.cc" new.o -rdynamic -o paths -ldl -pthread
    ./paths >counted || fail "$options: the program ended with $?"
    lines paths mlmon.out >got
    same got counted
done

# What is left is told; a part of the stacks, and a profiled operator new, go by what was inlined.
run 0 "$MLPROF" -allocs path paths
sed -n '/^77 /,$p' out >got
run 0 "$MLPROF" -allocs path -library pathlib.h paths
grep -qx '77 bytes in functions of libraries that were not inlined:' out || fail "$(cat out)"
has out '^what called them is not profiled$'
sed -n '/^77 /,$p' out >want
same got want
run 0 "$MLPROF" -allocs path -library pathlib.h -ignore '^throws$' paths
hasnot out 'what called them is not profiled'
has out '^who called them is '
pcxx -std=c++23 -O2 -fno-inline "$KIND" -isystem "$p/lib" "$p/paths.cc" "$p/pathnew.cc" -rdynamic -o paths -ldl -pthread
./paths >counted
run 0 "$MLPROF" -allocs path paths
awk '/ malloc .* operator new / { gsub(/,/, ""); print $2, $3 }' out >got
awk '{ bytes += $2; blocks += $3 } END { print bytes, blocks }' counted >want
same got want

# The piece of a library function with one site, and of one that calls it: as in tables.md.
cat >piece.cc <<'END'
#include <pathlib.h>
void f() { lib::get<1>(1); }
END
pcxx -O1 "$KIND" -isystem "$p/lib" -c piece.cc
objcopy -O binary --set-section-flags .ccprof.paths=alloc -j .ccprof.paths piece.o piece
od -An -v -tu1 -w29 piece | awk '{ print $1, $2, $6, NF == 29 ? $18 : "" }' >got
printf '1 1 1 1\n1 0 1 0\n' >want
same got want

# Nothing is added to what is not C++.
pcc -O2 "$KIND" -S "$ALLOC/known.c" -o plain.s
hasnot plain.s 'ccprof_path'
if have "$FC" 'Fortran'; then
    pfc -O2 "$KIND" -S "$ALLOC/levels.f90" -o plain.s
    hasnot plain.s 'ccprof_path'
fi

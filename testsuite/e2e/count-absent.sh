#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=count: functions that are not compiled because nothing that is compiled calls them have
# rows of no calls: those of the file itself, and of its headers what is not inline.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"

cp "$COUNT"/absent.* .
cat >c <<'END'
behind_it 0
called 1
calls_behind_it 0
external 0
header_static 0
main 1
not_referred_to 0
under_if_0 0
END
cat >cxx <<'END'
(anonymous namespace)::hidden::get 0
(anonymous namespace)::hidden::virtually 0
alive::alive 2
alive::~alive 2
header_static 0
main 1
main.lambda 0
not_referred_to 0
shape::area 0
shape::shape 0
shape::~shape 0
twice<double> 0
twice<int> 1
under_if_0 0
END
cat >fortran <<'END'
absent 1
absent.called 1
absent.not_referred_to 0
absent.under_false 0
main 1
END

for level in -O0 -O2 "-O2 -g" "-O3 -fPIC" "-O2 -flto" "-O2 -flto -ffat-lto-objects" \
    "-O2 -fplugin-arg-ccprof-blocks"; do
    # shellcheck disable=SC2086
    pcc "$KIND" $level absent.c -o a
    ./a
    counted c a mlmon.out
    # shellcheck disable=SC2086
    pcxx "$KIND" $level -fplugin-arg-ccprof-exclude=/usr/ absent.cc -o b
    rm mlmon.out
    ./b
    counted cxx b mlmon.out
    have "$FC" Fortran || continue
    # shellcheck disable=SC2086
    pfc "$KIND" $level absent.f90 -o f
    rm mlmon.out
    ./f
    counted fortran f mlmon.out
    rm mlmon.out
done

# With -O2 there are rows of all that GCC compiles without optimisation, called or not.
"$CC" -O0 -Wno-attributes -c absent.c -o plain.o
nm plain.o | awk '$2 ~ /[Tt]/ { print $3 }' | sort >compiled
has compiled under_if_0
hasnot compiled header_inline
pcc -O2 "$KIND" -fplugin-arg-ccprof-stack absent.c -o a
./a
table a mlmon.out | awk '{ print $1 }' | sort >told
comm -23 compiled told | grep -vx excluded >missing || :
[ ! -s missing ] || fail "without a row: $(cat missing)"

# Two units of which one has the function and the other does not: one row.
cat >one.c <<'END'
#include "absent.h"
int one(int x) { return header_static(x); }
END
cat >two.c <<'END'
#include "absent.h"
int one(int x);
int main(void) { return one(1) - 13; }
END
for level in -O2 "-O2 -flto"; do
    # shellcheck disable=SC2086
    pcc "$KIND" $level one.c two.c -o a
    rm -f mlmon.out
    ./a
    printf '%s\n' 'header_static 1' 'main 1' 'one 1' >want
    counted want a mlmon.out
done

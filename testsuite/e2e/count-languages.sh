#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=count: C++ with its constructors and destructors of several bodies, functions that
# several objects hold, and a shared object; Fortran.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"

# 10 derived in first.cc, and 17 of most, 10 there and 7 in second.cc; a constructor and a
# destructor of derived each. thrower throws 5 times of 10.
cat >cxx <<'END'
base::~base 27
base::value 0
catcher 10
derived::derived 27
derived::value 27
derived::~derived 27
half<int> 51
inlined 44
main 1
main.lambda 20
second 1
thrower 10
END

for level in -O0 -O1 -O2 -O3 -Os "-O2 -flto" "-O2 -fdeclone-ctor-dtor"; do
    for file in first second; do
        # shellcheck disable=SC2086
        pcxx $level -fPIC "$KIND" -fplugin-arg-ccprof-exclude=/usr/ -c "$COUNT/$file.cc" -o $file.o
    done
    # shellcheck disable=SC2086
    pcxx $level "$KIND" -fplugin-arg-ccprof-exclude=/usr/ first.o second.o -o cxx.one
    # shellcheck disable=SC2086
    pcxx $level "$KIND" -fplugin-arg-ccprof-exclude=/usr/ -shared second.o -o libsecond.so
    # shellcheck disable=SC2086
    pcxx $level "$KIND" -fplugin-arg-ccprof-exclude=/usr/ first.o -o cxx.two -L. -lsecond \
        -Wl,-rpath,"$PWD"
    for program in ./cxx.one ./cxx.two; do
        $program
        # Those that the source does not write.
        table $program mlmon.out | grep -v '^most::\|^base::base' >got || :
        sort cxx | diff -u - got || fail "$level $program: not as expected"
    done
done

# MAIN__ is the program, and main what starts it.
cat >fortran <<'END'
MAIN__ 1
MAIN__.inner 10
main 1
shapes.area 10
shapes.factorial 10
END
have "$FC" 'Fortran' || exit 0
for level in -O0 -O2 "-O3 -flto"; do
    # shellcheck disable=SC2086
    pfc $level "$KIND" "$COUNT/fortran.f90" -o f
    ./f >/dev/null
    table ./f mlmon.out >fortran.got
    sort fortran | diff -u - fortran.got || fail "$level: Fortran is not as expected"
done

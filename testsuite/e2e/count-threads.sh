#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=count: threads that count at the same time lose nothing, whoever made them, and
# whether they have ended or not.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"

# 8 * 1003.5 * 1000 leaves in the threads that end, 777 in the one that does not, and one in
# each round of destructors but the last.
rounds=3
cat >c <<END
destroys 1
destructor $rounds
ends 8
leaf $((8028000 + 777 + rounds))
main 1
runs 1
work 8001
END
for level in -O0 -O2 "-O3 -flto" "-O2 -fPIC" "-O2 -static -L$O/rt"; do
    # shellcheck disable=SC2086
    case $level in
    *static*) pcc $level "$KIND" "$COUNT/threads.c" -o c.program -lccprof ;;
    *) pcc $level "$KIND" "$COUNT/threads.c" -o c.program ;;
    esac
    ./c.program
    counted c ./c.program mlmon.out
    has mlmon.out '^threads 11$'
done

cat >cxx <<'END'
main 1
object::use 8
object::~object 8
work 8
work.lambda 800028
END
cat >omp <<'END'
cube 100000
main 1
main.omp 80
END
for level in -O0 -O2; do
    # shellcheck disable=SC2086
    pcxx $level "$KIND" -fplugin-arg-ccprof-exclude=/usr/ "$COUNT/threads.cc" -o cxx.program
    ./cxx.program
    # What the compiler writes for thread_local has no name that is its own.
    table ./cxx.program mlmon.out | grep -v '^__tls_init\|^TLS\|^_GLOBAL' >cxx.got
    same cxx.got cxx
    # shellcheck disable=SC2086
    pcc $level -fopenmp "$KIND" "$COUNT/omp.c" -o omp.program
    ./omp.program
    counted omp ./omp.program mlmon.out
done

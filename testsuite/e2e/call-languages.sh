#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Chains in C++, where an exception was thrown and in one that nobody catches, and in Fortran.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/call/call.sh"
cp "$CALL/throws.cc" "$CALL/chain.f90" .
# shellcheck disable=SC3045
ulimit -c 0

frames throws.cc failure::failure:failure parts::part::take:throw parts::give:give \
    main:main >want
frames throws.cc parts::part::take:throw parts::give:give main:main-uncaught >uncaught
frames throws.cc main.lambda:lambda >lambda
for options in -O0 -O2 '-O3 -fomit-frame-pointer' '-O2 -flto' '-O2 -static-pie -fPIE -L. -lccprof'; do
    echo "$options"
    ln -sf "$O/rt/libccprof.a" .
    # shellcheck disable=SC2086
    pcxx "$KIND" -I"$SRC/rt" -pthread throws.cc -o prog $options
    strip -s prog
    run 0 ./prog
    sed -n '/^failure/,/^main/p' out | sed 's/<int>//' >got
    same got want
    head -n 1 out | without_columns >got
    same got lambda
    status=0
    CCPROF=chain=yes ./prog x >out 2>err || status=$?
    [ $status -eq 134 ] || fail "status $status"
    sed -i 's/<int>//' err
    printed err uncaught
done

need "$FC"
frames chain.f90 parts.inner:inner parts.outer:outer chain:chain >want
for options in -O0 -O2; do
    pfc "$KIND" $options -c "$SRC/rt/ccprof.f90"
    pfc "$KIND" $options chain.f90 ccprof.o -o prog -L"$O/rt" -lccprof_api
    run 0 ./prog
    # GCC makes a main around the program.
    sed -i '/^main /d' out
    printed out want
done

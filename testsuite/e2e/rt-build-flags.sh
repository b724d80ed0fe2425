#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 1800
# The runtime and the plugin's files in C are built with the options that distributions give to all of their
# packages, as Arch, Fedora and Ubuntu do: link-time optimization, also without machine code in the objects, and
# fortified headers; and with -Ofast, whose start code changes a program's arithmetic.  What comes of it is code,
# and does to a program what the runtime of a plain build does.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

here=$PWD

# built FOLDER CFLAGS: the runtime, and the plugin's files in C.
built() {
    objects=
    for source in "$SRC"/plugin/*/*.c; do
        source=${source#"$SRC/plugin/"}
        objects="$objects $here/$1/plugin/$MAJOR/${source%.c}.o"
    done
    # The names of objects have no blanks.
    # shellcheck disable=SC2086
    env -u MAKELEVEL -u MFLAGS MAKEFLAGS= "${MAKE:-make}" -s -C "$SRC" O="$here/$1" CC="$CC" CXX="$CXX" SAN= WERROR= PLUGIN_GCC="$CC" \
        CPPFLAGS= CFLAGS="$2" LDFLAGS='-Wl,-z,relro -Wl,-z,now' runtime $objects >log 2>&1 || fail "with $2: $(tail -n 9 log)"
    for object in $objects "$1/rt/libccprof.a"; do
        [ "$(nm "$object" | grep -c ' [TD] ')" -gt 0 ] || fail "with $2 nothing is defined in $object"
    done
}

# The program is no older than what it is told of: fortified headers are asked for by no one.
$CC -O1 -U_FORTIFY_SOURCE -I"$RT" "$RT/coroutine.c" -c -o coroutine.o
printf 'inside\nhome\n' >want

# runs FOLDER: the program, with the runtime there, is the same and profiled.
runs() {
    stub stub.s "$PWD/$1/rt/libccprof.so.1"
    $CC coroutine.o stub.s -o shared
    $CC coroutine.o stub.s -static -L"$1/rt" -lccprof -o static
    for form in shared static; do
        decide runs_once $form
    done
}

runs_once() {
    rm -f mlmon.out
    run 0 "./$1"
    same out want
    same err /dev/null
    burnt mlmon.out 0.19 0.5
}

hardened="-O2 -g -pipe -fexceptions -Wp,-D_FORTIFY_SOURCE=3 -Wp,-D_GLIBCXX_ASSERTIONS -fstack-protector-strong \
-fasynchronous-unwind-tables -fstack-clash-protection -fno-omit-frame-pointer"
if understood -fcf-protection; then
    hardened="$hardened -fcf-protection -mno-omit-leaf-frame-pointer"
fi
built slim "$hardened -flto=auto"
runs slim

# A plain definition, as in what Gentoo's and Ubuntu's compilers have of themselves; -Ofast.
built fast '-Ofast -flto -ffat-lto-objects -D_FORTIFY_SOURCE=2'
runs fast
# crtfastmath.o, which GCC 12 links to shared objects, too.
if nm fast/rt/libccprof.so.1 | grep set_fast_math; then
    fail "the runtime sets how the program's arithmetic rounds"
fi

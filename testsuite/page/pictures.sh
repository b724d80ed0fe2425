#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of doc/page.md, in doc/pictures: the views of the page of a ray tracer in C, of
# a C++ program with threads.  Environment: CC, CXX, O (absolute).
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
: "${CC:?}" "${CXX:?}" "${O:?}"
work=$O/pictures
mkdir -p "$work" doc/pictures
kind=-fplugin-arg-ccprof-profile

"$CC" -O2 -fplugin="$O/ccprof.so" $kind=time,count -fplugin-arg-ccprof-blocks testsuite/demo/*.c -lm -o "$work/ray"
"$CXX" -O2 -pthread -Itestsuite/rt -fplugin="$O/ccprof.so" testsuite/threads/pool.cc -o "$work/pool"
(
    cd "$work"
    CCPROF=rate=2000,output=ray.out ./ray 400 4 >image
    CCPROF=rate=2000,threads=yes,output=pool.out ./pool >output
)
"$O/mlprof" -html "$work/ray.html" "$work/ray" "$work/ray.out" >"$work/table"
"$O/mlprof" -html "$work/pool.html" "$work/pool" "$work/pool.out" >"$work/table"
sed "s|@|$work/|" testsuite/page/pictures.list | python3 testsuite/page/pictures.py doc/pictures

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of doc/page.md and doc/heap.md, in doc/pictures: the views of the page of a ray tracer in C, of
# the queens' problem, of a C++ program with threads, of a C program with regions in threads, of a C++ program whose threads wait, of two runs compared, of three that grow, and of the heap of two C++ programs. Environment: CC, CXX, O (absolute).
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
: "${CC:?}" "${CXX:?}" "${O:?}"
work=$O/pictures
mkdir -p "$work" doc/pictures
kind=-fplugin-arg-ccprof-profile
# Whose machine it was is nobody's business.
map=-ffile-prefix-map=$PWD=/src

"$CC" -O2 "$map" -fplugin="$O/ccprof.so" $kind=time,count -fplugin-arg-ccprof-blocks testsuite/demo/*.c -lm -o "$work/ray"
"$CC" -O2 "$map" -fplugin="$O/ccprof.so" $kind=count -fplugin-arg-ccprof-blocks testsuite/count/queens.c -o "$work/queens"
"$CXX" -O2 "$map" -pthread -Itestsuite/runtime -fplugin="$O/ccprof.so" testsuite/runtime/pool.cc -o "$work/pool"
"$CC" -O2 "$map" -pthread -Irt -fplugin="$O/ccprof.so" testsuite/page/requests.c -o "$work/requests"
"$CXX" -std=c++20 -O2 "$map" -pthread -fplugin="$O/ccprof.so" testsuite/waits/library.cc -o "$work/library"
for name in leaks middle; do
    "$CXX" -std=c++17 -O2 "$map" -fplugin="$O/ccprof.so" testsuite/heap/$name.cc -o "$work/$name"
done
(
    cd "$work"
    CCPROF=rate=2000,output=ray.out ./ray 400 4 >image
    CCPROF=rate=2000,threads=yes,times=yes,output=pool.out ./pool >output
    CCPROF=rate=2000,output=less.out ./ray 400 3 >image
    for size in 100 200 400; do
        CCPROF=rate=2000,output=grow.$size ./ray $size 4 >image
    done
    CCPROF=rate=2000,times=1,events=1000,output=requests.out ./requests
    CCPROF=output=queens.out ./queens 6 >output
    CCPROF=wait=yes,output=library.out ./library mutex >output
    for name in ray pool queens requests library; do
        "$O/mlprof" -source-map "/src=$OLDPWD" -html $name.html $name $name.out >table
    done
    for name in leaks middle; do
        CCPROF=heap=exact,rate=1000,output=$name.out ./$name >output
        "$O/mlprof" -heap live -source-map "/src=$OLDPWD" -html $name.html $name $name.out >table
    done
    "$O/mlprof" -source-map "/src=$OLDPWD" -html changes.html ray less.out -compare ray.out >table
    "$O/mlprof" -source-map "/src=$OLDPWD" -html growth.html ray -growth -size 100 grow.100 -size 200 grow.200 -size 400 grow.400 >table
)
sed "s|@|$work/|" testsuite/page/pictures.list | python3 testsuite/page/pictures.py doc/pictures

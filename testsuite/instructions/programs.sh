#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# programs.sh NAME FOLDER [FLAGS...]: builds the program NAME in FOLDER, a new folder, with `-O2 -g FLAGS', and prints
# the command that runs it, with paths that are absolute. programs.sh --list prints the names.
#
# Each program's work is the same in every run: its input is made by itself, and nothing depends on addresses, on the
# time or on how fast the machine is. lua, zstd and jansson are built from Debian's sources, which are fetched once
# (testsuite/realworld/fetch.sh).
#
# Environment: CC, CXX, FC; REALWORLD, the folder of fetched sources ($O/realworld/src); WORK, how much to do, a number
# that each program understands in its own way (a small one for stepcount).

set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
: "${CC:=gcc}" "${CXX:=g++}" "${FC:=gfortran}" "${O:=build}" "${WORK=}"
: "${REALWORLD:=$O/realworld/src}"

die() {
    echo "programs.sh: $*" >&2
    exit 1
}

# fetch PACKAGE: sets `source` to the folder of its unpacked source.
fetch() {
    "$here/../realworld/fetch.sh" "$REALWORLD" "$1" >&2
    source=$(cd "$REALWORLD/$1"/*/ && pwd)
}

# compile COMPILER FILE... -- FLAGS...: one object for each file, in this folder, as make would.
compile() {
    compiler=$1
    shift
    files=
    while [ "$1" != -- ]; do
        files="$files $1"
        shift
    done
    shift
    for file in $files; do
        object=${file##*/}
        "$compiler" "$@" -c "$file" -o "${object%.*}.o"
    done
}

build_json() {
    compile "$CC" "$here/programs/json.c" -- "$@"
    "$CC" "$@" json.o -o json -lm
    run=json
}

build_ray() {
    compile "$CXX" "$here/programs/ray.cc" -- -std=c++17 "$@"
    "$CXX" "$@" ray.o -o ray
    run=ray
}

build_solver() {
    compile "$FC" "$here/programs/solver.f90" -- "$@"
    "$FC" "$@" solver.o -o solver
    run=solver
}

build_threads() {
    compile "$CC" "$here/programs/threads.c" -- "$@"
    "$CC" "$@" threads.o -o threads -pthread
    run=threads
}

# Without the random seed of the hashes of strings.
build_lua() {
    fetch lua5.4
    echo '#define DEB_HOST_MULTIARCH "none"' >lua5.4-deb-multiarch.h
    # shellcheck disable=SC2046
    compile "$CC" $(find "$source/src" -name 'l*.c' ! -name luac.c | sort) -- -DLUA_USE_LINUX '-Dluai_makeseed(L)=1' -I. "$@"
    "$CC" "$@" -Wl,-E ./*.o -o lua -ldl -lm
    run="lua $here/programs/lua.lua"
}

# Parts that are written in assembly are not the compiler's.
build_zstd() {
    fetch libzstd
    compile "$CC" "$here/programs/zstd.c" "$source"/lib/common/*.c "$source"/lib/compress/*.c \
        "$source"/lib/decompress/*.c -- -DZSTD_DISABLE_ASM -DZSTD_LEGACY_SUPPORT=0 -I"$source/lib" "$@"
    "$CC" "$@" ./*.o -o zstd
    run=zstd
}

case ${1-} in
--list)
    echo json ray solver threads lua zstd
    exit
    ;;
json | ray | solver | threads | lua | zstd) ;;
*) die "usage: programs.sh NAME FOLDER [FLAGS...]; names: $("$0" --list)" ;;
esac
[ $# -ge 2 ] || die "usage: programs.sh NAME FOLDER [FLAGS...]"
name=$1 folder=$2
shift 2
case $REALWORLD in
/*) ;;
*) REALWORLD=$PWD/$REALWORLD ;;
esac
mkdir "$folder" || die "$folder must be a new folder"
cd "$folder"
"build_$name" -O2 -g "$@"
echo "$PWD/$run${WORK:+ $WORK}"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds Lua and zstd with the plugin, runs them and prints their profiles.
# Environment: CC, O (build folder, absolute), JOBS.

set -eu
export LC_ALL=C
: "${CC:?}" "${O:?}" "${JOBS:=1}"
here=$(cd "$(dirname "$0")" && pwd)
work=$O/realworld
flags="-O2 -fplugin=$O/ccprof.so"

# source_of PACKAGE: the folder of its source.
source_of() {
    set -- "$work/src/$1"/*/
    echo "${1%/}"
}

# compile FOLDER OPTIONS -- SOURCE...: each to an object in FOLDER.
compile() {
    folder=$1 options=
    shift
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    rm -rf "$folder"
    mkdir -p "$folder"
    # The options are to be split.
    # shellcheck disable=SC2016
    printf '%s\n' "$@" | xargs -P "$JOBS" -I '{}' sh -c \
        'cd "$1" && $2 -c "$3" -o "$(basename "${3%.c}").o"' sh \
        "$folder" "$CC $flags $options" '{}'
}

# show TITLE PROGRAM DATA...
show() {
    printf '\n== %s ==\n' "$1"
    shift
    "$O/mlprof" -raw true -thresh 1 "$@"
}

build_lua() {
    s=$(source_of lua5.4)/src
    set -- "$s"/l*.c
    for file; do
        shift
        # The compiler has a main of its own.
        [ "$file" = "$s/luac.c" ] || set -- "$@" "$file"
    done
    mkdir -p "$work/include"
    # Debian's luaconf.h takes this from Debian's build.
    echo "#define DEB_HOST_MULTIARCH \"$("$CC" -print-multiarch)\"" \
        >"$work/include/lua5.4-deb-multiarch.h"
    compile "$work/lua" -DLUA_USE_LINUX -DLUA_COMPAT_5_3 "-I$work/include" -- "$@"
    "$CC" -Wl,-E "$work"/lua/*.o -o "$work/lua/lua" -ldl -lm
}

# Words, patterns, tables, calls and coroutines over Lua's own manual and source.
run_lua() {
    s=$(source_of lua5.4)
    (cd "$work/lua" && ./lua "$here/words.lua" "$s"/doc/*.html "$s"/src/*.c)
    show "Lua" "$work/lua/lua" "$work/lua/mlmon.out"
}

build_zstd() {
    s=$(source_of libzstd)
    compile "$work/zstd" -DZSTD_DISABLE_ASM -DZSTD_MULTITHREAD -DZSTD_LEGACY_SUPPORT=0 \
        "-I$s/lib" "-I$s/lib/common" "-I$s/lib/dictBuilder" -- \
        "$s"/lib/common/*.c "$s"/lib/compress/*.c "$s"/lib/decompress/*.c \
        "$s"/lib/dictBuilder/*.c "$s"/programs/*.c
    "$CC" "$work"/zstd/*.o -o "$work/zstd/zstd" -pthread
}

# The sources of both, as one archive, there and back; decompression is so fast that
# it runs ten times, and mlprof adds the data up.
run_zstd() {
    cd "$work/zstd"
    rm -f decompress-*.out
    tar -cf input --exclude='*.tar.*' -C "$work/src" lua5.4 libzstd
    ./zstd -q -f -18 --single-thread input -o packed
    mv mlmon.out compress.out
    ./zstd -q -f -15 -T2 input -o packed-2
    mv mlmon.out threads.out
    cat packed packed packed packed packed packed packed packed >eight
    cat eight eight eight eight >many
    for i in 1 2 3 4 5 6 7 8 9 10; do
        ./zstd -q -d -c many >/dev/null
        mv mlmon.out decompress-$i.out
    done
    ./zstd -q -d -c packed | cmp - input
    stat -c '%n: %s bytes' input packed packed-2
    show "zstd, level 18" zstd compress.out
    show "zstd, level 15, two threads" zstd threads.out
    show "zstd, decompression, ten runs" zstd decompress-*.out
    show "zstd, all runs together" zstd compress.out threads.out decompress-*.out
}

"$here/fetch.sh" "$work/src" lua5.4 libzstd
echo "Building Lua ..."
build_lua
run_lua
echo
echo "Building zstd ..."
build_zstd
run_zstd

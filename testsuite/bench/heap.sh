#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What it costs to measure the heap, next to the other heap profilers, and what memory that takes. PROGRAMS: only
# some of them. Others that are not installed are left out.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

# run NAME FOLDER BEFORE: one more to be measured: the program of the folder, with what stands before it.
run() {
    mkdir -p "$d/$2-data"
    list="$list '$1' 'cd $d/$2-data && exec $3 ../$2/prog $arguments 2>log'"
}

# have WHAT COMMAND...: whether the command succeeds and nothing is amiss with what is preloaded; otherwise WHAT is
# told.
have() {
    what=$1
    shift
    if "$@" >"$work/heap/tried" 2>&1 &&
        ! grep -q -e 'cannot be preloaded' -e 'Invalid conf' "$work/heap/tried"; then
        return
    fi
    absent="$absent
not measured: $what"
    return 1
}

# others: the other profilers, with their allocators alone where these are others than libc's.
others() {
    ! have 'heaptrack: it is not installed' command -v heaptrack ||
        run "heaptrack, recording" plain "heaptrack --raw -o $d/plain-data/heaptrack"
    if have 'jemalloc: libjemalloc.so.2 is not installed' env LD_PRELOAD=libjemalloc.so.2 true; then
        run "jemalloc" plain "env LD_PRELOAD=libjemalloc.so.2"
        conf=prof:true,prof_active:true,lg_prof_sample:19
        ! have "jemalloc's profiler: it is built without one" \
            env LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF=$conf ls ||
            run "jemalloc, profiling" plain "env LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF=$conf"
    fi
    if have 'tcmalloc: libtcmalloc.so.4 is not installed' env LD_PRELOAD=libtcmalloc.so.4 true; then
        run "tcmalloc" plain "env LD_PRELOAD=libtcmalloc.so.4"
        run "tcmalloc, HEAPPROFILE" plain "env LD_PRELOAD=libtcmalloc.so.4 HEAPPROFILE=$d/plain-data/heap"
    fi
}

# one TITLE ARGUMENTS SOURCE...; `options` and `libraries` are set.
one() {
    title=$1 arguments=$2
    shift 2
    sources=$*
    d=$work/heap/$(echo "$title" | tr -c 'A-Za-z0-9\n' -)
    list='' absent=''
    build plain
    build ccprof "$plugin"
    run "plain" plain ''
    run "plain, once more" plain ''
    run "CCPROF=heap" ccprof "env CCPROF=heap,output=heap.out"
    run "CCPROF=heap=exact" ccprof "env CCPROF=heap=exact,output=exact.out"
    others
    title "the heap: $title, $ROUNDS rounds"
    measure "$work/heap" "$ROUNDS"
    [ -z "$absent" ] || echo "${absent#?}"
    for file in heap exact; do
        grep -q '^heap ' "$d/ccprof-data/$file.out" || echo "ccprof: the program left no $file.out"
    done
}

# memory NAME FILE: what the runtime says that it has mapped, and by how much the most that the process had in memory is
# greater than without it.
memory() {
    told=$(sed -n 's/^memory //p' "$d/ccprof-data/$2")
    awk -F '\t' -v name="$1" -v told="$told" -v blocks="$blocks" '
        $1 == "plain" { plain = $7 }
        $1 == name { bytes = ($7 - plain) * 1024
            printf "%-24s %6.1f MB told, %6.1f MB measured, %.1f bytes for each live block\n", name, told / 1e6, bytes / 1e6,
                bytes / blocks }' "$d/ratios"
}

rm -rf "$work/heap"
mkdir -p "$work/heap"
echo "Aims: CCPROF=heap at most 1.05, CCPROF=heap=exact less than heaptrack."
for program in ${PROGRAMS:-json lua sqlite exchange threads live}; do
    options=-O2 libraries=-lpthread
    case $program in
    exchange) one "8 threads that free each other's blocks" "exchange 1000000" "$bench/blocks.c" ;;
    live)
        blocks=10000000
        one "10 million live blocks" "live $blocks" "$bench/blocks.c"
        memory "CCPROF=heap" heap.out
        memory "CCPROF=heap=exact" exact.out
        ;;
    *) usual "$program" ;;
    esac
done
title "the heap: geometric mean of all, ratio to plain"
ratio_means "$work/heap/all"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What memory the runtime adds to a program, and that it does not grow.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

mkdir -p "$work/memory"
cd "$work/memory"
"$CC" -O2 "$bench/memory.c" -o plain
"$CC" -O2 "$plugin" "$bench/memory.c" -o ccprof

title "memory of a program, in KiB"
printf '%-24s %9s %9s %9s\n' "" "resident" "mapped" "written"
for program in "plain 1" "ccprof 1" "ccprof 4"; do
    # shellcheck disable=SC2086
    set -- $program
    # Resident: the most that ever was; mapped: private and writable.
    "./$1" "$2" >figures
    read -r resident mapped written <figures
    printf '%-24s %9d %9d %9d\n' "$1, $2 s" "$resident" "$mapped" "$written"
    [ "$1" != plain ] || plain="$resident $mapped $written"
done
# shellcheck disable=SC2086
set -- $plain
printf '%-24s %9d %9d %9d\n' "added after 4 s" $((resident - $1)) $((mapped - $2)) \
    $((written - $3))
echo "Aim: at most 4096, and no more after 4 s than after 1 s."

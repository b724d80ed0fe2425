#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=count: the calls are those that callgrind sees in a build in which nothing is inlined,
# merged or copied.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"
need valgrind nm

cp "$SRC"/testsuite/demo/*.[ch] .
pcc -O2 "$KIND" ./*.c -o counted -lm
./counted 40 2 >/dev/null
table counted mlmon.out | awk '$2 { calls[$1] += $2 } END { for (name in calls) print name, calls[name] }' |
    sort >got

"$CC" -O1 -g -fno-inline -fno-optimize-sibling-calls -fno-ipa-icf -fno-ipa-cp -fno-ipa-sra \
    -fno-partial-inlining -fno-ipa-pure-const -fno-tree-tail-merge ./*.c -o plain -lm
valgrind -q --tool=callgrind --callgrind-out-file=calls.out --compress-strings=no \
    --compress-pos=no ./plain 40 2 >/dev/null 2>log
# A function's calls are those that its callers made; of the program's own functions, which have
# a size and are not the startup files', also what libc calls.
nm -S plain | awk 'NF == 4 && $3 ~ /[Tt]/ && $4 !~ /^_/ { print $4 }' | sort -u >own
awk '/^cfn=/ { name = substr($0, 5); sub(/\047.*/, "", name) }
    /^calls=/ { calls[name] += substr($1, 7) }
    END { for (name in calls) print name, calls[name] }' calls.out | sort | join - own >seen

# Exactly these functions have calls, and exactly so many.
[ "$(wc -l <seen)" -ge 90 ] || fail "callgrind has seen $(wc -l <seen) functions only"
same got seen

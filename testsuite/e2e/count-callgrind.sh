#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=count: the calls are those that callgrind sees in a build in which nothing is inlined,
# merged or copied.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"
need valgrind callgrind_annotate

cp "$SRC"/testsuite/demo/*.[ch] .
pcc -O2 "$KIND" ./*.c -o counted -lm
./counted 40 2 >/dev/null
table counted mlmon.out | awk '$2' >got

"$CC" -O1 -g -fno-inline -fno-optimize-sibling-calls -fno-ipa-icf -fno-ipa-cp -fno-ipa-sra \
    -fno-partial-inlining -fno-ipa-pure-const -fno-tree-tail-merge ./*.c -o plain -lm
valgrind -q --tool=callgrind --callgrind-out-file=calls.out --compress-strings=no \
    --compress-pos=no ./plain 40 2 >/dev/null 2>log
# A function's calls are those that its callers made; what libc calls has no caller with a
# name of ours.
awk '/^cfn=/ { name = substr($0, 5); sub(/\047.*/, "", name) }
    /^calls=/ { calls[name] += substr($1, 7) }
    END { for (name in calls) print name, calls[name] }' calls.out | sort >seen

# Of those that both know, which are nearly all.
join got seen >both
[ "$(wc -l <both)" -ge 20 ] || fail "only $(wc -l <both) functions are known to both"
awk '$2 != $3 { print; wrong = 1 } END { exit wrong }' both ||
    fail "other calls than callgrind sees: function, counted, seen"

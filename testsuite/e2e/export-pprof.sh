#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The format of pprof: decoded by its description and read by pprof itself, it has the names, stacks,
# lines and totals that mlprof has otherwise.

. "$SRC/testsuite/mlprof.sh"
need readelf python3

pprof() {
    python3 "$SRC/testsuite/export/pprof.py" "$@" || fail "pprof.py $*"
}

echo 'Stacks made by hand.'
recursive
run 0 mlprof_short -pprof hand.pb.gz prog one
run 0 mlprof_short -pprof again.pb.gz prog one
cmp hand.pb.gz again.pb.gz || fail 'the same data made another file'
# What is inlined is in one location with what is around it.  The addresses are those of the file;
# where the library would overlap the program it is moved.
start=$(address prog)
pprof dump hand.pb.gz | sed "s/ [0-9a-f]*-[0-9a-f]* at [0-9a-f]* / /; s/^    1:${start%???}/    /" >got
cat >want <<END
type samples count
type cpu nanoseconds default
period 10000000 cpu nanoseconds
comment $("$MLPROF" -version | sed 's/mlprof (\(.*\)) /\1 /')
mapping 1 prog $(build_id prog) 1 1 1 1
mapping 2 lib $(build_id lib) 1 1 1 1
function 1 <unprofiled>|  0
function 2 main|main prog.c 7
function 3 sq|sq prog.c 3
function 4 <deep>|  0
function 5 <lost>|  0
sample 2 20000000
    2:0 <unprofiled>:0:0
sample 10 100000000
    000 main:9:5
sample 30 300000000
    004 sq:3:10 main:9:12
    000 main:9:5
sample 28 280000000
    009 main:9:5
    004 sq:3:10 main:9:12
    000 main:9:5
sample 25 250000000
    005 sq:3:10 main:9:12
    009 main:9:5
sample 3 30000000
    001 main:9:5
    0:0 <deep>:0:0
sample 2 20000000
    0:0 <lost>:0:0
END
same got want
STACK=no

echo 'Phases.'
data plain 8 0 "$PWD/prog" -- "0 0 $(at prog 0) 3"
{
    sed '/^counts/,$d' plain
    printf '%s\n' 'label 0 set up' 'label 1 "lo\nop"' 'counts 6' "0 0 $(at prog 0) 3" '0 label 0x0 0' \
        "1 0 $(at prog 4) 4" '0 label 0x1 0' '1 label 0x0 0' "2 0 $(at prog 0) 1" end
} >phases
run 0 mlprof_short -pprof phases.pb.gz prog phases
pprof dump phases.pb.gz | sed -n "/^sample/{N;s/\n *1:${start%???}/ /;p;}" >got
# So are regions.
{
    sed '1s/1$/4/; /^end$/d' phases
    printf '%s\n' 'regions tsc 1000000000 20000 50000' 'region 0 - 0x0 set up' \
        'path - 0 1 100 0 100 10000 0 0 100 100 100 - 0 0 0 0 0 0 0' 'bucket 36 1' end
} >regions
run 0 mlprof_short -pprof regions.pb.gz prog regions
pprof dump regions.pb.gz | sed -n "/^sample/{N;s/\n *1:${start%???}/ /;p;}" >regions.got
same regions.got got
# Of nested phases the inner one stands first; what controls a terminal is written out.
holds got <<'END'
sample 3 30000000 000 main:9:5
sample 4 40000000 phase=set up 004 sq:3:10 main:9:12
sample 1 10000000 phase=set up phase="lo\x0aop" 000 main:9:5
END

echo 'Threads, one of them in a phase, and those without room.'
{
    sed '/^counts/,$d; s/^ccprof mlmon 1/ccprof mlmon 2/' plain
    printf '%s\n' 'label 0 load' 'thread 0 others' 'thread 3 a "b"\n' 'counts 5' '0 thread 0x3 0' \
        '1 label 0x0 0' "2 0 $(at prog 4) 3" '0 thread 0x0 0' "1 0 $(at prog 0) 5" end
} >threads
run 0 mlprof_short -pprof threads.pb.gz prog threads
pprof dump threads.pb.gz | sed -n "/^sample/{N;s/\n *1:${start%???}/ /;p;}" >got
holds got <<'END'
sample 3 30000000 phase=load thread=3 a "b"\x0a 004 sq:3:10 main:9:12
sample 5 50000000 thread=other threads 000 main:9:5
END

echo 'Hosts and ranks, one of two files each; the lost sample is of nobody.'
for rank in 0 1 2; do
    data plain 8 1 "$PWD/prog" -- "0 0 $(at prog 0) $((rank + 3))" "0 0 $(at prog 4) $((4 - rank))"
    sed "s/^ccprof mlmon 1/ccprof mlmon 5/; /^kind/a\\
host n$rank\\
rank $rank 3" plain >rank.$rank
done
sed '/^rank/d; s/^host.*/host n1/' rank.2 >rank.3
run 0 mlprof_short -pprof ranks.pb.gz prog rank.0 rank.1 rank.3 rank.1
run 0 mlprof_short -pprof again.pb.gz prog rank.0 rank.1 rank.3 rank.1
cmp ranks.pb.gz again.pb.gz || fail 'the same data made another file'
pprof dump ranks.pb.gz | sed -n "/^sample/{N;s/\n *1:${start%???}/ /;s/\n */ /;p;}" >got
id=$(build_id prog)
cat >want <<END
sample 3 30000000 host=n0 rank=0 program=prog build_id=$id 000 main:9:5
sample 8 80000000 host=n1 rank=1 program=prog build_id=$id 000 main:9:5
sample 5 50000000 host=n1 program=prog build_id=$id 000 main:9:5
sample 4 40000000 host=n0 rank=0 program=prog build_id=$id 004 sq:3:10 main:9:12
sample 6 60000000 host=n1 rank=1 program=prog build_id=$id 004 sq:3:10 main:9:12
sample 2 20000000 host=n1 program=prog build_id=$id 004 sq:3:10 main:9:12
sample 4 40000000 0:0 <lost>:0:0
END
same got want
if command -v go >/dev/null; then
    # A number alone would be a range of numbers.
    go tool pprof -top -tagfocus 'rank=^1$' ranks.pb.gz >top 2>&1 || fail "$(cat top)"
    has top 'accounting for 140ms'
    go tool pprof -top -tagfocus 'host=^n1$' -tagignore 'rank=^1$' ranks.pb.gz >top 2>&1 || fail "$(cat top)"
    has top 'accounting for 70ms'
fi

echo 'Names.'
example odd "say \\\"a'b\\\\c" 'new\nline \377\303\244'
data odd.out 3 0 "$PWD/odd" -- "0 0 $(at odd 0) 1" "0 0 $(at odd 4) 2"
run 0 mlprof_short -pprof odd.pb.gz odd odd.out
pprof dump odd.pb.gz >got
has got '^function 1 say "a.b\\c|say "a.b\\c odd.c 7$'
has got '^function 2 new\\x0aline '"$(printf '\357\277\275\303\244')|"

echo 'Blocks of which nobody knows the size.'
cat >files.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static int opened(const char *name)
{
    FILE *file = fopen(name, "r");
    return file ? fclose(file) : 1;
}
__attribute__((noinline)) static void *room(size_t size)
{
    return malloc(size);
}
int main(int argc, char **argv)
{
    void *volatile kept = room((size_t)argc * 1000);
    int status = opened("/dev/null") + opened(argv[0]);
    free(kept);
    return status;
}
END
pcc -O2 -fplugin-arg-ccprof-profile=alloc files.c -o files
CCPROF=output=files.out ./files
run 0 mlprof_short -pprof files.pb.gz files files.out
[ "$(pprof total files.pb.gz alloc_space)" = 1000 ] || fail 'bytes'
[ "$(pprof total files.pb.gz alloc_objects)" = 3 ] || fail "not 3 blocks: $(pprof dump files.pb.gz)"

echo 'Nothing was measured.'
data none 0 0 "$PWD/prog" --
for file in none ''; do
    # shellcheck disable=SC2086
    run 0 "$MLPROF" -pprof none.pb.gz prog $file
    pprof dump none.pb.gz >got
    hasnot got '^sample'
done

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=alloc in mlprof: the table, sites and types, lines, sums of files, and other
# kinds beside it; and the bytes that the plugin writes.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/alloc/alloc.sh"

cat >a.c <<'END'
#include <stdlib.h>
struct node {
    struct node *next; };

struct node *get(size_t n) {
    return malloc(n);
}
int main(int argc, char **argv)
{
    struct node *list = NULL;
    (void)argv;
    for (int i = 0; i < 1500; i++) {
        struct node *node = get(sizeof *node);
        node->next = list;
        list = node;
    }
    double *volatile numbers = calloc(argc, 2000);
    return numbers == NULL || list == NULL;
}
END
pcc -O2 "$KIND" a.c -o a
./a
mv mlmon.out one
./a x
cat >want <<'END'
30,000 bytes allocated
  cur   bytes  blocks  function
80.0%  24,000   3,000  get
20.0%   6,000       2  main

added up from 2 data files
END
"$MLPROF" -raw true a one mlmon.out >got
same got want

cat >want <<'END'
30,000 bytes allocated
  cur   bytes  blocks  allocator  type         site
80.0%  24,000   3,000  malloc     struct node  get  a.c: 6
20.0%   6,000       2  calloc     double       main  a.c: 17

added up from 2 data files
END
"$MLPROF" -raw true -allocs site a one mlmon.out >got
same got want

cat >want <<'END'
30,000 bytes allocated
  cur   bytes  blocks  type
80.0%  24,000   3,000  struct node

added up from 2 data files
END
"$MLPROF" -allocs type -thresh 50 a one mlmon.out >got
same got want

"$MLPROF" -raw true -list main a one >got
has got '^ 14.3%  *2,000  *17 .*calloc(argc, 2000)'
"$MLPROF" -flame flame.svg a one >out
has flame.svg '>get (85.7%, 12,000 bytes)<'

# Beside time, and beside calls.
for kinds in time,alloc alloc,time; do
    pcc -O2 "-fplugin-arg-ccprof-profile=$kinds" a.c -o both
    ./both
    has mlmon.out '^kind time,alloc$'
    "$MLPROF" both mlmon.out >got
    has got '^ *cur  95% range  *stack  *bytes  *blocks  function$'
    has got ' 12,000  *1,500  get$'
    # Bytes are exact: nothing is said of samples.
    run 0 "$MLPROF" -allocs type both mlmon.out
    sed -n 1p out >got
    echo '14,000 bytes allocated' | same got -
    hasnot out 'CPU time'
    hasnot out 'sample'
done
pcc -O2 "-fplugin-arg-ccprof-profile=count,alloc" a.c -o both
./both
cat >want <<'END'
14,000 bytes allocated
  cur   bytes  blocks  calls  function
85.7%  12,000   1,500  1,500  get
14.3%   2,000       1      1  main
END
"$MLPROF" both mlmon.out >got
same got want
run 0 "$MLPROF" -raw true -allocs type both mlmon.out
pcc -O2 "-fplugin-arg-ccprof-profile=count" a.c -o counted
./counted
run 1 "$MLPROF" -allocs type counted mlmon.out
same out /dev/null
has err '^mlprof: -allocs: no allocations were measured'
run 1 "$MLPROF" -allocs bytes a one
has err '^mlprof: option -allocs takes site, type or path, not: bytes$'

# A program that allocates nothing has a profile, too.
echo 'int main(void) { return 0; }' >none.c
pcc -O2 "$KIND" none.c -o none
./none
run 0 "$MLPROF" none mlmon.out
has out '^0 bytes allocated$'

# A copy has its samples, its code and its bytes in one row: of the function itself, and inlined in others.
cat >copies.c <<'END'
#include <stdlib.h>
static inline __attribute__((always_inline)) double *fresh(int n)
{
    return malloc(n * 8);
}
__attribute__((noinline)) double build(int n)
{
    double sum = 0, *a = malloc(n * 4), *b = fresh(n);
    for (int i = 0; i < n; i++)
        a[i / 2] = b[i] = i;
    for (int i = 0; i < n; i++)
        sum += a[i / 2] + b[i];
    free(a);
    free(b);
    return sum;
}
int main(void)
{
    double volatile sum = 0;
    for (int i = 0; i < 100; i++)
        sum += build(100);
    return 0;
}
END
for kind in time,alloc time,count,alloc; do
    have python3 'rows of copies' || break
    pcc -O2 "-fplugin-arg-ccprof-profile=$kind" copies.c -o copies
    CCPROF=rate=1000 ./copies
    run 0 "$MLPROF" -by copy -csv table.csv copies mlmon.out
    python3 - >got <<'END'
import csv
for row in sorted(csv.DictReader(open("table.csv")), key=lambda row: (row["name"], row["place"])):
    if row["bytes"] in ("", "0"):
        continue
    code = row["code_bytes"] and int(row["code_bytes"]) > 0
    print(row["name"], row["place"].split(", in ")[0], row["bytes"], row["allocations"], bool(code))
END
    cat >want <<'END'
build own body 40000 100 True
fresh inlined in build at copies.c: 8 80000 100 True
END
    same got want
done

# The example of doc/tables.md: get's stream, and its table but for the addresses.
pcc -O2 "$KIND" -S a.c -o a.s
has a.s '^[[:space:]]\.ascii[[:space:]]"\\021\\000\\001\\000\\001\\000\\034\\014\\010"$'
sed -n '/pushsection.*\.ccprof\.alloc,/,/popsection/p' a.s | head -8 >alloc
string() {
    label=$(awk -v text="\"$1\"" '$2 == text { print label } { label = $1 }' a.s)
    printf '\t.4byte\t%s\n' "${label%:}"
}
{
    printf '\t.pushsection\t.ccprof.alloc,"o",@progbits,.Lccprof_records\n'
    printf '\t.ascii\t"\\001"\n\t.4byte\t1\n\t.8byte\t.Lccprof_records\n'
    string malloc
    string malloc
    awk '/\.string.*"struct node"/ { print "\t.4byte\t" label } { label = $1 }' a.s | tr -d :
    printf '\t.popsection\n'
} >want
same alloc want

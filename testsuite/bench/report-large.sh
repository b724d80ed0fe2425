#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How what mlprof needs grows with the program: made-up programs of N, 2 N and 4 N functions, each
# of which calls three others, one in eight by a pointer; counted, and with made-up samples.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

rm -rf "$work/large"
mkdir -p "$work/large"
cd "$work/large"

program() {
    awk -v n="$1" 'BEGIN {
        srand(1)
        print "typedef unsigned f(unsigned);\nextern f *volatile const table[];"
        for (i = 0; i < n; i++)
            printf "f f%d;\n", i
        for (i = n - 1; i >= 0; i--) {
            printf "unsigned f%d(unsigned x)\n{\n    x ^= %d;\n    if (x %% 7 > 1)\n        return x;\n", i, i
            for (k = 0; k < 3; k++) {
                j = i + 1 + int(rand() * (n - i) / 2)
                if (j < n && i % 8 == 0 && k == 0)
                    printf "    x += table[x %% %d + %d](x);\n", n - i - 1, i + 1
                else if (j < n)
                    printf "    x += f%d(x);\n", j
            }
            print "    return x * 2654435761u;\n}"
        }
        printf "f *volatile const table[] = {"
        for (i = 0; i < n; i++)
            printf "f%d,", i
        printf "};\nint main(void)\n{\n    unsigned x = 1;\n    for (int i = 0; i < %d; i++)\n", 20 * n
        printf "        x += table[i %% %d](x);\n    return x == 0;\n}\n", n
    }'
}

# samples N PROGRAM: ten stacks for each function, of other functions at random.
samples() {
    sed '/^counts/,$d' mlmon.out | sed "s/^stack .*/stack yes/; s/^samples .*/samples $(($1 * 10))/; s/^lost .*/lost 0/"
    nm "$2" | awk -v n="$1" '$3 ~ /^f[0-9]+$/ { address[count++] = $1 }
        END {
            srand(1)
            printf "counts %d\n", n * 10 * 6
            for (i = 0; i < n * 10; i++)
                for (depth = 0; depth < 6; depth++)
                    printf "%d 0 0x%s %d\n", depth, address[int(rand() * count)], depth == 5
            print "end"
        }' | sed 's/ 0x0*/ 0x/'
}

title "mlprof: made-up programs, CPU ms by the number of functions"
functions="2000 4000 8000"
for n in $functions; do
    program "$n" >prog.c
    "$CC" -O0 "$plugin" -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks prog.c -o "counted-$n"
    "./counted-$n"
    mv mlmon.out "counted-$n.out"
    "$CC" -O0 -no-pie "$plugin" prog.c -o "sampled-$n"
    "./sampled-$n"
    samples "$n" "sampled-$n" >"sampled-$n.out"
done
printf '%-24s' ''
# shellcheck disable=SC2086
printf ' %9s' $functions
printf ' %9s\n' exponent
for kind in counted sampled; do
    for view in '' '-callers .' '-callees .' '-arcs .' '-call-graph graph'; do
        [ "$kind$view" != 'sampled-arcs .' ] || continue
        for n in $functions; do
            "$work/ratio" 3 x "exec $O/mlprof $view $kind-$n $kind-$n.out >table"
        done | awk -F '\t' -v what="$kind ${view:-table}" -v most=4 '
            { ms[NR] = $2 * 1000; line = line sprintf(" %9.1f", ms[NR]) }
            END { printf "%-24s%s %9.2f\n", what, line, log(ms[NR] / ms[1]) / log(most) }'
    done
done
echo "Aim: at most 1.2; no view grows faster than the table of the same data."

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mark=function gives one row to each compiled function, mark=block to each basic block;
# what is inlined has none.
. "$SRC/testsuite/lib.sh"

cat >late.c <<'END'
static inline unsigned first(unsigned x)
{
    return x * 0x12345671u;
}
__attribute__((noipa)) unsigned kept(unsigned x, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        x ^= first(x) + i;
    return x * 0x76543211u;
}
int main(void)
{
    return kept(1, 2) == 3;
}
END

# carrier CONSTANT: the address of the instruction that carries it.
carrier() {
    objdump -d --no-show-raw-insn late | awk -v c="0x$1" 'index($0, c) {
        sub(":", "", $1); print $1; exit }'
}

for mark in source function block; do
    "$CC" -O2 -fplugin="$PLUGIN" -fplugin-arg-ccprof-mark=$mark late.c -o late
    in_loop=$("$MLPROF" -where late "$(carrier 12345671)")
    after=$("$MLPROF" -where late "$(carrier 76543211)")
    echo "$mark: $in_loop; $after"
    case $mark in
    source)
        case $in_loop in *": first "*" < kept "*) ;; *) exit 1 ;; esac
        case $after in *": kept "*) ;; *) exit 1 ;; esac
        ;;
    function)
        case $in_loop in *first*) exit 1 ;; *": kept "*) ;; *) exit 1 ;; esac
        case $after in *": kept "*) ;; *) exit 1 ;; esac
        ;;
    block)
        case $in_loop in *first*) exit 1 ;; *": kept.bb"*" < kept "*) ;; *) exit 1 ;; esac
        case $after in *": kept.bb"*" < kept "*) ;; *) exit 1 ;; esac
        [ "${in_loop%% late.c*}" != "${after%% late.c*}" ] || exit 1
        a=$(echo "$in_loop" | sed 's/.*kept\.bb\([0-9]*\).*/\1/')
        b=$(echo "$after" | sed 's/.*kept\.bb\([0-9]*\).*/\1/')
        [ "$a" != "$b" ] || { echo "loop and end are one block: $a"; exit 1; }
        ;;
    esac
done

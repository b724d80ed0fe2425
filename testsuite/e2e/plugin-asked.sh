#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Patterns that mean no function of the whole program are told, and so are objects for LTO that were linked
# without the plugin.
. "$SRC/testsuite/plugin/plugin.sh"

cat >one.c <<'END'
int two(int);
static inline int gone(int n) { return n + 1; }
int main(void) { return two(gone(-1)); }
END
cat >two.c <<'END'
int two(int n) { return n; }
END
A=-fplugin-arg-ccprof-

# missed OPTIONS...: what mlprof says of a program that was compiled so.
missed() {
    pcc -O2 "$@" -c one.c -o one.o
    pcc -O2 "$@" -c two.c -o two.o
    pcc -O2 "$@" one.o two.o -o prog
    rm -f mlmon.out
    ./prog 2>/dev/null || fail "exit status $? of prog $*"
    "$MLPROF" prog mlmon.out 2>&1 >/dev/null | grep -v 'no samples' >said || :
}

for lto in '' -flto '-flto -ffat-lto-objects' '-flto -flto-partition=none'; do
    echo "options: $lto"
    # shellcheck disable=SC2086
    missed $lto
    [ ! -s said ] || fail "without patterns: $(cat said)"
    sections one.o >names
    [ -n "$lto" ] || hasnot names asked
    # Each function is in one unit only; gone is in none behind inlining.
    # shellcheck disable=SC2086
    missed $lto ${A}exclude-function='^two$' ${A}exclude-function='^gone$' ${A}include-function=wto \
        ${A}stopwatch='"ma\in"' ${A}stopwatch=main ${A}delay=mian:1000 ${A}exclude='no/such.c$' ${A}include='one\.c$'
    cat >want <<'END'
mlprof: prog: include-function=wto matches no function that was compiled
mlprof: prog: stopwatch="ma\in" matches no function that was compiled
mlprof: prog: delay=mian:1000 is the name of no function that was compiled
mlprof: prog: exclude=no/such.c$ matches no file of a function that was compiled
END
    sort want >wanted
    sort said >got
    same got wanted
done

# Each string is there once, however many units there are.
readelf -p .ccprof.asked prog >section
[ "$(grep -c 'asked include-function=wto' section)" = 1 ] || fail "strings: $(cat section)"

echo 'Linked without the plugin.'
for fat in -fno-fat-lto-objects -ffat-lto-objects; do
    pcc -O2 -flto $fat -c one.c -o one.o
    pcc -O2 -flto $fat -c two.c -o two.o
    "$CC" -O2 -flto one.o two.o -o prog
    run 1 "$MLPROF" prog
    has err 'prog: not profiled: it was compiled with ccprof and -flto, and linked without ccprof; link it with'
    # The code is that of GCC alone.
    "$CC" -O2 -flto -c one.c -o plain1.o
    "$CC" -O2 -flto -c two.c -o plain2.o
    "$CC" -O2 -flto plain1.o plain2.o -o plain
    objdump -d --no-show-raw-insn prog | sed '1,/^Disassembly/d' >code
    objdump -d --no-show-raw-insn plain | sed '1,/^Disassembly/d' >plaincode
    same code plaincode
    # A part of the program is profiled.
    pcc -O2 -c two.c -o two.o
    "$CC" -O2 -flto one.o two.o -o prog
    rm -f mlmon.out
    ./prog
    "$MLPROF" prog mlmon.out 2>said >/dev/null || :
    has said 'prog: objects that were compiled with ccprof and -flto were linked without ccprof, and are not profiled'
    if [ $fat = -ffat-lto-objects ]; then
        pcc -O2 -flto $fat -c two.c -o two.o
        "$CC" -fno-lto one.o two.o -o prog
        rm -f mlmon.out
        ./prog
        "$MLPROF" prog mlmon.out 2>said >/dev/null || :
        hasnot said 'linked without'
    fi
done

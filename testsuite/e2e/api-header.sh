#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ccprof.h in each form of program: it finds the runtime without a library, and without
# the plugin it does nothing.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

cat >prog.c <<'END'
#include <stdio.h>
#include "ccprof.h"
#if CCPROF_ON != 0 && CCPROF_ON != 1
#error
#endif
extern int elsewhere(void);
int main(void)
{
    ccprof_stop();
    printf("%d %d", CCPROF_ON, ccprof_on());
    ccprof_start();
    printf(" %d %d\n", ccprof_on(), elsewhere());
    return 0;
}
END
cat >other.c <<'END'
#include "ccprof.h"
extern int elsewhere(void);
int elsewhere(void) { return ccprof_on(); }
END
cp prog.c prog.cc
printf '#include "ccprof.h"\nextern "C" int elsewhere(void);\nint elsewhere(void) { return ccprof_on(); }\n' >other.cc
sed 's/^extern int/extern "C" int/' prog.c >prog.cc

# says WANT
says() {
    echo "$1" >want
    run 0 ./prog
    same out want
    same err /dev/null
}

linkers=bfd
if have ld.lld 'linking by lld'; then
    linkers="bfd lld"
fi

echo 'Without the plugin: nothing, and nothing to be linked.'
for std in c89 c99 gnu11 c17; do
    "$CC" -I"$SRC/rt" -std=$std -pedantic -Wall -Wextra -Wshadow -Wundef -Werror -c other.c
done
for std in c++98 c++11 c++17 c++20; do
    "$CXX" -I"$SRC/rt" -std=$std -pedantic -Wall -Wextra -Wshadow -Wundef -Werror -c other.cc
done
for linker in $linkers; do
    for options in -O0 -O2 '-O2 -fPIC' '-O2 -no-pie -fno-pie' '-O2 -static' '-O2 -static-pie -fPIE' \
        '-O2 -ffunction-sections -Wl,--gc-sections'; do
        # shellcheck disable=SC2086
        "$CC" -fuse-ld=$linker -I"$SRC/rt" $options prog.c other.c -o prog
        says '0 0 0 0'
    done
done
"$CC" -I"$SRC/rt" -O2 -flto prog.c other.c -o prog
says '0 0 0 0'
"$CXX" -I"$SRC/rt" -O2 prog.cc other.cc -o prog
says '0 0 0 0'
[ ! -e mlmon.out ] || fail "a program that is not profiled wrote a profile"

echo 'With it.'
for linker in $linkers; do
    for options in -O0 -O2 '-O2 -g3' '-O2 -fPIC' '-O2 -no-pie -fno-pie' '-O2 -mcmodel=large' \
        '-O2 -ffunction-sections -Wl,--gc-sections' '-O2 -static' '-O2 -static-pie -fPIE'; do
        library=
        case $options in
        *-mcmodel*) [ "$("$CC" -dumpmachine)" = x86_64-linux-gnu ] || continue ;;
        *-static*) library="-L$O/rt -lccprof" ;;
        esac
        echo "$linker $options"
        # shellcheck disable=SC2086
        pcc -fuse-ld=$linker -I"$SRC/rt" $options prog.c other.c $library -o prog
        says '1 0 1 1'
    done
done
for options in '' -fno-fat-lto-objects -ffat-lto-objects -flto-partition=none -flto-partition=max; do
    # shellcheck disable=SC2086
    pcc -I"$SRC/rt" -O2 -flto $options -c prog.c other.c
    # shellcheck disable=SC2086
    pcc -O2 -flto $options prog.o other.o -o prog
    says '1 0 1 1'
done
pcxx -I"$SRC/rt" -O2 prog.cc other.cc -o prog
says '1 0 1 1'
pcc -I"$SRC/rt" -O2 -r -nostdlib prog.c other.c -o both.o
"$CC" both.o -o prog
says '1 0 1 1'

echo 'One of the two without it.'
"$CC" -I"$SRC/rt" -O2 -c other.c
pcc -I"$SRC/rt" -O2 prog.c other.o -o prog
says '1 0 1 1'
pcc -I"$SRC/rt" -O2 -c other.c
"$CC" -I"$SRC/rt" -O2 prog.c other.o -o prog
says '0 0 1 1'

echo 'Shared objects: each has a stub of its own, or none.'
pcc -I"$SRC/rt" -O2 -fPIC -shared other.c -o libother.so
pcc -I"$SRC/rt" -O2 prog.c -L. -lother -Wl,-rpath,. -o prog
says '1 0 1 1'
"$CC" -I"$SRC/rt" -O2 -fPIC -shared other.c -o libother.so
says '1 0 1 0'
pcc -I"$SRC/rt" -O2 -fPIC -shared other.c -o libother.so
"$CC" -I"$SRC/rt" -O2 prog.c -L. -lother -Wl,-rpath,. -o prog
says '0 0 0 1'

echo 'No runtime is found.'
mkdir -p no/plugin/12 no/rt
pcc -I"$SRC/rt" -O2 prog.c other.c -S
sed -i 's|^\(.*\.string.*\)"[^"]*libccprof.so.1"|\1"libccprof-none.so.1"|' prog.s other.s
"$CC" prog.s other.s -o prog
run 0 ./prog
echo '1 0 0 0' >want
same out want
has err ' runs unprofiled$'

echo 'The macro, and what it makes of dead code.'
cat >dead.c <<'END'
#include "ccprof.h"
extern void costly(void);
int main(void)
{
    if (CCPROF_ON)
        costly();
    return 0;
}
END
"$CC" -O0 -I"$SRC/rt" dead.c -o dead
if pcc -O0 -I"$SRC/rt" dead.c -o dead 2>/dev/null; then
    fail "CCPROF_ON is not 1 with the plugin"
fi
pcc -O0 -I"$SRC/rt" -U__CCPROF__ dead.c -o dead
pcc -fplugin-arg-ccprof-profile=no -O0 -I"$SRC/rt" dead.c -o dead
pcc -fplugin-arg-ccprof-profile=drop -O0 -I"$SRC/rt" dead.c -o dead
echo 'int x = __CCPROF__;' >macro.c
for options in -E -g3 -gdwarf-4 '-g3 -gsplit-dwarf' -save-temps '-save-temps -fdirectives-only' \
    '-Wall -Wextra -Wunused-macros -Wundef -Werror' '-include dead.h -c'; do
    : >dead.h
    # shellcheck disable=SC2086
    pcc $options -c macro.c -o macro.o >printed 2>&1 || fail "$options: $(cat printed)"
done
cp macro.c macro.cc
pcxx -g3 -c macro.cc
# The debug information has nothing of it.
echo 'int y;' >plain.c
"$CC" -g3 -gno-record-gcc-switches -c plain.c -o a.o
pcc -g3 -gno-record-gcc-switches -c plain.c -o b.o
for file in a b; do
    objcopy -O binary --only-section=.debug_macro $file.o $file.macro
    readelf --debug-dump=macro $file.o | grep -c 'DW_MACRO_define' >$file.count
done
same b.count a.count

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The stub's text does what it says in whatever assembly it is put into, and nothing else:
# one COMDAT group, only weak references, everything around it unchanged.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
need readelf objcopy

stub stub.s
stub alone.s ""

# with FILE OPTIONS...: compiles FILE (C) with the stub's text behind it, into with.o, and
# without it, into without.o.
with() {
    source=$1
    shift
    $CC "$@" -S "$source" -o with.s
    $CC -c "$@" -x assembler with.s -o without.o
    cat stub.s >>with.s
    $CC -c -x assembler with.s -o with.o
}

cat >debug.c <<'C'
#include <poll.h>
#include <stdio.h>
static int dup_(int x) { return x * 3; }
__attribute__((noinline)) int work(int n) { return n > 1 ? work(n - 1) + dup_(n) : 1; }
int main(void) { printf("%d\n", work(10)); return poll(0, 0, 0); }
C

# The group, and names.
with debug.c -O2
readelf -gW with.o >groups
[ "$(grep -c '^COMDAT group section' groups)" = 1 ] || fail "not one group: $(cat groups)"
has groups '\[ccprof_attach\] contains'
readelf -SW with.o | sed -n 's/^ *\[ *[0-9]*\] \([.a-z][^ ]*\).*/\1/p' | sort -u >sections
readelf -SW without.o | sed -n 's/^ *\[ *[0-9]*\] \([.a-z][^ ]*\).*/\1/p' | sort -u >before
comm -13 before sections | grep -v ccprof >others || :
printf '.group\n.init_array.00100\n.rela.init_array.00100\n' >want
same others want
readelf -sW with.o | awk '$1 ~ /:$/ && $7 != "UND" && $8 != "" { print $4, $5, $6, $8 }' |
    sort -u >symbols
readelf -sW without.o | awk '$1 ~ /:$/ && $7 != "UND" && $8 != "" { print $4, $5, $6, $8 }' |
    sort -u >symbols0
comm -13 symbols0 symbols | grep -v SECTION >new
if grep -v ccprof new; then
    fail "symbols without ccprof in their names"
fi
grep GLOBAL new && fail "symbols that other files see"
has new '^FUNC WEAK HIDDEN ccprof_attach$'

# References are weak; that of the program to poll stays as it was.
nm -u with.o | sort >undefined
printf '                 U %s\n' _GLOBAL_OFFSET_TABLE_ poll printf | sort >strong
printf '                 w %s\n' __errno_location __getauxval __poll __write ccprof_rt_attach \
    dl_iterate_phdr dlsym >weak
grep ' w ' undefined >got
same got weak
grep ' U ' undefined | grep -v GLOBAL_OFFSET >got || :
grep -v GLOBAL_OFFSET strong >want
same got want

# Everything else is, byte by byte, what it is without the stub.
for options in -O0 -O2 '-O2 -g' '-O3 -g3 -gdwarf-5' '-O2 -g -fPIC' '-Os -ffunction-sections' \
    '-O2 -g -gsplit-dwarf' '-O2 -fcf-protection=none'; do
    # shellcheck disable=SC2086
    with debug.c $options
    for section in $(readelf -SW without.o |
        sed -n 's/^ *\[ *[0-9]*\] \([.a-z][^ ]*\).*/\1/p'); do
        case $section in
        .symtab | .strtab | .shstrtab | .rela* | .group | .bss) continue ;;
        esac
        objcopy -O binary --only-section="$section" --set-section-flags "$section=alloc" \
            without.o a.bin 2>/dev/null
        objcopy -O binary --only-section="$section" --set-section-flags "$section=alloc" \
            with.o b.bin 2>/dev/null
        cmp -s a.bin b.bin || fail "$options: $section is not the same"
    done
    readelf -SW with.o | grep 'eh_frame' | grep -q ccprof && fail "unwind tables"
done

# Every form of program runs, and is profiled. The linker has nothing to say.
cat >form.c <<'C'
#include "burn.h"
int main(void) { burn(0.05); return 0; }
C
linkers=-fuse-ld=bfd
if have ld.lld 'linking by lld'; then
    linkers="$linkers -fuse-ld=lld"
fi
for linker in $linkers; do
    for options in -O0 -O2 '-O2 -g' '-O2 -fPIC' '-O1 -no-pie' '-O1 -fPIE -pie' \
        '-O1 -ffunction-sections -Wl,--gc-sections' '-O1 -Wl,-z,now' \
        '-O1 -Wl,-z,lazy,-z,norelro' '-O1 -Wl,--as-needed -s' '-O1 -Wl,-r'; do
        rm -f mlmon.out form
        # shellcheck disable=SC2086
        case $options in
        *-Wl,-r)
            $CC $linker -I"$RT" -O1 -r -nostdlib form.c stub.s stub.s -o form.o
            $CC $linker form.o -o form 2>err
            ;;
        *) $CC $linker -I"$RT" $options form.c stub.s stub.s -o form 2>err ;;
        esac
        [ ! -s err ] || fail "$linker $options: $(cat err)"
        ./form 2>err || fail "$linker $options: exit status $?"
        [ ! -s err ] || fail "$linker $options: $(cat err)"
        valid mlmon.out
    done
    for options in -static -static-pie '-static -Wl,--gc-sections'; do
        # shellcheck disable=SC2086
        $CC $linker -I"$RT" -O1 $options form.c stub.s -o form 2>err
        [ ! -s err ] || fail "$linker $options: $(cat err)"
        rm -f mlmon.out
        run 0 ./form
        echo "ccprof: linked statically without -lccprof: ./form runs unprofiled" >want
        same err want
        [ ! -e mlmon.out ] || fail "$options wrote a profile"
        # shellcheck disable=SC2086
        $CC $linker -I"$RT" -O1 $options form.c stub.s -L"$O/rt" -lccprof -o form 2>err
        [ ! -s err ] || fail "$linker $options: $(cat err)"
        run 0 ./form
        [ ! -s err ] || fail "$linker $options -lccprof: $(cat err)"
        valid mlmon.out
    done

    # A program that has nothing of libc.
    cat >free.c <<'C'
void _start(void)
{
#ifdef __x86_64__
    __asm__ volatile("syscall" : : "a"(60), "D"(7));
#elif defined __aarch64__
    register long x8 __asm__("x8") = 93, x0 __asm__("x0") = 7;
    __asm__ volatile("svc 0" : : "r"(x8), "r"(x0));
#elif defined __riscv
    register long a7 __asm__("a7") = 93, a0 __asm__("a0") = 7;
    __asm__ volatile("ecall" : : "r"(a7), "r"(a0));
#endif
}
C
    for options in '-static' '-pie -fPIE' '-static -Wl,--gc-sections'; do
        # shellcheck disable=SC2086
        $CC $linker -O1 -nostdlib -ffreestanding $options free.c stub.s -o free 2>err
        [ ! -s err ] || fail "$linker $options -nostdlib: $(cat err)"
        run 7 ./free
    done
done

# Twice in one file, in front of the other text, in the other syntax, as an asm of LTO.
$CC -I"$RT" -O2 -g -S form.c -o form.s
cat stub.s form.s stub.s >twice.s
$CC -c twice.s -o twice.o
[ "$(readelf -gW twice.o | grep -c '^COMDAT')" = 1 ] || fail "twice is not once"
rm -f mlmon.out
$CC twice.o -o form
run 0 ./form
valid mlmon.out
case $($CC -dumpmachine) in
x86_64-*)
    $CC -I"$RT" -O2 -masm=intel -S form.c -o form.s
    cat stub.s >>form.s
    rm -f mlmon.out
    $CC form.s -o form
    run 0 ./form
    valid mlmon.out
    ;;
esac
{
    echo '__asm__('
    sed '$d; s/[\\"]/\\&/g; s/.*/"&\\n"/' stub.s
    echo ');'
    cat form.c
} >lto.c
rm -f mlmon.out
$CC -I"$RT" -O2 -flto lto.c -o form
run 0 ./form
valid mlmon.out

# Whatever is measured, and whatever notes there are for it beside that of the stub: without
# the runtime one line for the process says that nothing is.
echo 'int other(void) { return 0; }' >other.c
for kind in time time-field count alloc call time,count,alloc; do
    for file in form other; do
        pcc -w -I"$RT" -O1 "-fplugin-arg-ccprof-profile=$kind" -S $file.c
        sed -i 's|"[^"]*/libccprof\.so\.1"|""|' $file.s
    done
    rm -f mlmon.out
    for way in '' '-static -Wl,-u,dl_iterate_phdr'; do
        # shellcheck disable=SC2086
        $CC $way form.s other.s -o form
        run 0 ./form
        [ "$(wc -l <err)" = 1 ] || fail "$kind $way: not one line: $(cat err)"
        has err '^ccprof: lib.* not found: ./form runs unprofiled$\|^ccprof: linked statically '
        [ ! -e mlmon.out ] || fail "$kind $way: a profile without the runtime"
    done
done

# Functions of the program that are called as some of libc's.
cat >own.c <<'C'
#include "burn.h"
#include <stdlib.h>
static int __attribute__((noinline)) poll(int x) { abort(); return x; }
int write(int x) { abort(); return x; }
int open(int x) { abort(); return x; }
int close(int x) { abort(); return x; }
int rename(int x) { abort(); return x; }
int getpid(void) { abort(); return 0; }
int unlink(void) { abort(); return 0; }
int clock_gettime_(void) { return 0; }
int main(int argc, char **argv) { burn(0.05); return argc > 5 ? poll(argc) : 0; }
C
$CC -w -I"$RT" -O1 -S own.c -o own.s
for path in stub.s alone.s; do
    cat own.s $path >both.s
    rm -f mlmon.out
    $CC both.s -o own -rdynamic
    run 0 ./own
    case $path in
    stub.s) valid mlmon.out ;;
    *) has err 'runs unprofiled' ;;
    esac
done

# The runtime is where the plugin has said: no folder is searched for it.  A shared object of
# another plugin takes the one that is there.
cat >maps.c <<'C'
#include <stdio.h>
int two(void);
int main(void)
{
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        fputs(line, stdout);
    return two() - 2;
}
C
echo 'int two(void) { return 2; }' >two.c
mkdir elsewhere
cp "$O/rt/libccprof.so.1" elsewhere
stub other.s "$PWD/elsewhere/libccprof.so.1"
$CC -shared -fPIC two.c other.s -o libtwo.so
$CC maps.c stub.s -L. -ltwo -Wl,-rpath,"$PWD" -o maps
LD_DEBUG=libs LD_DEBUG_OUTPUT=searches ./maps >maps.out || fail "maps: $?"
has searches.* 'find library=libtwo.so '
hasnot searches.* 'find library=libccprof'
grep -o '/.*libccprof.*' maps.out | sort -u >runtimes
echo "$PWD/elsewhere/libccprof.so.1" >want
same runtimes want

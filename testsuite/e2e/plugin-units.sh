#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a unit says of sources and files, read from its bytes by doc/tables.md: symbols as
# nm knows them, where functions start, what they are to people, and what was in the files.
. "$SRC/testsuite/lib.sh"
need python3 md5sum objcopy

case $("$CC" -dumpmachine) in
x86_64*) ;;
*) skip "the program has intrinsics of x86" ;;
esac
units=$SRC/testsuite/names/units.py
cp "$SRC/testsuite/names/units.cc" .
hash=$(md5sum <units.cc | cut -d' ' -f1)

# at PATTERN: FILE:LINE:COLUMN of what stands behind the first ! of it.
at() {
    awk -v want="$1" 'BEGIN { before = index(want, "!"); sub("!", "", want) }
        i = index($0, want) { print FILENAME ":" NR ":" i + before - 1; exit }' units.cc
}

# has_source NAME SYMBOL PLACE FLAGS: it is there.
has_source() {
    grep -qxF -e "source $1 | $2 | $3 | $4" out || {
        cat out >&2
        fail "no source $1 | $2 | $3 | $4"
    }
}

for options in '' '-fPIC -g' -flto '-flto -g' '-flto -flto-partition=max'; do
    # shellcheck disable=SC2086
    pcxx -O2 $options units.cc -o prog
    run 0 "$units" prog
    has_source main main "$(at 'int !main')" ''
    nm prog | grep -q 'look.*part' || fail "GCC does not split look with $options"
    has_source first _Z5firsti "$(at '!first(int')" ''
    has_source twice _ZL5twicei "$(at 'static int !twice')" ''
    has_source look _ZL4looki "$(at 'static int !look')" ''
    has_source look _ZL4looki "$(at 'static int !look')" part
    has_source rest rest "$(at 'void !rest(int *cell')" ''
    has_source 'base<int>::get' _ZN4baseIiE3getEi "$(at 'virtual T !get')" ''
    has_source 'base<int>::~base' _ZN4baseIiED4Ev "$(at '> !base<T>::~base')" ''
    has_source 'base<int>::~base' _ZN4baseIiED4Ev "$(at '> !base<T>::~base')" entry
    has_source main.lambda _ZZ4mainENKUliE_clEi "$(at 'call(![](int')" ''
    grep -q '^source _mm_mul_epu32 | _Z13_mm_mul_epu32Dv2_xS_ | .*emmintrin.h:[0-9]*:1 | artificial$' out ||
        fail "no artificial _mm_mul_epu32: $(cat out)"
    # Of what is in the object nm says the same symbols, but for entries (C4, D4).
    nm prog | awk '{ print $NF }' >known
    sed -n 's/^source .* | \(.*\) | .* | $/\1/p' out | grep -v '^_ZN.*[CD]4E' >told
    for symbol in main _Z5firsti _Z6secondi rest _Z4callPFiiEi; do
        grep -qx "$symbol" known || fail "no $symbol in the program"
        grep -qx "$symbol" told || fail "no $symbol in the tables"
    done
    grep -qx "file units.cc $hash" out || fail "another hash: $(grep '^file units' out)"
    sed -n 's/^file \(\/.*\) \(.*\)$/\2  \1/p' out >others
    [ -s others ]
    md5sum --quiet -c others || fail "another hash"
done

# A file that is not there, and one that is not a file.
printf '# 1 "away.c"\nint f(void) { return 1; }\n# 1 "/dev/null"\nint main(void) { return f(); }\n' >made.i
pcc -O2 made.i -o prog
run 0 "$units" prog
has out '^file away.c 0*$'
has out '^file /dev/null 0*$'

# One that goes by another name in the tables is read where it is.
echo 'int main(void) { return 0; }' >main.c
pcc -O2 -ffile-prefix-map="$PWD"=/elsewhere "$PWD/main.c" -o prog
run 0 "$units" prog
has out "^file /elsewhere/main.c $(md5sum <main.c | cut -d' ' -f1)\$"

# Without link-time optimisation two static functions of one name have it as their symbol,
# and link time, which gives one of them another, tells no other.
mkdir -p one two
for unit in one two; do
    echo "static __attribute__((noipa)) int sq(int x) { return x * x; }
int $unit(int x) { return sq(x) + 1; }" >$unit/part.c
done
echo 'int one(int), two(int); int main(int c, char **v) { (void)v; return one(c) + two(c) == 77; }' >main.c
for options in '' -flto; do
    # shellcheck disable=SC2086
    pcc -O2 $options main.c one/part.c two/part.c -o prog
    run 0 "$units" prog
    has out '^source sq | sq | one/part.c:1:35 | $'
    has out '^source sq | sq | two/part.c:1:35 | $'
done

# Names of functions with another name for the assembler; nested functions; none in blocks.
cat >plain.c <<'END'
int named(int x) __asm__("other");
__attribute__((noipa)) int named(int x) { return x + 1; }
int main(int argc, char **argv)
{
    __attribute__((noipa)) int inner(int x) { return x + argc; }
    return named(argc) + inner(2) == 77;
}
END
pcc -O2 plain.c -o prog
run 0 "$units" prog
has out '^source named | other | plain.c:2:28 | $'
has out '^source main.inner | inner.0 | plain.c:5:32 | $'
pcc -O2 -fplugin-arg-ccprof-mark=block plain.c -o prog
run 0 "$units" prog
has out '^source named.bb2 |  | plain.c:2:28 | $'

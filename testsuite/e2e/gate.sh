#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -gate-write and -gate: exact counts against a baseline, from run to run, from build to build.
. "$SRC/testsuite/mlprof.sh"

cat >prog.c <<'EOF'
#include <stdlib.h>
static void *twice[2];
static inline void leaf(void) { }
static void inner(int n) { while (n--) leaf(); }
__attribute__((noinline)) static void *allocate(int n) { return malloc((size_t)n); }
#ifdef NEW
static void fresh(void) { leaf(); }
#else
static void old(void) { leaf(); }
#endif
int main(int argc, char **argv)
{
    int n = (int)strtol(argv[argc - 1], NULL, 10);
    inner(n);
    inner(n);
#ifdef NEW
    fresh();
#else
    old();
#endif
    for (int i = 0; i < 2; i++)
        twice[i] = allocate(100);
    free(twice[0]);
    free(twice[1]);
    return 0;
}
EOF
# built OUT FLAG...
built() {
    built_out=$1
    shift
    pcc -fplugin-arg-ccprof-profile=count,alloc "$@" prog.c -o "$built_out"
}

# The format, with numbers that the source tells.
built prog -O2
./prog 1000
run 0 "$MLPROF" -gate-write base prog mlmon.out
same err /dev/null
same out /dev/null
tr '\t' '|' <base >got
holds got <<'EOF'
ccprof baseline 1
measures calls bytes blocks
2 200 2 allocate|prog.c
2 0 0 inner|prog.c
2001 0 0 leaf|prog.c
1 0 0 main|prog.c
1 0 0 old|prog.c
end
EOF
# The same to the last digit: another run, and other levels, with LTO, position-independent or not; and
# from another folder.
./prog 1000
"$MLPROF" -gate-write - prog mlmon.out | tee again | "$MLPROF" -gate - prog mlmon.out >out ||
    fail "-gate -: not what -gate-write - has written"
same again base
run 0 "$MLPROF" -gate base prog mlmon.out
echo '5 functions as in base: calls, bytes, blocks' | holds out
for flags in -O0 -O1 -O3 -Os '-O2 -flto' '-O3 -fPIC -g' '-O0 -fno-inline'; do
    # shellcheck disable=SC2086
    built other $flags
    ./other 1000
    run 0 "$MLPROF" -gate-write again other mlmon.out
    same again base
done
mkdir else
cp prog.c else/
pcc -O2 -fplugin-arg-ccprof-profile=count,alloc "$PWD/else/prog.c" -o moved
./moved 1000
run 0 "$MLPROF" -gate base moved mlmon.out
has out '^5 functions as in base: calls, bytes, blocks$'

# What differs: each count in a line, status 3.
./prog 1001
run 3 "$MLPROF" -gate base prog mlmon.out
holds out <<'EOF'
baseline   now  change    in %  of     function
    2001  2003      +2  +0.10%  calls  leaf
EOF
echo 'mlprof: base: 1 of 5 functions differ by more than 0 %' | holds err
run 0 "$MLPROF" -gate base -gate-threshold 0.1 prog mlmon.out
echo '5 functions within 0.1 % of base: calls, bytes, blocks' | holds out
run 3 "$MLPROF" -gate base -gate-threshold=0.0999 prog mlmon.out
./prog 999
run 3 "$MLPROF" -gate base prog mlmon.out
has out '^ *2001 *1999  *-2  -0\.10%  calls  leaf$'
# Two runs are twice as much.
cp mlmon.out second
run 3 "$MLPROF" -gate base -gate-threshold 99 prog mlmon.out second
has out '^ *200 *400  *+200  +100\.00%  bytes  *allocate$'
has out '^ *2 *4  *+2  +100\.00%  blocks  *allocate$'
has err '^mlprof: base: 5 of 5 functions differ by more than 99 %$'
# One is new, one is gone.
built new -O2 -DNEW
./new 1000
run 3 "$MLPROF" -gate base -gate-threshold 50 new mlmon.out
holds out <<'EOF'
baseline  now  change  in %  of     function
       0    1      +1   new  calls  fresh
       1    0      -1  gone  calls  old
EOF
has err '^mlprof: base: 2 of 6 functions differ by more than 50 %$'
run 3 "$MLPROF" -gate base -gate-threshold 1000 new mlmon.out
has err '^mlprof: base: 2 of 6 functions differ by more than 1000 %$'

# Functions of one name and file, of which the first one has counted nothing: they are matched by order.
printf '%s\n' '#ifdef A' 'static int f(int x) { return x + 2; }' 'int a(int x) { return f(x); }' '#else' \
    'static int f(int x) { return x + 3; }' 'int b(int x) { return f(x); }' '#endif' >f.h
printf '%s\n' '#define A' '#include "f.h"' >a.c
printf '%s\n' '#include "f.h"' 'int a(int);' \
    'int main(int argc, char **argv) { (void)argv; return argc > 1 ? a(1) : b(-3); }' >b.c
pcc -O2 -fplugin-arg-ccprof-profile=count a.c b.c -o namesakes
./namesakes
run 0 "$MLPROF" -gate-write namesakes.base namesakes mlmon.out
run 0 "$MLPROF" -gate namesakes.base namesakes mlmon.out
tr '\t' '|' <namesakes.base >got
holds got <<'EOF'
ccprof baseline 1
measures calls
1 b|f.h
0 f|f.h
1 f|f.h
1 main|b.c
end
EOF
./namesakes x || :
run 3 "$MLPROF" -gate namesakes.base namesakes mlmon.out
has err '^mlprof: namesakes.base: 4 of 5 functions differ by more than 0 %$'

# Calls alone, C++ and Fortran: the same at all levels, inlined or not.  (Of std::string the members
# that libstdc++ has are counted only where they are inlined, and g++ computes constexpr functions: since
# GCC 14, where it optimises, the size that a vector may have.)
cat >plus.cc <<'EOF'
#include <vector>
template <class T> struct Box { T value; T get() const { return value; } };
int main()
{
    std::vector<unsigned> numbers;
    for (unsigned i = 0; i < 100; i++)
        numbers.push_back(i * 7919 % 100);
    Box<unsigned long> box{0};
    try {
        for (unsigned number : numbers)
            if ((box.value += number) > 150)
                throw box;
    } catch (Box<unsigned long> &caught) {
        return caught.get() < 150;
    }
    return 1;
}
EOF
for level in -O0 -O1 -O2 '-O3 -flto'; do
    # shellcheck disable=SC2086
    pcxx -fplugin-arg-ccprof-profile=count -fno-fold-simple-inlines \
        -D_GLIBCXX_NO_ASSERTIONS -fplugin-arg-ccprof-exclude-function='_M_max_size|__is_constant_evaluated' \
        $level plus.cc -o plus
    ./plus
    [ -e plus.base ] || run 0 "$MLPROF" -gate-write plus.base plus mlmon.out
    run 0 "$MLPROF" -gate plus.base plus mlmon.out
    same err /dev/null
done
has plus.base '^1 _ZNK3BoxImE3getEv	plus\.cc$'
grep -v _ZNK3BoxImE3getEv plus.base >without
sed 's/^1 main/2 main/; s/_ZNK3BoxImE3getEv/_ZNK3BoxIjE3getEv/' plus.base >renamed
run 3 "$MLPROF" -gate without plus mlmon.out
has out '^ *0 *1  *+1   new  calls  Box.*::get'
run 3 "$MLPROF" -gate renamed plus mlmon.out
has out '^ *1 *0  *-1  *gone  calls  Box<unsigned int>::get() const$'
has out '^ *2 *1  *-1  -50\.00%  calls  main$'
if have "$FC" 'functions of Fortran'; then
    printf '%s\n' 'program main' 'integer :: s = 0, i' 'do i = 1, 7' 's = s + f(i)' 'end do' \
        'if (s /= 56) stop 1' contains 'pure integer function f(x)' 'integer, intent(in) :: x' \
        'f = 2 * x' 'end function' 'end program' >for.f90
    for level in -O0 -O3; do
        pfc -fplugin-arg-ccprof-profile=count "$level" for.f90 -o for
        ./for
        run 0 "$MLPROF" -gate-write "for$level.base" for mlmon.out
    done
    same for-O3.base for-O0.base
    has for-O0.base '^7 .*f.*	for\.f90$'
fi

# What is no baseline, and what has no counts.
./prog 1000
run 1 "$MLPROF" -gate nowhere prog mlmon.out
has err '^mlprof: nowhere: No such file'
refused 'prog.c: line 1: no baseline of ccprof: mlprof -gate-write makes one' \
    "$MLPROF" -gate prog.c prog mlmon.out
sed 's/baseline 1/baseline 3/' base >bad
refused 'bad: a baseline of version 3, of which this mlprof knows nothing' "$MLPROF" -gate bad prog mlmon.out
sed 's/ bytes//' base >bad
refused "bad: line 2: it should be \`measures' and calls, bytes blocks, or calls bytes blocks" \
    "$MLPROF" -gate bad prog mlmon.out
sed '$d' base >bad
refused 'bad: line 8: the file is cut off here' "$MLPROF" -gate bad prog mlmon.out
sed 's/^2 0 0 inner/2 0 inner/' base >bad
refused 'bad: line 4: a number for each measure is missing' "$MLPROF" -gate bad prog mlmon.out
tr '\t' ' ' <base >bad
refused "bad: line 3: a function's name, a tab and its file are missing" "$MLPROF" -gate bad prog mlmon.out
{
    cat base
    echo more
} >bad
refused 'bad: line 8: there is something behind the end' "$MLPROF" -gate bad prog mlmon.out
sed 's/^2 0 0 inner/18446744073709551615 0 0 inner/' base >bad
refused 'bad: line 4: the counts are more than can be' "$MLPROF" -gate bad prog mlmon.out
pcc -O2 prog.c -o time
./time 1000
refused '-gate: nothing was counted: compile with -fplugin-arg-ccprof-profile=count, or alloc' \
    "$MLPROF" -gate base time mlmon.out
pcc -O2 -fplugin-arg-ccprof-profile=count prog.c -o calls
./calls 1000
refused 'base: has bytes and blocks, which the data have not: compile with -fplugin-arg-ccprof-profile=alloc' \
    "$MLPROF" -gate base calls mlmon.out
run 0 "$MLPROF" -gate-write - calls mlmon.out
tr '\t' '|' <out >got
has got '^2001 leaf|prog\.c$'
# A baseline of calls is for a program that counts bytes, too.
cp out calls.base
./prog 1000
run 0 "$MLPROF" -gate calls.base prog mlmon.out
echo '5 functions as in calls.base: calls; counted now, but not in the baseline: bytes, blocks' | holds out
# And one of bytes, of a program that counts no calls.
pcc -O2 -fplugin-arg-ccprof-profile=alloc prog.c -o bytes
./bytes 1000
run 0 "$MLPROF" -gate-write bytes.base bytes mlmon.out
run 0 "$MLPROF" -gate bytes.base bytes mlmon.out
same err /dev/null
run 1 "$MLPROF" -gate base -gate-write other prog mlmon.out
has err 'options -gate and -gate-write cannot be given together'

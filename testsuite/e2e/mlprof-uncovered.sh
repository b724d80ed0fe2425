#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Time in code without tables: how much, in which modules, and what to do; in hand-made data,
# then in a program with a library and a file of assembly, by their known shares.
. "$SRC/testsuite/mlprof.sh"
need readelf

example prog main sq
example lib other mid -shared
# Of 1000 samples 100 behind the 12 bytes of prog, 300 in modules without tables, 50 in none.
STACK=yes data data 1000 10 "$PWD/prog" "$PWD/lib" /libs/liba.so /libs/libb.so /libs/libc.so \
    /libs/libd.so /libs/libe.so -- \
    "0 0 $(at prog 0) 500" "1 0 $(at prog 13) 100" "1 1 $(at lib 3) 40" "1 2 0x1 250" \
    "1 3 0x1 6" "1 4 0x2 4" "2 1 $(at lib 4) 0" "3 2 0x7 30" "1 5 0x1 10" "0 - 0x1 50"
run 0 "$MLPROF" prog data
sed -n '/^unsampled/,$p' out | sed 1d >got
holds got <<'END'
4.50 s (45.0 %) in code without ccprof, charged to its callers or <unprofiled>:
    2.80 s (28.0 %) in /libs/liba.so
    1.00 s (10.0 %) in prog, in assembly, excluded functions or files compiled without ccprof
    0.50 s ( 5.0 %) in no module: code made at run time
    0.10 s ( 1.0 %) in /libs/libd.so
    0.06 s ( 0.6 %) in /libs/libb.so
    0.04 s ( 0.4 %) in others
compile that with ccprof if you can, or see its functions: -show-extern true
END
run 0 "$MLPROF" -show-extern true prog data
sed -n '/^unsampled/,$p' out | sed -n '2p;$p' >got
holds got <<'END'
4.50 s (45.0 %) in code without ccprof:
compile that with ccprof if you can
END
run 0 "$MLPROF" -balance false prog data
hasnot out 'without ccprof'
# Little is told without the remedy; nothing if there is none.  Without stacks nobody called.
data little 1000 0 "$PWD/prog" /libs/liba.so -- "0 0 $(at prog 0) 999" "0 1 0x1 1"
run 0 "$MLPROF" prog little
sed -n '/^unsampled/,$p' out | sed 1d >got
holds got <<'END'
0.01 s (0.1 %) in code without ccprof, which is <unprofiled>:
    0.01 s ( 0.1 %) in /libs/liba.so
END
data none 1000 1 "$PWD/prog" /libs/liba.so -- "0 0 $(at prog 0) 999"
run 0 "$MLPROF" prog none
hasnot out 'without ccprof'

# Functions of C++ have their names there, and stay apart if only their parameters differ.
cat >outer.cc <<'END'
#include <string>
namespace far {
template <class T> T twice(T x) { return x + x; }
template int twice<int>(int);
template std::string twice<std::string>(std::string);
void over(int) {}
void over(long) {}
}
END
"$CXX" -O2 -c outer.cc -o outer.o
pcxx -O2 -x c++ - -x none outer.o -o outer <<'END'
int main() {}
END
# symbol NAME: its address.
symbol() {
    nm outer | awk -v name="$1" '$3 == name { print "0x" $1 }'
}
data named 10 0 "$PWD/outer" -- "0 0 $(symbol _ZN3far5twiceIiEET_S1_) 4" \
    "0 0 $(symbol _ZN3far5twiceINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEEET_S7_) 3" \
    "0 0 $(symbol _ZN3far4overEi) 2" "0 0 $(symbol _ZN3far4overEl) 1"
run 0 "$MLPROF" -balance false -show-extern true outer named
sed '1,2d; s/.*  //' out >got
holds got <<'END'
<far::twice<int>>
<far::twice<std::string>>
<far::over(int)>
<far::over(long)>
END
run 0 "$MLPROF" -balance false -show-extern true -focus '^<far::over>$' outer named
has out '^30\.0% of the samples'

# One third of the time each: profiled code, assembly of the program, a library.
. "$SRC/testsuite/shares/rows.sh"
cat >spin.c <<'END'
unsigned NAME(unsigned x)
{
    for (int i = 0; i < 1000000; i++)
        x = (x ^ x >> 3) * 1664525;
    return x;
}
END
cat >main.c <<'END'
unsigned own(unsigned), assembled(unsigned), library(unsigned);
int main(void)
{
    unsigned x = 1;
    for (int i = 0; i < 120; i++)
        x = own(x) + assembled(x) + library(x);
    return x == 0;
}
END
"$CC" -O1 -DNAME=library -fPIC -shared spin.c -o libspin.so
"$CC" -O1 -DNAME=assembled -S spin.c -o assembled.s
pcc -O1 -DNAME=own -c spin.c -o own.o
pcc -O1 main.c own.o assembled.s -o spin -L. -lspin -Wl,-rpath,"$PWD"
# told PATTERN: the percentage of the module's line.  A third of 520 samples has 2.1 points of
# standard deviation.
told() {
    sed -n "s,^ *[0-9.]* s (\\( *[0-9.]*\\) %) in $1.*,\\1,p" out
}
thirds() {
    run 0 env CCPROF=rate=1000 ./spin
    run 0 "$MLPROF" spin mlmon.out
    cat out
    for where in 'spin\, in assembly' "$PWD/libspin.so"; do
        lies 23 "$(told "$where")" 43 "$where" || return
    done
}
decide thirds
[ "$(grep -c '^ .* in ' out)" -le 4 ] || fail "more modules than there are: $(cat out)"

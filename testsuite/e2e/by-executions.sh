#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How often lines and expressions were executed, in programs in C, C++ and Fortran whose loops
# say it, and what one iteration costs, with inlined code, by the program's own clock.

. "$SRC/testsuite/mlprof.sh"

cat >c.c <<'END'
#include <stdio.h>
#include <time.h>
volatile unsigned sink;
static inline unsigned mix(unsigned x)
{
    return (x ^ x >> 15) * 0x2c1b3c6du;
}
__attribute__((noinline)) unsigned cheap(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += i;
    return sink;
}
__attribute__((noinline)) unsigned costly(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        n = i % 2 ? n : (mix(mix(mix(mix(mix(mix(n)))))), n);
    return n;
}
__attribute__((noinline)) unsigned chain(unsigned n)
{
    unsigned s = n;
    for (unsigned i = 0; i < n; i++)
        s = mix(mix(mix(mix(mix(mix(mix(mix(s))))))));
    return s;
}
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
int main(void)
{
    double before = now();
    unsigned s = chain(40000000);
    double time = now() - before;
    s += cheap(30000000) + costly(1000);
    printf("%u\n%.4f\n", s, time / 40000000 * 1e9);
}
END
cat >cxx.cc <<'END'
#include <vector>
template <class T> struct sum {
    T s = 0;
    void add(T v)
    {
        s += v;
    }
};
template <class T> __attribute__((noinline)) T all(const std::vector<T> &v)
{
    sum<T> sum;
    for (T x : v)
        sum.add(x);
    return sum.s;
}
int main()
{
    std::vector<int> a(1000, 1);
    std::vector<double> b(500, 1);
    return all(a) + all(b) != 1500;
}
END
cat >fortran.f90 <<'END'
real function total(v, n)
  integer, intent(in) :: n
  real, intent(in) :: v(n)
  integer :: i
  total = 0
  do i = 1, n
    if (v(i) > 2) then
      total = total + square(v(i))
    end if
  end do
contains
  pure real function square(x)
    real, intent(in) :: x
    square = x * x
  end function
end function
program main
  real :: v(100), total
  v = 3
  v(1:40) = 1
  print *, total(v, 100)
end program
END

# executed OPTION...: the executions that the table with these options has.
executed() {
    run 0 mlprof_short "$@"
    same err /dev/null
    executions >got
}

pcc -O2 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks c.c -o c
./c >/dev/null
executed -by line c
# Each line of a loop was executed as often as the loop went round, the head once more; a line
# with a condition once for each, not for each of its blocks; mix was inlined everywhere.
for want in 'c.c: 6 320003000' 'c.c: 10 30000001' 'c.c: 11 30000000' 'c.c: 16 1001' 'c.c: 17 1000' \
    'c.c: 23 40000001' 'c.c: 24 40000000' 'c.c: 36 1'; do
    grep -qxF "$want" got || fail "not: $want; $(cat got)"
done
sum=$(awk '{ sum += $3 } END { print sum }' got)
[ "$(sed -n '1s/,//g; 1s/ .*//p' out)" = "$sum" ] || fail "the lines are not all: $(head -n 1 out)"
executed -by expression c
# The two sides of a condition.
awk -F '[: ]+' '$1 == "c.c" && $2 == 17 { print $NF }' got | sort -u >sides
has sides '^500$'
has sides '^1000$'
# Files and modules have the calls.
run 0 mlprof_short -by file c
has out '^ *100\.0%  320,003,00[0-9]  c\.c$'
for key in copy phase; do
    run 1 mlprof_short -by "$key" c
    has err "^mlprof: -by $key: .*-fplugin-arg-ccprof-profile=time$"
done
pcc -O2 -fplugin-arg-ccprof-profile=count c.c -o calls
./calls >/dev/null
run 1 mlprof_short -by line calls mlmon.out
has err '^mlprof: -by line: .* -fplugin-arg-ccprof-blocks$'

# Instances of a template are added up.
pcxx -O2 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks cxx.cc -o cxx
./cxx
executed -by line cxx
for want in 'cxx.cc: 6 1500' 'cxx.cc: 13 1500' 'cxx.cc: 14 2' 'cxx.cc: 18 1'; do
    grep -qxF "$want" got || fail "not: $want; $(cat got)"
done
grep 'cxx\.cc: 13$' out >line
has line ' and 1 more  cxx'

if have "$FC" 'Fortran'; then
    pfc -O2 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks fortran.f90 -o fortran
    ./fortran >/dev/null
    executed -by line fortran
    for want in 'fortran.f90: 8 60' 'fortran.f90: 14 60'; do
        grep -qxF "$want" got || fail "not: $want; $(cat got)"
    done
fi

# What an iteration of chain costs: eight inlined calls, nearly all of the line's time theirs.
pcc -O2 -fplugin-arg-ccprof-profile=time,count -fplugin-arg-ccprof-blocks c.c -o time
./time >out.own
run 0 mlprof_short -raw true -by line time
grep 'c\.c: 24$' out >line
sed 's/.* \([0-9.]*\)ns +-\([0-9]*\)%.*/\1 \2/' line >cost
has line ' 40,000,000 '
# Twice the interval, and what the clock and the sampler do not see of each other.
paste -d ' ' cost out.own | awk -v own="$(tail -n 1 out.own)" 'NR == 1 {
    apart = $1 / own - 1; if (apart < 0) apart = -apart
    printf "%s ns an iteration, +-%s %%; by its own clock %s ns\n", $1, $2, own
    exit apart > 2 * $2 / 100 + .05 || own < 1 }' || fail "not what it costs: $(cat line out.own)"
# Calls are those of all copies: there is no column of what is not known.
for layout in ccprof mlton; do
    run 0 mlprof_short -layout $layout -by copy time
    has out ' insns  *code'
    hasnot out ' calls '
    hasnot out ' per call'
done

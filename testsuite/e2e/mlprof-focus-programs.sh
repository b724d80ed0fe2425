#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -focus, -ignore and -hide on programs in C, C++ and Fortran, function by function: what is left
# is what awk leaves of the folded stacks of all samples.

. "$SRC/testsuite/lib.sh"

# model OPTION NAME: does to the lines of the file all what the option does to stacks.
model() {
    awk -v option="$1" -v name="$2" '
    {
        count = $NF; sub(/ [0-9]+$/, "")
        n = split($0, frame, ";"); on = 0; left = ""
        for (i = 1; i <= n; i++)
            if (frame[i] == name)
                on = 1
            else
                left = left (left == "" ? "" : ";") frame[i]
        if (option == "hide")
            sum[left == "" ? "<hidden>" : left] += count
        else if (on == (option == "focus"))
            sum[$0] += count
    }
    END { for (stack in sum) print stack, sum[stack] }' all | sort
}

# each PROGRAM: all functions, up to a dozen, with their parameters, since otherwise these stand
# only where two functions that are left have one name; those that are told apart by their
# position have none of their own in their names.
each() {
    CCPROF=rate=1000 "./$1" 2>/dev/null
    "$MLPROF" -balance false -names full -folded all "$1" mlmon.out >/dev/null 2>err
    sed 's/ [0-9]*$//' all | tr ';' '\n' | sort -u | grep -v ' (.*:[0-9]*)$' | head -n 12 >functions
    [ "$(wc -l <functions)" -ge 3 ] || fail "$1 has few functions: $(cat all)"
    while read -r name; do
        pattern=^$(echo "$name" | sed 's/[][()*+?.^$|\\{}]/\\&/g')\$
        for option in focus ignore hide; do
            model "$option" "$name" >want
            if [ ! -s want ]; then
                run 1 "$MLPROF" -names full "-$option" "$pattern" "$1" mlmon.out
                has err ': no stack is left$'
                continue
            fi
            run 0 "$MLPROF" -balance false -names full "-$option" "$pattern" -folded got "$1" mlmon.out
            sort -o got got
            same got want
        done
    done <functions
}

cat >c.c <<'END'
static unsigned leaf(unsigned x)
{
    for (unsigned i = 0; i < 300; i++)
        x = (x ^ x >> 13) * 0x3ade68b;
    return x;
}
__attribute__((noipa)) unsigned apart(unsigned x) { return leaf(x) + 1; }
__attribute__((noipa)) unsigned deep(unsigned n, unsigned x)
{
    return n ? deep(n - 1, x) + 1 : leaf(apart(x));
}
int main(void)
{
    unsigned x = 1;
    for (unsigned i = 0; i < 80000; i++)
        x = deep(i % 4, apart(x));
    return x == 3;
}
END
cat >cxx.cc <<'END'
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>
namespace shop {
template <class T> struct Basket {
    std::vector<T> items;
    std::map<T, std::vector<T>> groups;
    __attribute__((noipa)) void fill(unsigned seed);
    __attribute__((noipa)) T sum(int from) const { return std::accumulate(items.begin() + from, items.end(), T()); }
    __attribute__((noipa)) T sum() const { return sum(0); }
    __attribute__((noipa)) void group()
    {
        for (const T &item : items)
            groups[item % 97].push_back(item);
    }
};
template <class T> void Basket<T>::fill(unsigned seed)
{
    for (int i = 0; i < 3000; i++)
        items.push_back(T(seed = seed * 69069 + 1));
    std::sort(items.begin(), items.end(), [](T a, T b) { return a % 1000 < b % 1000; });
}
}
template <class T> __attribute__((noipa)) T shopping(unsigned seed)
{
    shop::Basket<T> basket;
    basket.fill(seed);
    basket.group();
    return basket.sum() + basket.sum(1);
}
int main()
{
    long sum = 0;
    for (unsigned i = 0; i < 250; i++)
        sum += shopping<unsigned>(i) + shopping<unsigned long>(i);
    return sum == 3;
}
END
cat >fortran.f90 <<'END'
module cells
contains
   recursive subroutine smooth(a, n)
      real, intent(inout) :: a(:)
      integer, intent(in) :: n
      integer :: i
      do i = 2, size(a) - 1
         a(i) = (a(i - 1) + 2 * a(i) + a(i + 1)) / 4
      end do
      if (n > 0) call smooth(a, n - 1)
   end subroutine
   real function norm(a)
      real, intent(in) :: a(:)
      norm = twice(sqrt(sum(a * a)))
   contains
      real function twice(x)
         real, intent(in) :: x
         integer :: k
         twice = 0
         do k = 1, 1000
            twice = twice + sin(x * k)
         end do
      end function
   end function
end module
program main
   use cells
   real :: a(5000), s
   integer :: i
   a = [(mod(i, 7), i = 1, 5000)]
   s = 0
   do i = 1, 2000
      call smooth(a, 3)
      s = s + norm(a)
   end do
   if (s == 1) print *, s
end program
END
pcc -O2 c.c -o c
each c
pcc -O2 -fplugin-arg-ccprof-profile=time-field c.c -o field
each field
pcxx -O2 -g cxx.cc -o cxx
each cxx
if have "$FC" Fortran; then
    pfc -O2 fortran.f90 -o fortran
    each fortran
fi

echo 'What was counted beside time has no stacks: it is left out; alone it is refused.'
pcc -O2 -fplugin-arg-ccprof-profile=time,count -fplugin-arg-ccprof-blocks c.c -o both
CCPROF=rate=1000 ./both
run 0 "$MLPROF" both mlmon.out
has out 'per call'
run 0 "$MLPROF" -focus leaf both mlmon.out
hasnot out 'per call'
has out '% of the samples: -focus leaf; percentages are of all$'
has err '^mlprof: -focus leaf: calls were counted without stacks and are not shown$'
for view in '-gcov x' '-arcs .' '-branch true'; do
    # Two words.
    # shellcheck disable=SC2086
    run 1 "$MLPROF" -hide leaf $view both mlmon.out
    has err "^mlprof: option.* -hide "
    has err "${view% *}\>"
done
run 0 "$MLPROF" -list '.*deep  ' -focus leaf both mlmon.out
hasnot out count
pcc -O2 -fplugin-arg-ccprof-profile=count c.c -o counted
./counted
run 1 "$MLPROF" -focus leaf counted mlmon.out
has err '^mlprof: -focus leaf: calls were counted, which have no stacks$'

echo 'Allocations: what is inlined around them is known.'
cat >alloc.c <<'END'
#include <stdlib.h>
void *volatile place;
static inline __attribute__((always_inline)) void in(unsigned n) { place = malloc(n); free(place); }
__attribute__((noipa)) void apart(unsigned n) { place = malloc(2 * n); free(place); in(3); }
int main(void)
{
    for (int i = 0; i < 10; i++) {
        in(70);
        apart(100);
    }
}
END
# 700 bytes of in in main, 30 of in in apart, 2000 of apart.
pcc -O2 -fplugin-arg-ccprof-profile=alloc alloc.c -o alloc
./alloc
allocated() {
    run 0 "$MLPROF" -balance false -folded got "$@" alloc mlmon.out
    sort -o got got
    sort >want
    same got want
}
allocated -focus apart <<'END'
apart 2000
apart;in 30
END
has out '^74.4% of the bytes: -focus apart; percentages are of all$'
run 0 "$MLPROF" -allocs site -focus apart alloc mlmon.out
has out ' 2,000  '
has out '73.3%'
hasnot out ' 700  '
allocated -hide '^in$' <<'END'
apart 2030
main 700
END
run 0 "$MLPROF" -allocs site -hide '^in$' alloc mlmon.out
has out ' 700  .*  .*alloc.c: 8$'
allocated -ignore '^in$' -hide apart <<'END'
<hidden> 2000
END
has err '^mlprof: -ignore ^in[$], -hide apart: the data have no stacks: of the calls around a function inlined ones alone are known$'

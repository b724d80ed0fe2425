#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Allocations by the program's own line that leads to them, and std::string's, against what the
# program's operator new counts.

. "$SRC/testsuite/mlprof.sh"

cat >prog.cc <<'END'
#include <map>
#include <string>
#include <vector>
#include <cstdlib>
struct node { int v; node *next; };
static node *push(node *l, int v)
{
    node *n = (node *)malloc(sizeof *n);
    n->v = v;
    n->next = l;
    return n;
}
__attribute__((noinline)) void doubles(std::vector<double> &v)
{
    v.reserve(100);
}
__attribute__((noinline)) void longs(std::vector<long> &v)
{
    v.reserve(20);
}
__attribute__((noinline)) void ints(std::vector<int> &v)
{
    for (int i = 0; i < 1000; i++)
        v.push_back(i);
}
__attribute__((noinline)) void names(std::map<int, std::string> &m)
{
    for (int i = 0; i < 100; i++)
        m[i] += std::string(100, 'a');
}
int main()
{
    std::vector<double> a;
    std::vector<long> b;
    std::vector<int> c;
    std::map<int, std::string> m;
    doubles(a);
    longs(b);
    ints(c);
    names(m);
    node *l = nullptr;
    for (int i = 0; i < 10; i++)
        l = push(l, i);
    return l->v == 0;
}
END
cat >new.cc <<'END'
#include <cstdio>
#include <cstdlib>
#include <new>
static size_t bytes, blocks;
void *operator new(size_t size)
{
    bytes += size;
    blocks++;
    return malloc(size);
}
void operator delete(void *p) noexcept { free(p); }
void operator delete(void *p, size_t) noexcept { free(p); }
__attribute__((destructor)) static void tell() { printf("%zu %zu\n", bytes, blocks); }
END
$CXX -O2 -c new.cc
# own FILE: bytes, blocks and the site, of the rows that are not the library's.
own() {
    awk '/prog\.cc: [0-9]+$/ { gsub(/,/, ""); print $2, $3, $(NF - 2), $NF }' "$1"
}

pcxx -O2 -std=c++20 -fplugin-arg-ccprof-profile=alloc prog.cc new.o -o prog
./prog >counted
run 0 "$MLPROF" -allocs path prog
same err /dev/null
hasnot out 'not counted'
own out >got
for want in '800 1 doubles 15' '160 1 longs 19' '160 10 push 8'; do
    grep -qxF "$want" got || fail "not: $want; $(cat out)"
done
grep ' names  prog\.cc: 29$' out >names
# The tree's nodes and the strings, 101 bytes each, are those of one line.
has names '^.* 10,100 .* 100 '
has out 'std::vector<double>::reserve '
# Vectors of different functions are not one row, and what malloc gave is not operator new's.
sed -n '1s/,//g; 1s/ .*//p' out >got
awk '{ print $1 + 160 }' counted >want
same got want
awk 'NR > 2 && /%/ { gsub(/,/, ""); blocks += $3 } END { print blocks }' out >got
awk '{ print $2 + 10 }' counted >want
same got want
# Where the library was not inlined its callers are not known, which is said.
library=$(awk 'NR > 2 && /%/ && /\/include\// { gsub(/,/, ""); n += $2 } END { print n + 0 }' out)
[ "$library" -eq 0 ] || sed 's/,//g' out | grep -q "^$library bytes in functions of libraries that were not inlined" ||
    fail "$library bytes of libraries are not told of: $(cat out)"
[ "$library" -eq 0 ] || has out '^-fplugin-arg-ccprof-profile=alloc and -fplugin-arg-ccprof-stack$'
# Types are written as names are.
has out ' std::_Rb_tree_node<std::pair<const int, std::string>> '
hasnot out 'basic_string'
run 0 "$MLPROF" -names full -allocs path prog
has out 'basic_string<char>'

# The user's own libraries.
run 0 "$MLPROF" -allocs path -library 'nothing' -library 'prog\.c' prog
own out >got
hasnot got 'push'
has got '^160 10 main '

# Before C++20 the strings' code is in libstdc++.so: nobody counts it, and that is said.
pcxx -O2 -std=c++17 -fplugin-arg-ccprof-profile=alloc prog.cc new.o -o prog
./prog >counted
run 0 "$MLPROF" -allocs path prog
has out '^not counted: what std::string allocates inside libstdc++'
[ "$(sed -n '1s/,//g; 1s/ .*//p' out)" -lt "$(awk '{ print $1 }' counted)" ] || fail 'strings were counted'
run 0 "$MLPROF" prog
has out '^not counted: what std::string'
run 0 mlprof_short prog
hasnot out 'not counted'
pcxx -O2 -std=c++17 -D_GLIBCXX_ASSERTIONS -fplugin-arg-ccprof-profile=alloc prog.cc new.o -o prog
./prog >counted
run 0 "$MLPROF" -allocs site prog
hasnot out 'not counted'
sed -n '1s/,//g; 1s/ .*//p' out >got
awk '{ print $1 + 160 }' counted >want
same got want

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A function is identified by its symbol and position: what has the same name has rows of its own, told
# apart, a lambda's entry is no function of its own, and what is inlined or cloned is one row.
. "$SRC/testsuite/lib.sh"
cp "$SRC/testsuite/names/alike.cc" "$SRC/testsuite/names/other.cc" .

# row CALLS NAME: the table in the file out has exactly one row of that name, with these calls.
row() {
    table_rows calls <out | awk -v name="$2" -v calls="$1" '
        substr($0, 1, length - length($NF) - 1) == name { n++; good += $NF == calls }
        END { exit !(n == 1 && good == 1) }' || {
        cat out >&2
        fail "no row of $1 calls: $2"
    }
}

# places FILE PATTERN: the line of it.
place() {
    grep -nm1 -e "$2" "$1" | cut -d: -f1
}

sort_line=$(place alike.cc 'qsort(')
both_line=$(place alike.cc 'one)(int)')
both=$(sed -n "${both_line}p" alike.cc)
column() {
    before=${both%%"$1"*}
    echo $((${#before} + 1))
}
one=$(column '[](int y) { return y + 1')
two=$(column '[](int y) { return y - 1')

for options in -O0 -O2 '-O3 -fPIC' '-O2 -flto' '-O2 -g'; do
    echo "$options"
    # shellcheck disable=SC2086
    pcxx -std=c++17 $options -fplugin-arg-ccprof-profile=count alike.cc other.cc -o alike
    compared=$(./alike)
    run 0 table_of alike mlmon.out
    row "$compared" main.lambda
    row 10 'tp<&(sq(int))>'
    row 20 'tp<&(cu(int))>'
    row 10 'fun<int (int)>::go'
    row 20 'fun<int (double)>::go'
    row 30 'fun<int (int, int)>::go'
    row 10 'over(int)'
    row 20 'over(double)'
    row 30 'pack<int>'
    row 30 'pack<int, int>'
    row 30 holder::with.lambda
    row 30 'instances<int>.lambda<int>'
    row 60 'instances<int>.lambda<double>'
    row 10 "local(int) (alike.cc:$(place alike.cc 'KEPT int local'))"
    row 20 "local(int) (other.cc:$(place other.cc 'int local'))"
    row 30 "both.lambda (alike.cc:$both_line:$one)"
    row 60 "both.lambda (alike.cc:$both_line:$two)"
    run 0 table_of -show-line true alike mlmon.out
    row "$compared" "main.lambda  alike.cc: $sort_line"
    row 10 "local  alike.cc: $(place alike.cc 'KEPT int local')"
    run 0 table_of -names full alike mlmon.out
    row 10 'int tp<&(sq(int))>(int)'
    row 20 'over(double)'
    row 30 'int pack<int, int>(int, int)'
    row "$compared" 'main::{lambda(void const*, void const*)#1}::operator()(void const*, void const*) const'
    # Patterns know both names.
    run 0 table_of -unprofile over alike mlmon.out
    hasnot out '  over'
    run 0 "$MLPROF" -callers 'over\(double' alike mlmon.out
    has out 'of over(double)'
    hasnot out 'of over(int)'
done

# Files of one name in two folders, and a header that both name in their own way.
mkdir -p one two
echo 'static inline __attribute__((noipa)) int shared(int x) { return x + 1; }' >shared.h
for unit in one two; do
    echo "#include \"../shared.h\"
static __attribute__((noipa)) int same(int x) { return x + 1; }
int $unit(int x) { return same(x) + shared(x); }" >$unit/part.c
done
echo 'int one(int), two(int);
int main(int c, char **v) { (void)v; return one(c) + two(c) + two(c + 1) == 77; }' >main.c
pcc -O2 -fplugin-arg-ccprof-profile=count -c main.c
for unit in one two; do
    (cd $unit && pcc -O2 -fplugin-arg-ccprof-profile=count -c part.c)
done
"$CC" main.o one/part.o two/part.o -o parts
./parts
run 0 table_of parts mlmon.out
row 3 shared
[ "$(grep -c '  same (part.c:2' out)" -eq 2 ] || fail "not two rows of same: $(cat out)"
table_rows calls <out | sed -n 's/^same.* //p' | sort >got
printf '1\n2\n' >want
same got want

# All copies of one function are one row: its own code, its clones, inlined ones.
cat >clones.c <<'END'
static __attribute__((noinline)) int clone(int x, int y)
{
    return y ? x * y : x + 7;
}
__attribute__((noipa)) int first(int x) { return clone(x, 0); }
__attribute__((noipa)) int second(int x) { return clone(x, 5); }
int main(int c, char **v)
{
    (void)v;
    return first(c) + second(c) == 77777;
}
END
pcc -O3 -fplugin-arg-ccprof-profile=count clones.c -o clones
./clones
run 0 table_of clones mlmon.out
row 2 clone

# Readable names that would be alike are told apart: what was left out of their arguments is not; of
# strings of two kinds the whole names are shown.
cat >readable.cc <<'EOF'
#include <deque>
#include <map>
#include <string>
#include <vector>
template <class T> __attribute__((noipa)) long length(const T &all) { return (long)all.size(); }
long old(const char *), fresh(const char *);
template <class T> using many = std::map<std::string, std::vector<std::vector<T>>>;
int main()
{
    long n = length(many<std::string>()) + length(many<std::string>()) + length(many<std::wstring>());
    for (int i = 0; i < 3; i++)
        n += old("x");
    return n + fresh("y") != 4;
}
EOF
cat >string.cc <<'EOF'
#include <string>
template <class T> __attribute__((noipa)) long length(const T &all) { return (long)all.size(); }
long NAME(const char *text) { return length(std::string(text)); }
EOF
pcxx -std=c++17 -O2 -fplugin-arg-ccprof-profile=count -DNAME=fresh -c string.cc -o fresh.o
pcxx -std=c++17 -O2 -fplugin-arg-ccprof-profile=count -DNAME=old -D_GLIBCXX_USE_CXX11_ABI=0 -c string.cc -o old.o
pcxx -std=c++17 -O2 -fplugin-arg-ccprof-profile=count readable.cc old.o fresh.o -o readable
./readable
run 0 "$MLPROF" readable mlmon.out
row 2 'length<std::map<std::string, std::vector<std::vector<std::string>>>>'
row 1 'length<std::map<std::string, std::vector<std::vector<std::wstring>>>>'
new_string=std::__cxx11::basic_string
rest='<char, std::char_traits<char>, std::allocator<char> >'
# The symbol of the older one says std::string.
row 3 'long length<std::string>(std::string const&)'
row 1 "long length<$new_string$rest >($new_string$rest const&)"

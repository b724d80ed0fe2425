#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The attribute ccprof_exclude and the rules for functions: each folds the functions into
# their callers, wherever they went; everything else is as it is without.
. "$SRC/testsuite/plugin/plugin.sh"
need objdump readelf

RULE=-fplugin-arg-ccprof-
HIDDEN='shapes::scaled<int> shapes::Box<int>::Box shapes::Box<int>::~Box shapes::Box<int>::grown
shapes::Hidden::first shapes::Hidden::Inner::second shapes::Hidden::Inner::second.lambda
apart use.lambda_hidden'

# build OUT OPTIONS...
build() {
    out=$1
    shift
    pcxx -I"$SRC/rt" -std=c++17 "$@" -o "$out" "$SOURCES/exclude.cc"
}

# excludes FUNCTIONS OPTIONS...: built so the functions are missing.
excludes() {
    gone=$1
    shift
    # shellcheck disable=SC2086
    build some $LEVEL "$@"
    answers some >got
    # shellcheck disable=SC2086
    without $gone $gone $gone >want
    same got want
    if cmp -s want all; then
        fail "nothing to exclude: $gone"
    fi
}

# The two lambdas of use have one name, and the hidden one is known by its line.
line=$(grep -n 'auto hidden' "$SOURCES/exclude.cc" | cut -d: -f1)

for LEVEL in -O2 -O0 '-O3 -g' '-O2 -flto'; do
    echo "$LEVEL"
    # shellcheck disable=SC2086
    build whole $LEVEL -DNONE
    answers whole | sed "s/: use\.lambda \([^ ]*:$line:[0-9]*\)/: use.lambda_hidden \1/" >all
    excludes "$HIDDEN"
    sed -i 's/use\.lambda_hidden/use.lambda/' all
    excludes apart -DNONE ${RULE}exclude-function='^apart$'
    excludes use.lambda -DNONE ${RULE}exclude-function='^use[.]lambda$'
    excludes 'shapes::Box<int>::grown shapes::Box<int>::kept shapes::Box<int>::Box shapes::Box<int>::~Box' \
        -DNONE ${RULE}exclude-function='Box<'
    # One order: the last rule that matches decides, on whatever it is.
    excludes 'main use use.lambda apart' -DNONE \
        ${RULE}exclude=exclude.cc ${RULE}include-function=shapes
    excludes 'use' -DNONE ${RULE}exclude-function=. ${RULE}include=exclude.cc \
        ${RULE}exclude-function='^use$'
    # No rule includes what the source excludes.
    # shellcheck disable=SC2086
    build some $LEVEL ${RULE}include=. ${RULE}include-function=.

    answers some >answered
    hasnot answered ': apart \|scaled'
done

# By hand, that something was there to exclude: see the constants.
build whole -O2 -DNONE
charged whole 0x12345671 'shapes::scaled<int>'
build some -O2
charged some 0x12345671 use
has where ': use [^ ]*exclude.cc:[0-9]*:[0-9]*$'
nm whole | grep -q 'apart.*constprop' || fail "apart has no clone"
charged some 0x3ade68b 'shapes::Box<int>::kept'
hasnot where apart

# The header's macro changes no code, with the plugin or without, and needs no plugin.
for level in -O0 -O2 '-O2 -fno-exceptions -fPIC'; do
    # shellcheck disable=SC2086
    same_code "$CXX" -std=c++17 -Wall -Wextra -Werror -I"$SRC/rt" $level "$SOURCES/exclude.cc"
done
"$CXX" -std=c++17 -O2 -I"$SRC/rt" -DNONE -c "$SOURCES/exclude.cc" -o none.o
"$CXX" -std=c++17 -O2 -I"$SRC/rt" -c "$SOURCES/exclude.cc" -o macro.o
cmp none.o macro.o

# Where it means nothing that is said.
echo 'int x __attribute__((ccprof_exclude)); int f(int y __attribute__((ccprof_exclude))) { return y; }' >bad.c
run 0 pcc -c bad.c -o bad.o
[ "$(grep -c "warning: 'ccprof_exclude' attribute is for functions and classes" err)" -eq 2 ] ||
    fail "no warnings: $(cat err)"
echo '__attribute__((ccprof_exclude(1))) int f(int y) { return y; }' >bad.c
run 1 pcc -c bad.c -o bad.o
has err 'wrong number of arguments'

# Counted are the same functions.
cat >calls.cc <<'END_OF_FILE'
namespace one { __attribute__((noinline)) int f(int x) { return x + 1; } }
namespace two { int f(int x) { return x * 3; } __attribute__((const)) int g(int); }
int two::g(int x) { return x ^ 5; }
__attribute__((ccprof_exclude)) static int hidden(int x) { return two::f(x); }
int main(int argc, char **) { return one::f(argc) + hidden(argc) + two::g(argc) + two::g(argc) == 9999; }
END_OF_FILE
for options in -O0 -O2 '-O2 -flto'; do
    # shellcheck disable=SC2086
    pcxx $options ${RULE}profile=count ${RULE}exclude-function='^one::' calls.cc -o calls
    ./calls
    table_of calls mlmon.out | table_rows calls | sort >got
    printf '%s\n' 'main 1' 'two::f 1' 'two::g 2' >want
    same got want
done

# Ada
if have "$GNATMAKE" 'Ada'; then
    cat >m.adb <<'END_OF_FILE'
procedure M is
   function F (X : Integer) return Integer;
   pragma Machine_Attribute (F, "ccprof_exclude");
   function F (X : Integer) return Integer is begin return X * 3; end F;
   function G (X : Integer) return Integer is begin return F (X); end G;
   Y : Integer := G (4);
begin
   null;
end M;
END_OF_FILE
    "$GNATMAKE" -q m.adb -cargs -fplugin="$PLUGIN" -O0
    for letter in f g; do
        "$MLPROF" -where m "0x$(nm m | sed -n "s/ t m__${letter}[.].*//p")" | sed 's/^[^ ]* //; s/ .*//'
    done >got
    printf '%s\n' '?' m.g >want
    same got want
fi

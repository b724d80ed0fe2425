#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every compiler proper loads the plugin, and says its version and what it takes.
. "$SRC/testsuite/plugin/plugin.sh"

version=$(sed -n 's/^VERSION := //p' "$SRC/Makefile")
for name in $PROPERS; do
    compiler=$(proper "$name")
    [ -n "$compiler" ] || {
        leave_out "$name is not installed"
        continue
    }
    echo "$name"
    # An empty file is no program of every language.
    "$compiler" -fplugin="$PLUGIN" -quiet -version /dev/null -o "$name.s" >messages 2>&1 || :
    has messages "^ *ccprof: $version, built for GCC $("$CC" -dumpfullversion)\$"
    hasnot messages 'ccprof.*\(error\|cannot\)'
    run 0 "$compiler" -fplugin="$PLUGIN" --help
    cat out err >messages
    has messages '^ *ccprof:$'
    has messages '^ *profile={time|time-label|time-field|count|alloc|call|no|drop}  *[a-z]'
    has messages '^ *exclude=REGEXP  *[a-z]'
done

# By the driver, in every language.
cat >a.c <<'END'
int f(int x) { return x + 1; }
END
cp a.c a.cc
printf 'subroutine f(x)\n  integer :: x\n  x = x + 1\nend subroutine\n' >a.f90
printf 'procedure A (X : in out Integer);\n' >a.ads
printf 'procedure A (X : in out Integer) is begin X := X + 1; end A;\n' >a.adb
for file in a.c a.cc a.f90 a.adb; do
    case $file in
    *.cc) [ -n "$(proper cc1plus)" ] || continue ;;
    *.f90) [ -n "$(proper f951)" ] || continue ;;
    *.adb) [ -n "$(proper gnat1)" ] || continue ;;
    esac
    run 0 pcc -O2 -c "$file" -o a.o
    is_profiled a.o
    cat out err >messages
    same messages /dev/null
done
run 0 pcc -O2 -flto -c a.c -o a.o
run 0 pcc -O2 -flto -r -nostdlib -flinker-output=nolto-rel a.o -o b.o
is_profiled b.o

# Where nothing is compiled there is nothing to say, and nothing in the way.
"$CC" -E a.c >want
run 0 pcc -E a.c
# But for the plugin, as a file that the text comes from.
has out "^# 1 \"$PLUGIN\"\$"
sed -i '\,^# 1 "'"$PLUGIN"'"$,,+3d' out
same out want
same err /dev/null
run 0 pcc -fsyntax-only a.c
same err /dev/null
echo 'int only_data = 1;' >data.c
run 0 pcc -c data.c
nothing_of_ccprof data.o

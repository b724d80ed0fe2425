#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=alloc: C++, Fortran and Ada, at several levels and at link time.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/alloc/alloc.sh"

for level in -O0 -O2 "-O3 -flto"; do
    # What the library's templates allocate is their callers'.
    # shellcheck disable=SC2086
    pcxx $level "$KIND" "-fplugin-arg-ccprof-exclude=/c[+][+]/" "$ALLOC/news.cc" -o news
    ./news >want
    if [ "$level" = -O0 ]; then
        # There std::vector's functions are no part of main.
        sed -i '/^main/d' want
    fi
    allocated want news mlmon.out
    # Both compilers' names of a type.
    "$MLPROF" -allocs type news mlmon.out >types
    for type in space::Derived int char 'space::Box<int>' Aligned; do
        has types "^ *[0-9.]*%  .*  $type\$"
    done
done

if have "$FC" 'Fortran'; then
    for level in -O0 -O2 "-O2 -flto"; do
        # shellcheck disable=SC2086
        pfc $level "$KIND" "$ALLOC/levels.f90" -o levels
        ./levels >want
        allocated want levels mlmon.out
    done
    "$MLPROF" -allocs site levels mlmon.out >sites
    has sites '  malloc .*point.*  shapes.single  .*levels.f90: 19$'
fi

if have "$GNATMAKE" 'Ada'; then
    cat >nodes.adb <<'END'
procedure Nodes is
   type Node;
   type Link is access Node;
   type Node is record
      Next : Link;
      A, B : Long_Long_Integer;
   end record;
   List : Link := null;
   procedure Add is
   begin
      List := new Node'(List, 1, 2);
   end Add;
begin
   for I in 1 .. 50 loop
      Add;
   end loop;
end Nodes;
END
    "$GNATMAKE" -q nodes.adb -cargs -O1 -fplugin="$PLUGIN" "$KIND"
    ./nodes
    table nodes mlmon.out >got
    has got '^nodes.add 1200 50$'
fi

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 600
# make install puts everything below DESTDIR, the manual pages where man finds them;
# make uninstall leaves no file behind.
. "$SRC/testsuite/lib.sh"

# A copy of what is built: the prefix is compiled in.
mkdir -p build/obj
for part in plugin rt mlprof ccprof.so; do
    cp -a "$O/$part" build
done
cp -a "$O/obj/mlprof" build/obj

# quiet_make TARGET VARIABLES...
quiet_make() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "${MAKE:-make}" -s -C "$SRC" O="$PWD/build" \
        CC="$CC" CXX="$CXX" SAN= PREFIX=/usr DESTDIR="$PWD/dest" "$@" >log 2>&1 ||
        fail "make $*: $(tail -n 5 log)"
}

files() {
    find dest ! -type d | sort
}

quiet_make install
files >installed
for file in share/man/man1/ccprof.1 share/man/man1/mlprof.1 share/man/man3/ccprof.3 share/man/man5/mlmon.out.5 \
    share/doc/ccprof/README share/doc/ccprof/COPYING bin/mlprof lib/libccprof.so.1 lib/libccprof.so \
    lib/libccprof.a lib/ccprof.so include/ccprof.h \
    include/ccprof.f90 lib/libccprof_api.a; do
    [ -f "dest/usr/$file" ] || fail "make install leaves no $file"
done
[ -f "dest$("$CC" -print-file-name=plugin)/ccprof.so" ] || fail "no plugin in GCC's folder"
for file in "$SRC"/doc/*.md; do
    same "dest/usr/share/doc/ccprof/$(basename "$file")" "$file"
done
[ -x dest/usr/bin/mlprof ] || fail "mlprof cannot be run"
find dest -type f ! -perm -444 >unreadable
same unreadable /dev/null

if have man 'looking up the pages'; then
    for page in ccprof.1 mlprof.1 ccprof.3 mlmon.out.5; do
        run 0 man -M "$PWD/dest/usr/share/man" -w "${page##*.}" "${page%.*}"
        echo "$PWD/dest/usr/share/man/man${page##*.}/$page" >want
        same out want
    done
fi

quiet_make uninstall
files >left
same left /dev/null
[ ! -e dest/usr/share/doc/ccprof ] || fail "share/doc/ccprof is left"

# Twice is no error; folders may be others.
quiet_make uninstall
quiet_make install MANDIR=/m DOCDIR=/d
for file in dest/m/man1/ccprof.1 dest/d/README; do
    [ -f "$file" ] || fail "MANDIR and DOCDIR are not heeded: no $file"
done
quiet_make uninstall MANDIR=/m DOCDIR=/d
files >left
same left /dev/null

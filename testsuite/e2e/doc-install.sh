#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 1800
# make install puts everything below DESTDIR, the manual pages where man finds them. make
# uninstall leaves no file and no folder behind that install made. A user who cannot write into
# the compiler's folder gets a plugin all the same; make names the packages that are missing.
. "$SRC/testsuite/lib.sh"

# A copy of what is built: the prefix is compiled in.
mkdir -p build/obj
for part in plugin rt mlprof objdiff ccprof-verify ccprof.so; do
    cp -a "$O/$part" build
done
cp -a "$O/obj/mlprof" "$O/obj/verify" build/obj

DEST="$PWD/de st"

# quiet_make TARGET VARIABLES...
quiet_make() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "${MAKE:-make}" -s -C "$SRC" O="$PWD/build" \
        CC="$CC" CXX="$CXX" SAN= PREFIX=/usr DESTDIR="$DEST" "$@" >log 2>&1 ||
        fail "make $*: $(tail -n 5 log)"
}

files() {
    find "$DEST" ! -type d | sort
}

# What was there before stays; and what others have put into a folder, with that.
mkdir -p "$DEST/usr/share/man/man3" "$DEST/usr/lib"
find "$DEST" | sort >before
quiet_make install
files >installed
for file in share/man/man1/ccprof.1 share/man/man1/ccprof-verify.1 share/man/man1/mlprof.1 share/man/man3/ccprof.3 share/man/man5/mlmon.out.5 share/man/man7/mlprof-compare.7 share/man/man7/mlprof-formats.7 \
    share/doc/ccprof/README share/doc/ccprof/NEWS share/doc/ccprof/COPYING \
    share/doc/ccprof/COPYING.MIT bin/mlprof bin/ccprof-verify lib/ccprof-verify/objdiff share/bash-completion/completions/ccprof-verify lib/libccprof.so.1 lib/libccprof.so \
    lib/libccprof.a lib/ccprof.so include/ccprof.h \
    include/ccprof.f90 include/ccprof.ads include/ccprof.adb lib/libccprof_api.a; do
    [ -f "$DEST/usr/$file" ] || fail "make install leaves no $file"
done
[ -f "$DEST$("$CC" -print-file-name=plugin)/ccprof.so" ] || fail "no plugin in GCC's folder"
for file in "$SRC"/doc/*.md; do
    same "$DEST/usr/share/doc/ccprof/$(basename "$file")" "$file"
done
[ -x "$DEST/usr/bin/mlprof" ] || fail "mlprof cannot be run"
find "$DEST" -type f ! -perm -444 >unreadable
same unreadable /dev/null
# rpm strips only what may be executed, and asks nothing else what it needs.
find "$DEST" -type f -name '*.so*' ! -perm -111 >not-executable
same not-executable /dev/null

if have man 'looking up the pages'; then
    for page in ccprof.1 ccprof-verify.1 mlprof.1 ccprof.3 mlmon.out.5 mlprof-compare.7 mlprof-memory.7; do
        run 0 man -M "$DEST/usr/share/man" -w "${page##*.}" "${page%.*}"
        echo "$DEST/usr/share/man/man${page##*.}/$page" >want
        same out want
    done
fi

quiet_make uninstall
find "$DEST" | sort >left
same left before

# Twice is no error; folders may be others.
quiet_make uninstall
quiet_make install MANDIR=/m DOCDIR=/d
for file in "$DEST"/m/man1/ccprof.1 "$DEST"/d/README; do
    [ -f "$file" ] || fail "MANDIR and DOCDIR are not heeded: no $file"
done
echo another >"$DEST/d/another"
quiet_make uninstall MANDIR=/m DOCDIR=/d
files >left
echo "$DEST/d/another" >want
same left want
[ ! -e "$DEST/m" ] || fail "MANDIR is left"

# A compiler whose folder cannot be written.
cat >locked <<END
#!/bin/sh
case " \$* " in
*" -print-file-name=plugin "*) echo /proc/nowhere/plugin ;;
*) exec "$CC" "\$@" ;;
esac
END
chmod +x locked
home() {
    CPLUS_INCLUDE_PATH=$("$CC" -print-file-name=plugin)/include \
        env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "${MAKE:-make}" -s -C "$SRC" O="$PWD/build" \
        CC="$CC" CXX="$CXX" SAN= PLUGIN_GCC="$PWD/locked" PREFIX="$PWD/home" "$@" >log 2>&1 ||
        fail "make $*: $(tail -n 5 log)"
}
cp "$SRC/doc/prog.c" .
# works FOLDER: where the plugin is; what was said is what works.
works() {
    major=$("$CC" -dumpversion | sed 's/[.].*//')
    [ -f "$1/$major/ccprof.so" ] || fail "no plugin in $1: $(find home)"
    has log "^Installed[.]"
    sed -n 's/^    //p' log >said
    [ "$(wc -l <said)" -eq 3 ] || fail "it says $(cat log)"
    has said "^$PWD/locked -O2 -fplugin=$PWD/home/lib/ccprof.so prog.c -o prog\$"
    rm -f mlmon.out
    run 0 sh -e said
    has out ' heavy$'
    same err /dev/null
    mkdir tree
    cp prog.c tree
    (cd tree && "$OLDPWD/home/bin/ccprof-verify" "$CC" -O2 -c prog.c) >out 2>err || fail "$(cat out err)"
    has out '^1 objects compared: 1 the same; 1 hold tables of ccprof$'
    rm -r tree
}
home install
works home/lib/ccprof
home uninstall
[ ! -e home ] || fail "left behind: $(find home)"
home install PLUGINDIR="$PWD/home/plugins"
works home/plugins
[ ! -e home/lib/ccprof ] || fail 'PLUGINDIR is not heeded'
home uninstall PLUGINDIR="$PWD/home/plugins"
[ ! -e home ] || fail "left behind: $(find home)"

# What is missing is named, all at once, and nothing is tried.
cat >bare <<END
#!/bin/sh
case " \$* " in
*" -print-file-name=plugin "*) echo plugin ;;
*" -E "*) exec "$CC" -nostdinc "\$@" ;;
*) exec "$CC" "\$@" ;;
esac
END
chmod +x bare
for target in all install; do
    run 2 env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "${MAKE:-make}" -s -C "$SRC" O="$PWD/none" \
        CC="$PWD/bare" CXX=no-such-compiler PLUGIN_GCC="$PWD/bare" SAN= DESTDIR="$DEST" $target
    cat >want <<END
Missing packages (as Debian calls them). To install them:
    sudo apt-get install g++ libelf-dev libmd-dev zlib1g-dev libzydis-dev gcc-$major-plugin-dev
END
    head -n 2 err >got
    same got want
    [ ! -e none ] || fail "something was built: $(find none)"
done

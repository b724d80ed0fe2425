#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The plugin refuses compilers and targets that it is not for, and says so.
. "$SRC/testsuite/plugin/plugin.sh"

"$CC" -O -Wall -Werror -shared -fPIC "$SOURCES/other.c" -o other.so
echo 'int f(int x) { return x + 1; }' >a.c
export OTHER_PLUGIN="$PLUGIN"

# as VERSION CONFIGURATION: a compilation by such a compiler.
as() {
    rm -f a.o
    OTHER_VERSION=$1 OTHER_CONFIGURATION=$2 "$CC" -fplugin=./other.so -c a.c -o a.o
}

# refused ERROR VERSION CONFIGURATION
refused() {
    error=$1
    shift
    run 1 as "$@"
    [ ! -e a.o ] || fail "an object after an error"
    grep -q "^cc1: error: ccprof: $error\$" err || fail "$(cat err)"
    [ "$(grep -c ccprof err)" -eq 1 ] || fail "not one line: $(cat err)"
    hasnot err 'internal compiler error'
}

major=$("$CC" -dumpversion)
major=${major%%.*}
target=$("$CC" -dumpmachine)
configured="../configure -v --target=$target --with-build-config=bootstrap-lto"

# Any build of the same major version and for the same target.
for version in "$major.0.0" "$major.99.1" "$major"; do
    for configuration in "$configured" "--target=$target" "configure '--target=$target'" \
        'configure --enable-languages=c' ''; do
        run 0 as "$version" "$configuration"
        is_profiled a.o
    done
done

for version in 11.4.0 99.1.0 4.9.2; do
    refused "built for GCC $major and cannot be loaded into GCC $version: build it with \
'make PLUGIN_GCC=gcc-${version%%.*}'" "$version" "$configured"
done
for other in aarch64-linux-gnu "$target-x" x86_64; do
    refused "built for a compiler for $target and cannot be loaded into one for $other" \
        "$major.1.0" "configure --target=$other --prefix=/usr"
done

# Targets of this compiler that have no runtime.
case $target in
x86_64*) targets='-m32 -mx32' ;;
*) targets= ;;
esac
for option in $targets; do
    "$CC" "$option" -S a.c -o plain.s 2>/dev/null || continue
    echo "$option"
    rm -f a.s
    run 1 pcc "$option" -S a.c -o a.s
    [ ! -e a.s ] || fail "output after an error"
    [ "$(sed 's/^[^ ]*: //' err)" = \
        "error: ccprof: there is no runtime for this target: only for 64-bit code" ] || fail "$(cat err)"
    run 0 pcc -fplugin-arg-ccprof-profile=no "$option" -S a.c -o a.s
    same a.s plain.s
done

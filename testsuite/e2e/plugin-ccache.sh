#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ccache finds what was compiled, and compiles again when the plugin has changed, however the
# plugin is named on the command line.
. "$SRC/testsuite/lib.sh"
need ccache
export CCACHE_DIR="$PWD/cache"
unset CCACHE_DISABLE CCACHE_READONLY CCACHE_NODIRECT CCACHE_DEPEND CCACHE_SLOPPINESS

# plugin BYTES: the plugin, with so many bytes more.
plugin() {
    mkdir -p plugins
    cp -L "$PLUGIN" plugins/ccprof.so
    head -c "$1" /dev/zero >>plugins/ccprof.so
    # What is as new as its object ccache does not trust.
    touch -d '1 hour ago' plugins/ccprof.so
}

cp "$SRC/doc/prog.c" prog.c
cp "$SRC/doc/prog.c" prog.cc
touch -d '1 hour ago' prog.c prog.cc

# compile COMMAND...: an object with tables; prints whether it was found.
compile() {
    rm -f prog.o
    ccache -z >/dev/null
    ccache "$@" -O2 -c -o prog.o
    readelf -SW prog.o >sections
    has sections ' \.ccprof\.code '
    ccache --print-stats | awk '$1 ~ /^(direct|preprocessed)_cache_hit$/ { hits += $2 }
        $1 == "cache_miss" { misses += $2 } END { print hits + 0, misses + 0 }'
}

# is HITS MISSES COMMAND...
is() {
    want="$1 $2"
    shift 2
    got=$(compile "$@")
    [ "$got" = "$want" ] || fail "$got hits and misses, not $want: $*"
}

for mode in '' 1; do
    export CCACHE_NODIRECT="$mode"
    [ -n "$mode" ] || unset CCACHE_NODIRECT
    for how in "-fplugin=$PWD/plugins/ccprof.so" "-iplugindir=$PWD/plugins -fplugin=ccprof"; do
        for file in prog.c prog.cc; do
            case $file in
            *.c) compiler=$CC ;;
            *) compiler=$CXX ;;
            esac
            echo "${mode:+without direct mode: }$how $file"
            ccache -C >/dev/null 2>&1
            plugin 0
            # shellcheck disable=SC2086
            {
                is 0 1 "$compiler" $how $file
                is 1 0 "$compiler" $how $file
                plugin 1
                is 0 1 "$compiler" $how $file
                is 1 0 "$compiler" $how $file
                is 0 1 "$compiler" $how -fplugin-arg-ccprof-position=line $file
            }
        done
    done
done

# Where nothing is preprocessed the path alone tells: as ccprof(1) says.
ccache -C >/dev/null 2>&1
for bytes in 0 1; do
    plugin $bytes
    export CCACHE_DEPEND=1
    is 0 1 "$CC" -MD -fplugin="$PWD/plugins/ccprof.so" prog.c
    unset CCACHE_DEPEND
done

# What is compiled from the preprocessed text is the same.
for flags in -O2 '-O2 -g'; do
    # shellcheck disable=SC2086
    {
        pcc $flags -c prog.c -o straight.o
        pcc $flags -E prog.c -o prog.i
        pcc $flags -c prog.i -o detour.o
    }
    for object in straight detour; do
        objdump -d $object.o | sed 1,3d >$object
    done
    [ -s straight ] || fail 'no code'
    same detour straight
    readelf --debug-dump=decodedline detour.o >lines 2>/dev/null
    hasnot lines 'ccprof'
done
pcc -E -P prog.c >text
hasnot text 'ccprof[.]so'

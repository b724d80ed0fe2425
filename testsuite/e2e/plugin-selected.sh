#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions that are not selected keep their code with each kind but count: what differs refers
# to ccprof.  (stopwatch=: watch-functions.sh.)
. "$SRC/testsuite/plugin/plugin.sh"
need readelf

RULE=-fplugin-arg-ccprof-

# unselected ARGUMENTS SOURCE OPTIONS...
unselected() {
    arguments=$1
    shift
    set -- "$CC" "$@" -w -ffunction-sections -fdata-sections -gno-record-gcc-switches -frandom-seed=1 -c
    "$@" -o plain.o
    # shellcheck disable=SC2086
    "$@" -fplugin="$PLUGIN" $arguments -o it.o
    "$OBJDIFF" plain.o it.o >differences || :
    readelf -rW it.o | awk '
        /^Relocation section/ { gsub(/\047|[.]rela/, "", $3); section = $3 }
        /ccprof/ { print section }' | grep '^\.text' | sort -u >changed || :
    sed -n 's/^\(\.text[^:]*\): .*/\1/p' differences | sort -u >differ
    comm -23 differ changed >wrong
    [ ! -s wrong ] || fail "$arguments $*: $(cat wrong differences)"
    some=$((some + $(wc -l <differ)))
}

for kind in time call alloc time-field; do
    some=0
    for options in -O2 '-O3 -fPIC' '-O2 -g'; do
        for source in tree scene; do
            # shellcheck disable=SC2086
            unselected "${RULE}profile=$kind ${RULE}exclude-function=. ${RULE}include-function=[ae]\$" \
                "$SRC/testsuite/demo/$source.c" $options
        done
    done
    echo "$kind: $some functions differ"
    case $kind in
    time | call) [ $some -eq 0 ] ;;
    *) [ $some -gt 0 ] ;;
    esac || fail "$kind: $some functions differ"
done

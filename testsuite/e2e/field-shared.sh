#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# show: 4
# time-field: one field in the process, whether the executable has it, and objects come
# before it or late; in threads; and where the executable is of kind time-label.
. "$SRC/testsuite/field/field.sh"
. "$SRC/testsuite/field/agree.sh"

# libraries OPTION...
libraries() {
    for unit in alpha beta; do
        "$CC" -fplugin="$PLUGIN" "$@" -s -fPIC -shared "$KERNEL" "$FORMS/parts-$unit.c" \
            -o "lib$unit.so"
    done
}

# four: programs with and without the plugin, linked with the libraries and opening them.
four() {
    for kind in time-field no time-label; do
        echo "$*, the executable is of kind $kind"
        pcc "-fplugin-arg-ccprof-profile=$kind" "$@" "$KERNEL" "$FORMS/parts-main.c" \
            -o linked -L. -lalpha -lbeta -Wl,-rpath,.
        profile linked
        split alpha_work beta_work
        pcc "-fplugin-arg-ccprof-profile=$kind" "$@" "$KERNEL" "$FORMS/open.c" -o open
        profile open
        split alpha_work beta_work
    done
}

libraries $KIND -O2
four -O2
libraries $KIND -O2 -Wl,-z,now,-z,relro
four -O0
if command -v ld.lld >/dev/null; then
    libraries $KIND -O2 -fuse-ld=lld
    four -O2 -fuse-ld=lld
fi

echo "unloaded, and the program goes on"
pcc $KIND -O2 "$KERNEL" "$FIELD/unload.c" -o unload
profile unload
within alpha_work 40 60
within after 40 60

echo "threads"
pcc $KIND -O2 -pthread "$KERNEL" "$FORMS/threads.c" -o threads
profile threads
split alpha beta

echo "no runtime"
pcc $KIND -O2 "$KERNEL" "$FORMS/parts-main.c" -o linked -L. -lalpha -lbeta -Wl,-rpath,.
rm -f mlmon.out
CCPROF=off ./linked >output || fail "status $?"
[ ! -e mlmon.out ] || fail "CCPROF=off wrote a file"

if [ "${TARGET-}" ]; then
    leave_out 'how time-label agrees: under qemu signals come between basic blocks only'
    exit 0
fi
# All of it in a shared object, main, too.
build() {
    "$CC" -fplugin="$PLUGIN" -O2 -fPIC -shared "$@" -o libprog.so -lm
    "$CC" -Wl,--no-as-needed -L. -lprog -Wl,-rpath,. -o prog
}
tracer "the ray tracer in a shared object"

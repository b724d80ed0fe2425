#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The plugin exports two symbols and uses no symbol that some compiler proper lacks.
. "$SRC/testsuite/plugin/plugin.sh"
need nm readelf

for file in "$PLUGIN" "$O/plugin/chooser/ccprof.so"; do
    nm -D --defined-only "$file" | awk '{ print $NF }' | sort >exported
    printf '%s\n' plugin_init plugin_is_GPL_compatible >want
    same exported want
    # Its like in the compiler may be of another version than one that is loaded for it.
    readelf -dW "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >needed
    if grep -vx 'libc\.so\.6\|libm\.so\.6\|ld-linux.*' needed; then
        fail "$file needs a library besides libc"
    fi
done

# What is of libc or libgcc has a version; a weak one may be missing.
nm -D --undefined-only "$PLUGIN" | awk '$1 == "U" && $2 !~ /@(GLIBC|GCC)_/ { print $2 }' |
    sort -u >wanted
has wanted '^register_callback$'
for name in $PROPERS; do
    compiler=$(proper "$name")
    [ -n "$compiler" ] || {
        leave_out "$name is not installed"
        continue
    }
    nm -D --defined-only "$compiler" | awk '{ print $NF }' | sort -u >offered
    comm -23 wanted offered >missing
    [ ! -s missing ] || fail "$name lacks $(tr '\n' ' ' <missing)"
done

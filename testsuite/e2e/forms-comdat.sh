#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# C++'s inline functions and templates, in two units: one copy of the code and of its
# tables is left, whichever unit it comes from.
. "$SRC/testsuite/forms/forms.sh"
need "$CXX"

pcxx -O2 "$KERNEL" -c "$FORMS/comdat-main.cc" -o main.o
pcxx -O2 "$KERNEL" -c "$FORMS/comdat-second.cc" -o second.o
pcxx -O2 -ffunction-sections "$KERNEL" -c "$FORMS/comdat-second.cc" -o sections.o
"$CXX" -O2 "$KERNEL" -c "$FORMS/comdat-second.cc" -o plain.o

right_comdat() {
    profile comdat
    cat table
    [ "$(addresses comdat "$ALPHA" | wc -l)" -eq 1 ] || fail "two copies of the code"
    [ "$(grep -c '  forms::Work.*::helper$' table)" -eq 2 ] || fail "not two rows of helper"
    addresses comdat "$ALPHA" | "$MLPROF" -where comdat | tee where
    has where ': forms::Work.*::helper .* < forms::Work.*::run '
}

for linker in bfd lld; do
    have ld.$linker "linking by $linker" || continue
    for objects in "main.o second.o" "second.o main.o" "main.o sections.o"; do
        echo "$linker $objects"
        # shellcheck disable=SC2086
        "$CXX" -fuse-ld=$linker -Wl,--gc-sections $objects -o comdat
        right_comdat
    done
done

# One copy has tables, the other has none: what is said of the one that stays is its own.
"$CXX" main.o plain.o -o comdat
profile comdat
addresses comdat "$ALPHA" | "$MLPROF" -where comdat >where
has where ': forms::Work.*::helper '
"$CXX" plain.o main.o -o comdat
profile comdat
addresses comdat "$ALPHA" | "$MLPROF" -where comdat >where
has where ': ?$'

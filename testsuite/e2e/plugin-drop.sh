#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=no is a compiler without the plugin. profile=drop carries the markers through the
# optimisers, and nothing of them into the output: objects and linked programs of every
# language are those of a compiler without the plugin, byte for byte.
. "$SRC/testsuite/plugin/plugin.sh"

# unchanged COMPILER OPTIONS...
RESULT=it.o
unchanged() {
    "$@" -o $RESULT
    mv $RESULT plain.o
    for profile in no drop; do
        "$@" -fplugin="$PLUGIN" -fplugin-arg-ccprof-profile=$profile -o $RESULT
        cmp $RESULT plain.o || fail "profile=$profile changes the output: $*"
        nothing_of_ccprof $RESULT
    done
}

# markers PROFILE: of ours in the dumps of a compilation.
markers() {
    rm -f -- *.optimized *.ssa
    pcc -O2 -fdump-tree-ssa-lineno -fdump-tree-optimized-lineno \
        -fplugin-arg-ccprof-profile="$1" -S "$SOURCES/stack.c" -o it.s
    cat -- *.optimized | grep -c '<ccprof>:[123].*DEBUG BEGIN_STMT' || :
}

# In the IR: of four functions, with what is inlined in them.
[ "$(markers no)" -eq 0 ] || fail "profile=no has markers: $(markers no)"
[ "$(markers drop)" -ge 12 ] || fail "profile=drop has no markers: $(markers drop)"
[ "$(markers time)" -eq "$(markers drop)" ] || fail "profile=drop has other markers than profile=time"

set -- -gno-record-gcc-switches -c
fortran=
if have "$FC" 'Fortran'; then
    fortran=yes
fi
for level in -O0 -O2 '-O2 -g' '-O3 -fPIC -ffunction-sections'; do
    echo "$level"
    # shellcheck disable=SC2086
    {
        unchanged "$CC" "$@" $level "$SOURCES/stack.c"
        unchanged "$CC" "$@" $level -w "$SOURCES/odd.c"
        unchanged "$CC" "$@" $level -fopenmp "$KERNEL" "$SRC/testsuite/forms/omp.c"
        unchanged "$CC" "$@" $level "$SRC/testsuite/demo/tree.c"
        unchanged "$CXX" "$@" $level "$KERNEL" "$SRC/testsuite/forms/names.cc"
        unchanged "$CXX" "$@" $level "$KERNEL" "$SRC/testsuite/forms/catch.cc"
        [ -z "$fortran" ] || unchanged "$FC" "$@" $level "$KERNEL" "$SRC/testsuite/forms/names.f90"
    }
done
if [ -n "$(proper gnat1)" ]; then
    # GNAT wants the object to be called after its source.
    RESULT=kernels.o
    unchanged "$CC" "$@" -O2 "$SRC/testsuite/forms/ada/kernels.adb"
    RESULT=it.o
fi

# Linked, with link time optimisation, and as a shared object.
set -- -O2 -gno-record-gcc-switches -frandom-seed=1 -Wl,--build-id=sha1
unchanged "$CC" "$@" "$SOURCES/stack.c"
unchanged "$CC" "$@" -flto "$SOURCES/stack.c"
unchanged "$CC" "$@" -shared -fPIC "$SOURCES/stack.c"
unchanged "$CXX" "$@" -flto "$KERNEL" "$SRC/testsuite/forms/catch.cc"

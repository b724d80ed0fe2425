#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A configure script and CMake get the same results with the plugin as without it, and leave no
# profile behind.
. "$SRC/testsuite/lib.sh"

# plain NAME: the compiler alone, or with the plugin.
for what in plain profiled; do
    mkdir $what
    case $what in
    plain) flags= ;;
    profiled) flags="-fplugin=$PLUGIN" ;;
    esac
    cat >$what/cc <<END
#!/bin/sh
exec "$CC" $flags "\$@"
END
    chmod +x $what/cc
done

# compare COMMAND...: its output with both compilers.
compare() {
    for what in plain profiled; do
        (export CC="$PWD/$what/cc" && cd $what && "$@") >$what.out 2>&1 || fail "$what: $(cat $what.out)"
        find $what -name 'mlmon*' >left
        same left /dev/null
    done
    # cmake 3.26 and later say how long they took.
    sed -i '/^-- .* done/s/ ([0-9.]*s)$//' plain.out profiled.out
    sed 's/profiled/plain/g' profiled.out >got
    grep -v "$PWD" got >profiled.out || :
    grep -v "$PWD" plain.out >got || :
    same profiled.out got
}

none=1
if command -v autoconf >/dev/null; then
    cat >configure.ac <<'END'
AC_INIT([try], [1])
AC_PROG_CC
AC_C_BIGENDIAN
AC_RUN_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>]],
    [[FILE *f = fopen("conftest.val", "w"); return !f;]])], [echo ran], [echo failed])
AC_CHECK_SIZEOF([long])
AC_CHECK_FUNCS([memfd_create no_such_function])
AC_OUTPUT
END
    autoconf
    compare ../configure
    has plain.out '^ran$'
    has plain.out 'checking size of long... 8$'
    none=
fi
if command -v cmake >/dev/null; then
    cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
project(try C)
include(CheckCSourceRuns)
check_c_source_runs("int main(void) { return 0; }" RUNS)
check_c_source_runs("int main(void) { return 1; }" FAILS)
file(WRITE ${CMAKE_BINARY_DIR}/try.c "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 7; }")
try_run(status compiled ${CMAKE_BINARY_DIR}/try ${CMAKE_BINARY_DIR}/try.c RUN_OUTPUT_VARIABLE printed)
message("${status} ${compiled} ${printed}")
END
    compare cmake -S .. -B .
    has plain.out '^7 TRUE hello'
    none=
fi
[ -z "$none" ] || skip 'neither autoconf nor cmake is installed'

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For a unit test that TESTS names make builds what that test is linked with, and for a script everything.
. "$SRC/testsuite/lib.sh"

# plugin TEST: of the plugin's files, one if it is built for that test.
plugin() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "${MAKE:-make}" -n -C "$SRC" O="$PWD/none" CC="$CC" CXX="$CXX" SAN= \
        PLUGIN_GCC="$CC" run-tests TESTS="$1" >said 2>&1 || fail "make run-tests: $(tail -n 3 said)"
    grep -o -m 1 'plugin/mark/infer\.cc' said | head -n 1 >out || :
}

plugin check_layout
same out /dev/null
has said 'check_layout'
plugin doc-rooms
echo plugin/mark/infer.cc >want
same out want

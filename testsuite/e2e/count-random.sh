#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=count: as count-csmith, of random programs that do what those of csmith do not: setjmp and
# longjmp, computed goto, ends in the middle, exceptions, inline functions in two units.
. "$SRC/testsuite/lib.sh"
need python3
"$SRC/testsuite/random/compare.py" --alternate c:12-13 c++:20-21

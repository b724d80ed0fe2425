#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=count: calls and executed lines of random programs of csmith are those that counters in their
# source tell, in each form. `make random' asks of more.
. "$SRC/testsuite/lib.sh"
need python3 csmith
"$SRC/testsuite/random/compare.py" --alternate csmith:9-10 csmith:44-45

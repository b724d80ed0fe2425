#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 600
# show: 11
# Each instruction is charged to the function and the line that it came from.
. "$SRC/testsuite/lib.sh"
need objdump objcopy addr2line
GENERATE=$BIN/generate "$SRC/testsuite/truth/truth.sh"

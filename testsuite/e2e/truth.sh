#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 1800
# show: 35
# Each instruction is charged to the function and the line that it came from: by class of
# instruction.  `make truth' asks more.
. "$SRC/testsuite/lib.sh"
need objdump objcopy addr2line
SEEDS=1 LEVELS='-O1 -O2 -Os -O3,-flto=1' GENERATE=$BIN/generate "$SRC/testsuite/truth/truth.sh"

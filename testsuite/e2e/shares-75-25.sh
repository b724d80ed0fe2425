#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# own processor
# A known split, all of it inlined into main, is found.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/shares/rows.sh"
. "$SRC/testsuite/shares/known.sh"
known 75 25 0

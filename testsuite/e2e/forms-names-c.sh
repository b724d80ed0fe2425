#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# C: functions without a name of their own at file level are named after where they
# stand.
. "$SRC/testsuite/forms/forms.sh"

for level in -O0 -O1 -O2 -O3 -Os; do
    echo "nested functions $level"
    pcc $level "$KERNEL" "$FORMS/names.c" -o names
    profile names
    split outer.inner by_pointer.inner.innermost
    charged names "$ALPHA" outer.inner
    charged names "$BETA" by_pointer.inner.innermost
done

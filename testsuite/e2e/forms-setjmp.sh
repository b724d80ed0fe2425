#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# setjmp and longjmp, and GCC's non-local goto: the time after the jump is that of the
# function in which it lands.
. "$SRC/testsuite/forms/forms.sh"

for level in -O0 -O1 -O2 -O3 -Os "-O2 -flto"; do
    echo "$level"
    # shellcheck disable=SC2086
    pcc $level "$KERNEL" "$FORMS/jump.c" -o jump
    as_said jump 98
    charged jump "$ALPHA" catcher catcher
    charged jump "$BETA" catcher catcher
    charged jump "$GAMMA" goer goer
    charged jump "$DELTA" third third
done

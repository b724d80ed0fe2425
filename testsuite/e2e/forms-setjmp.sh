#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# setjmp and longjmp, and GCC's non-local goto: the time after the jump is that of the
# function in which it lands.
. "$SRC/testsuite/forms/forms.sh"

# split: what main calls. After the jumps that is 6 parts of 11, and 1: qemu runs one loop faster than
# another of the same instructions, but not by so much.
split() {
    if [ "${TARGET-}" ]; then
        within catcher 66 95
        within third 2 24
        within goer 2 24
    else
        shares catcher 81.8 third 9.1 goer 9.1
    fi
}

for level in -O0 -O1 -O2 -O3 -Os "-O2 -flto"; do
    echo "$level"
    # shellcheck disable=SC2086
    pcc $level "$KERNEL" "$FORMS/jump.c" -o jump
    profile jump
    split
    charged jump "$ALPHA" catcher catcher
    charged jump "$BETA" catcher catcher
    charged jump "$GAMMA" goer goer
    charged jump "$DELTA" third third
done

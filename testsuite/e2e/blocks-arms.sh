#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# blocks: short conditional code is counted without a branch, so that a minimum is still one
# instruction; and what only some turns of a loop without calls count is counted in a register.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/blocks/blocks.sh"

for level in "-O3 -fPIC" "-O2 -fnon-call-exceptions" "-O1 -flto" -Og -Os -O2; do
    # shellcheck disable=SC2086
    pcc $level $KIND "$BLOCKS/arms.c" -o arms
    ./arms
    lines "$BLOCKS/arms.c" arms mlmon.out
done
[ "$(uname -m)" = x86_64 ] || exit 0

code() {
    objdump -d --no-show-raw-insn --disassemble="$1" arms | sed -n 's/^ *\([0-9a-f]*\):/\1/p' >"$1"
}

# As without counters.
code least
has least 'minsd'
hasnot least '[[:blank:]]j[a-z]* '
code which
hasnot which '[[:blank:]]j[a-z]* '

# Registers are added behind the loop; one by one only before it, and on its way out.
code turns
has turns 'add *%r[a-z0-9]*,%fs:'
grep '[$]0x1,%fs:' turns >single
[ "$(wc -l <single)" -eq 2 ] || {
    cat turns >&2
    fail "not two single additions"
}

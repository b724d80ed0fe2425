# SPDX-License-Identifier: GPL-3.0-or-later
# objdump -d --no-show-raw-insn FILE | awk -v constant=0x... -f constants-CPU.awk: the addresses of the
# instructions that carry the constant, of 32 bits.  Here they have it as an operand.

{
    at = index($0, "$" constant)
    if (!at)
        at = index($0, "#" constant)
    if (at && substr($0, at + 1 + length(constant), 1) !~ /[0-9a-f]/) {
        sub(/:/, "", $1)
        print "0x" $1
    }
}

# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by who asks what the constants in an instruction belong to; $here is this folder.

# shellcheck source=testsuite/cpu.sh
. "${here:?}/../cpu.sh"

# disassembly PROGRAM OPTIONS...: prints its instructions from objdump, with the constant of each.
# On processors whose instructions contain parts of constants, the constant is appended (follow.py).
disassembly() {
    case $cpu in
    aarch64 | riscv64)
        nm "$1" >symbols
        readelf -rW "$1" | awk '$3 ~ /_RELATIVE?$/ { print $1, "->", $4 }' >>symbols
        objdump -d --no-show-raw-insn "$@" | python3 "$here/follow.py" "$cpu" symbols
        ;;
    *) objdump -d --no-show-raw-insn "$@" ;;
    esac
}

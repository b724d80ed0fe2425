#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mlprof.sh ARGUMENT...: this machine's mlprof, with profiles of programs that qemu has run. Their loader says
# that libraries are in /lib, where qemu alone sees them: that they are not there is no word of a test's.
# Environment: NATIVE_MLPROF, the path of mlprof.

{
    # What is printed goes by; the pipe has what is said.
    status=$({ { "$NATIVE_MLPROF" "$@" 2>&1 >&3 3>&- || echo $? >&4; } |
        grep -v '^mlprof: /lib/[^ ]*: No such file or directory; its code counts as unprofiled$' >&2; } 4>&1)
} 3>&1
exit "${status:-0}"

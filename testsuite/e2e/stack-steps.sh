#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# stack: the calls that -Os adds keep the registers of register variables, and an unwinder in a
# signal handler gets through them.
. "$SRC/testsuite/lib.sh"
KIND='-fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-stack'

for level in -Os -O2 '-Os -fPIC' '-Os -flto' '-Os -masm=intel'; do
    echo "$level"
    for program in registers backtrace; do
        case $program$level in registers*intel) continue ;; esac
        # shellcheck disable=SC2086
        "$CC" $level "$SRC/testsuite/stack/$program.c" -o plain
        ./plain >want
        # shellcheck disable=SC2086
        pcc $KIND $level "$SRC/testsuite/stack/$program.c" -o prog
        ./prog >got
        same got want
    done
done
# The last one is one of steps.
nm prog | grep -q ccprof_stack_step_add || fail "nothing is added by calls"

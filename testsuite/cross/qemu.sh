#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# qemu.sh TARGET: sees to it that the kernel runs the programs of that machine by qemu (binfmt_misc),
# which the package qemu-user-binfmt does where the system's services run. Needs root for that;
# otherwise prints what to do, exit status 1.

set -u
cpu=${1%%-*}
folder=/proc/sys/fs/binfmt_misc
rule=/usr/lib/binfmt.d/qemu-$cpu.conf

[ ! -e "$folder/qemu-$cpu" ] || exit 0
if [ ! -f "$rule" ]; then
    echo "qemu.sh: there is no $rule; the package qemu-user-binfmt brings it" >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "Programs of $cpu are not run by qemu yet. To have them run:" >&2
    echo "    sudo $0 $1" >&2
    exit 1
fi
[ -e "$folder/register" ] || mount -t binfmt_misc binfmt_misc "$folder" || exit
sed 's/#.*//' "$rule" | tr -d '\n' >"$folder/register"
[ -e "$folder/qemu-$cpu" ]

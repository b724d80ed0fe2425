#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# As forms-linking, by ld.lld.
. "$SRC/testsuite/forms/forms.sh"
need ld.lld

pcc -O2 -fuse-ld=lld "$KERNEL" "$FORMS/two.c" -o two
right two
pcc -O2 -fuse-ld=lld -no-pie -fno-pie "$KERNEL" "$FORMS/two.c" -o two
right two
pcc -O2 -fuse-ld=lld "$KERNEL" "$FORMS/two.c" -o two -static -L"$O/rt" -lccprof
right two
parts objects -O2 -ffunction-sections
"$CC" -fuse-ld=lld -Wl,--gc-sections objects/*.o -o parts
right_parts parts

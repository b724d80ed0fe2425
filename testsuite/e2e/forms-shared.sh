#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shared objects, linked and opened late, each with its own tables, and stripped.
. "$SRC/testsuite/forms/forms.sh"

# library UNIT CONSTANT
library() {
    pcc -O2 -s -fPIC -shared "$KERNEL" "$FORMS/parts-$1.c" -o "lib$1.so"
    charged "lib$1.so" "$2" "$1_work" "$1"
}

library alpha "$ALPHA"
library beta "$BETA"

echo "linked"
pcc -O2 -s "$KERNEL" "$FORMS/parts-main.c" -o linked -L. -lalpha -lbeta -Wl,-rpath,.
profile linked
split alpha_work beta_work

echo "only the shared objects are profiled"
"$CC" -O2 -s "$KERNEL" "$FORMS/parts-main.c" -o plain -L. -lalpha -lbeta -Wl,-rpath,.
profile plain
split alpha_work beta_work

echo "opened late"
pcc -O2 -s "$KERNEL" "$FORMS/open.c" -o open
profile open
split alpha_work beta_work

echo "opened late by a program without the plugin"
"$CC" -O2 -s "$KERNEL" "$FORMS/open.c" -o plain-open
profile plain-open
split alpha_work beta_work

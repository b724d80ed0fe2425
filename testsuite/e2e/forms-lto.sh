#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Link time optimisation, slim and fat, with the plugin on the link line too.
. "$SRC/testsuite/forms/forms.sh"

# whole OPTIONS...: alpha, beta and their helpers all end up in main.
whole() {
    echo "$*"
    parts objects -O2 "$@"
    pcc -O2 "$@" objects/*.o -o whole
    profile whole
    split alpha_work beta_work
    charged whole "$ALPHA" alpha_work main
    charged whole "$BETA" beta_work main
}

whole -flto
whole -flto -fno-fat-lto-objects -s
whole -flto -ffat-lto-objects
whole -flto -flto-partition=none
whole -flto=2 -flto-partition=max

echo "fat objects linked as ordinary ones"
parts objects -O2 -flto -ffat-lto-objects
"$CC" -fno-lto objects/*.o -o ordinary
right_parts ordinary

echo "across units, with another level at the link"
parts objects -O1 -flto
pcc -O3 -flto objects/*.o -o whole
profile whole
split alpha_work beta_work

if have ld.lld 'linking by lld what -r joined'; then
    echo "-r, then an ordinary link"
    parts objects -O2 -flto
    pcc -O2 -flto -flinker-output=nolto-rel -r objects/*.o -o joined.o
    "$CC" -fuse-ld=lld joined.o -o joined
    profile joined
    split alpha_work beta_work
fi

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A known split is found at every optimisation level, with and without -g.
. "$SRC/testsuite/forms/forms.sh"

for level in -O1 -O2 -O3 -Os -Og; do
    for debug in "" -g; do
        echo "$level $debug"
        # shellcheck disable=SC2086
        pcc $level $debug "$KERNEL" "$FORMS/two.c" -o two
        right two
    done
done

# Nothing is inlined, so alpha is alone.
for debug in "" -g; do
    echo "-O0 $debug"
    # shellcheck disable=SC2086
    pcc -O0 $debug "$KERNEL" "$FORMS/two.c" -o two
    profile two
    split alpha beta
    charged two "$ALPHA" alpha alpha
    charged two "$BETA" beta beta
done

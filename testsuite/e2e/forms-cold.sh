#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A function in a hot and a cold part; both are charged, by either linker.
. "$SRC/testsuite/forms/forms.sh"

for linker in bfd lld; do
    have ld.$linker "linking by $linker" || continue
    pcc -O2 -freorder-blocks-and-partition -fuse-ld=$linker "$KERNEL" \
        "$FORMS/cold.c" -o cold
    nm cold | grep -q ' t work\.cold$' || fail "there is no cold part: $(nm cold)"
    profile cold
    split alpha beta
    charged cold "$ALPHA" alpha work
    # It stands in the cold part, far from the rest of work.
    charged cold "$BETA" beta work
    start=0x$(nm cold | sed -n 's/ t work\.cold$//p')
    addresses cold "$BETA" >found
    [ $(($(head -n 1 found))) -ge $((start)) ] || fail "beta is not in the cold part"
    strip cold
    charged cold "$BETA" beta work
done

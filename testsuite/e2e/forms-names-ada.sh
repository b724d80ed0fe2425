#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Ada: a row is named after the packages and the procedure around it.
. "$SRC/testsuite/forms/forms.sh"
need "$GNATMAKE"

for level in -O0 -O1 -O2 -O3; do
    echo "$level"
    "$GNATMAKE" -q -f "$level" -gnatn "$FORMS/ada/names.adb" -aI"$FORMS/ada" -o names \
        -cargs -fplugin="$PLUGIN"
    profile names
    CLOCK=names split kernels.alpha kernels.outer.inner
    charged names "$ALPHA" kernels.alpha
    charged names "$BETA" kernels.outer.inner
    charged names "$GAMMA" kernels.deeper.gamma
    charged names "$DELTA" names.within
done

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fortran: a row is named after the module and the procedure around it.
. "$SRC/testsuite/forms/forms.sh"
need "$FC"

for level in -O0 -O1 -O2 -O3 "-O2 -flto"; do
    echo "$level"
    # shellcheck disable=SC2086
    pfc $level "$FORMS/names.f90" -o names
    profile names
    CLOCK=names split kernels.alpha kernels.outer.inner
    charged names "$ALPHA" kernels.alpha
    charged names "$BETA" kernels.outer.inner
    charged names "$GAMMA" outside
    charged names "$DELTA" names.within
done

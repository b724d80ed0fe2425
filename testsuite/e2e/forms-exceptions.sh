#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Exceptions through inlined functions: the handler's time and all after it is the
# catcher's; destructors on the way are themselves.
. "$SRC/testsuite/forms/forms.sh"
need "$CXX"

for level in -O0 -O1 -O2 -O3 -Os "-O2 -fnon-call-exceptions" "-O2 -flto"; do
    echo "$level"
    # shellcheck disable=SC2086
    pcxx $level "$KERNEL" "$FORMS/catch.cc" -o catch
    as_said catch 98
    charged catch "$ALPHA" catcher catcher
    charged catch "$BETA" catcher catcher
    charged catch "$GAMMA" Guard::~Guard
    charged catch "$DELTA" third
done

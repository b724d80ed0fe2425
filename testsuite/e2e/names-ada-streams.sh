#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Ada: names that the demangler makes longer several times write over no memory of the compiler's.
. "$SRC/testsuite/lib.sh"
need "$GNATMAKE" valgrind

cp "$SRC/testsuite/forms/ada/packets.ads" .
"$CC" -c packets.ads -fplugin="$PLUGIN" \
    -wrapper valgrind,-q,--undef-value-errors=no,--error-exitcode=9 2>messages ||
    fail "$(head -n 5 messages)"
nm packets.o >symbols
has symbols 'packets__packetSO__line_1SO__point_1SO'
tr '\0' '\n' <packets.o >texts
has texts "packets\.packet'Output\.line_1'Output\.point_1'Output"

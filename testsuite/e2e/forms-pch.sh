#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A precompiled header, made with the plugin and without it.
. "$SRC/testsuite/forms/forms.sh"
need "$CXX"

mkdir c cxx
cp "$FORMS/pch.h" c/pch.h
cp "$FORMS/pch.h" cxx/pch.h
cp "$FORMS/pch.c" pch.c
cp "$FORMS/pch.c" pch.cc

pcc -O2 "$KERNEL" c/pch.h -o c/pch.h.gch
pcc -O2 -Winvalid-pch -Werror -H "$KERNEL" -Ic pch.c -o two 2>log || fail "$(cat log)"
has log '^! .*pch.h.gch'
right two

pcxx -O2 "$KERNEL" cxx/pch.h -o cxx/pch.h.gch
pcxx -O2 -Winvalid-pch -Werror -H "$KERNEL" -Icxx pch.cc -o two 2>log || fail "$(cat log)"
has log '^! .*pch.h.gch'
right two

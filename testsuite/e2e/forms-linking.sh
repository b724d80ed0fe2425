#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Position independent or not, static, by either linker, of one object or several.
. "$SRC/testsuite/forms/forms.sh"

build() {
    echo "$*"
    pcc -O2 "$KERNEL" "$FORMS/two.c" -o two "$@"
    right two
}

build -pie -fPIE
build -no-pie -fno-pie
build -static -L"$O/rt" -lccprof
build -static-pie -fPIE -L"$O/rt" -lccprof
build -fuse-ld=bfd

echo "several objects"
parts objects -O2
"$CC" objects/*.o -o several
right_parts several

echo "relocatable link"
"$CC" -r objects/*.o -o joined.o
"$CC" joined.o -o joined
right_parts joined

echo "archive"
ar rc libparts.a objects/alpha.o objects/beta.o
"$CC" objects/main.o libparts.a -o archived
right_parts archived

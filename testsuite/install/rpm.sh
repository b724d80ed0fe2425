#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rpm.sh TARBALL: in a system that has what the packages are built with, which Debian names in its own way:
# RPM packages by rpm/ccprof.spec, the unit tests run (RPM_OPTIONS=--nocheck: not); what rpmlint says of them, and
# whether each asks for what it needs. Prints one line for each package. deb.sh calls it.

set -eu
export LC_ALL=C.UTF-8

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

tarball=$1
top=$HOME/rpm
rm -rf "$top"
mkdir -p "$top"
# A source package is made where no compiler is.
tar -xOf "$tarball" --wildcards '*/rpm/ccprof.spec' >"$top/ccprof.spec"
mkdir "$top/bin"
for tool in sh sed grep expr realpath; do
    ln -s "$(command -v $tool)" "$top/bin"
done
PATH=$top/bin "$(command -v rpmspec)" --parse "$top/ccprof.spec" >"$top/parsed" || fail "the spec cannot be read without gcc"
# shellcheck disable=SC2086
rpmbuild --nodeps --define "_topdir $top" ${RPM_OPTIONS-} -ta "$tarball" >&2
tar -xOf "$tarball" --wildcards '*/rpm/ccprof.rpmlintrc' >"$top/rpmlintrc"
# Not the source: of a spec it wants BuildRoot, which rpm has not needed since 4.6, and a macro of Mandriva.
find "$top/RPMS" -name '*.rpm' | sort >"$top/list"
# What it says is checked below: its exit status counts what of its own lists is missing here, too.
# shellcheck disable=SC2046
rpmlint -r "$top/rpmlintrc" $(cat "$top/list") >"$top/said" 2>&1 || :
grep -q ' packages and ' "$top/said" || fail "rpmlint: $(cat "$top/said")"
# Debian's rpm does not strip, compress or sign, its GCC writes no old hash table, and its rpmlint knows no names
# of licenses and no groups. Since 4.20 its rpm makes a package of debug information, and
# strips archives; since 2.4 its rpmlint speaks of filters that older ones have a use for.
debian='unstripped-binary-or-object|manpage-not-compressed|no-manual-page-for-binary|no-signature|no-packager-tag'
debian="$debian|missing-hash-section|invalid-license|no-group-tag|no-dependency-on locales-doc"
debian="$debian|^ccprof-debuginfo\.|static-library-without-debuginfo|unused-rpmlintrc-filter"
! grep ': [EW]: ' "$top/said" | grep -vE "$debian" || fail "rpmlint"

while read -r file; do
    name=$(rpm -qp --qf '%{NAME}' "$file")
    echo "$(basename "$file"): $(rpm -qpl "$file" | wc -l) files," \
        "provides $(rpm -qp --provides "$file" | paste -s -d ,)"
    # rpm looks for it in what may be executed alone.
    case $name in
    mlprof) needed='libzydis|libZydis libgsl' ;;
    libccprof | libccprof1 | gcc-plugin-ccprof) needed='libc\.so\.6' ;;
    *) continue ;;
    esac
    for library in $needed; do
        rpm -qp --requires "$file" | grep -qE "$library" || fail "$name does not ask for $library"
    done
done <"$top/list"

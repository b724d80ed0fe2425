#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# foreign.sh ARCHITECTURE: in a clean system with libccprof1 and libccprof-dev of two architectures in /packages:
# installs them side by side, which dpkg refuses where a file of both is not the same, and removes ours,
# after which the other's are whole. deb.sh calls it.

set -eu

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# whole ARCHITECTURE: checks that each file of its packages exists as it was packed.
whole() {
    said=$(dpkg -V "libccprof1:$1" "libccprof-dev:$1") || fail "dpkg -V: $said"
    [ ! "$said" ] || fail "packages of $1: $said"
}

foreign=$1
ours=$(dpkg --print-architecture)
dpkg --add-architecture "$foreign"
apt-get -q update >&2
apt-get -q -y --no-install-recommends install /packages/*.deb >&2
for package in libccprof1 libccprof-dev; do
    for architecture in "$ours" "$foreign"; do
        [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$package:$architecture")" = 'ii ' ] ||
            fail "$package:$architecture is not installed"
        dpkg-query -L "$package:$architecture" | sort >"/tmp/$package.$architecture"
    done
    shared=$(comm -12 "/tmp/$package.$ours" "/tmp/$package.$foreign" | while read -r file; do
        [ -d "$file" ] || echo "$file"
    done)
    # Policy wants these of every package.
    echo "$shared" | grep -q "/copyright$" || fail "$package: its copyright is not shared: $shared"
    ! echo "$shared" | grep '^/usr/lib/' || fail "$package: two architectures have one library"
    echo "$package: $ours and $foreign are side by side; of both are: $(echo "$shared" | paste -s -d " ")"
done
whole "$ours"
whole "$foreign"
dpkg -P "libccprof-dev:$ours" "libccprof1:$ours" >&2
whole "$foreign"
echo "those of $foreign are whole without those of $ours"

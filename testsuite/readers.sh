#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# readers.sh FOLDER: installs programs that read mlprof's exports and are in no distribution into
# FOLDER, with npm, each once. Their dependencies are not installed, because only their own commands
# need them. If a program is not available, prints a message; the tests then leave its part out.

set -u
export LC_ALL=C
folder=$1

# package NAME VERSION SHA256: installs the package as FOLDER/NAME, without the owner's name.
package() {
    name=${1#*/}
    [ ! -f "$folder/$name/$2" ] || return 0
    mkdir -p "$folder" || return
    rm -rf "${folder:?}/$name" "$folder/package"
    if ! archive=$(cd "$folder" && npm pack --silent "$1@$2" 2>/dev/null) || [ ! -f "$folder/$archive" ]; then
        echo "readers.sh: npm has no $1 $2; what needs it is skipped, and told."
        return 0
    fi
    if ! echo "$3  $folder/$archive" | sha256sum -c --status; then
        echo "readers.sh: $1 $2 is not what it was" >&2
        return 1
    fi
    tar -xzf "$folder/$archive" -C "$folder" && mv "$folder/package" "$folder/$name" &&
        rm "$folder/$archive" && : >"$folder/$name/$2"
}

if ! command -v npm >/dev/null 2>&1; then
    echo 'readers.sh: npm is not installed; what needs its packages is skipped, and told.'
    exit 0
fi
package speedscope 1.25.0 2831f1e0d26df914b477e522d78b8485511495a6af81a0b88158f8b48f9e0d03

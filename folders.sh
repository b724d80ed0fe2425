#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# folders.sh make RECORD FOLDER...: makes the folders and those they are in, as install -d
# does, and writes down in the file RECORD which ones were not there.
# folders.sh remove RECORD FOLDER...: removes them and those they are in, as far as they were
# made so and are empty.

set -eu
what=$1
record=$2
shift 2

# note FOLDER: it, or what it is in, will be made.
note() {
    [ ! -d "$1" ] || return 0
    note "$(dirname -- "$1")"
    printf '%s\n' "$1" >>"$record"
}

# drop FOLDER: the record does not hold it any more.
drop() {
    grep -F -x -v -e "$1" -- "$record" >"$record.new" || :
    mv "$record.new" "$record"
}

case $what in
make)
    mkdir -p -- "$(dirname -- "$record")"
    for folder; do
        note "$folder"
        install -d -- "$folder"
    done
    ;;
remove)
    [ -f "$record" ] || exit 0
    for folder; do
        while grep -F -q -x -e "$folder" -- "$record" && rmdir -- "$folder" 2>/dev/null; do
            drop "$folder"
            folder=$(dirname -- "$folder")
        done
    done
    [ -s "$record" ] || rm -f "$record"
    ;;
*)
    echo 'usage: folders.sh make|remove RECORD FOLDER...' >&2
    exit 2
    ;;
esac

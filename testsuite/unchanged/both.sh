#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# both.sh ARGUMENT...: stands for mlprof in the tests when the variable MLPROF_BEFORE names another
# one: does what MLPROF_AFTER does and compares the other one's output, messages, exit status and
# files with it. Adds a line to the file MLPROF_COMPARED: `same' or `differs', the folder and the
# arguments; or `alone', where mlprof cannot be run twice or its output is a terminal or a device:
# there only MLPROF_AFTER is run.

set -u
# The tests take programs out of the path, but not from this script.
path=$PATH
PATH=/usr/bin:/bin
: "${MLPROF_BEFORE:?}" "${MLPROF_AFTER:?}" "${MLPROF_COMPARED:?}"

# note WORD ARGUMENT...
note() {
    what=$1
    shift
    # One write, since tests run beside each other.
    line=$(printf '%s %s: %s' "$what" "$PWD" "$*" | tr '\n' ' ')
    echo "$line" >>"$MLPROF_COMPARED"
}

# alone ARGUMENT...: it cannot be compared.
alone() {
    [ ! -t 1 ] && [ ! -t 2 ] || return 0
    case $(readlink "/proc/$$/fd/1") in
    /dev/null) ;;
    /dev/*) return 0 ;;
    esac
    for file; do
        [ ! -p "$file" ] || return 0
    done
    return 1
}

# asks ARGUMENT...: addresses are read from standard input.
asks() {
    where=
    for last; do
        [ "$last" != -where ] || where=yes
    done
    # Behind the program there are none.
    [ "$where" ] && [ -f "$last" ]
}

# hashes ARGUMENT...: of each argument that is the name of a file.
hashes() {
    for file; do
        [ ! -f "$file" ] || cksum <"$file"
    done
}

# put_away ARGUMENT...: the files that were written; those that were there before are what they
# were.
put_away() {
    n=0
    for file; do
        n=$((n + 1))
        if [ ! -f "$file" ] || cmp -s "$file" "$t/was.$n"; then
            continue
        fi
        mv -- "$file" "$t/kept.$n"
        [ ! -f "$t/was.$n" ] || cp -p "$t/was.$n" "$file"
    done
}

# put_back ARGUMENT...: these files, in place of those that are there now.
put_back() {
    n=0
    for file; do
        n=$((n + 1))
        [ -e "$t/was.$n" ] || [ ! -f "$file" ] || rm -f -- "$file"
        [ ! -f "$t/kept.$n" ] || mv -- "$t/kept.$n" "$file"
    done
}

if alone "$@"; then
    note alone "$@"
    PATH=$path exec "$MLPROF_AFTER" "$@"
fi
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
n=0
for file; do
    n=$((n + 1))
    if [ -f "$file" ]; then
        cp -p "$file" "$t/was.$n"
    elif [ -e "$file" ]; then
        : >"$t/was.$n"
    fi
done

status=0
: >"$t/in"
if asks "$@"; then
    # Each line is answered at once.
    tee "$t/in" | {
        PATH=$path "$MLPROF_AFTER" "$@" 2>"$t/after.err" || status=$?
        echo "$status" >"$t/status"
    } | tee "$t/after.out"
    read -r status <"$t/status"
else
    PATH=$path "$MLPROF_AFTER" "$@" >"$t/after.out" 2>"$t/after.err" || status=$?
    cat "$t/after.out"
fi
cat "$t/after.err" >&2
hashes "$@" >"$t/after.files"

put_away "$@"
other=0
PATH=$path "$MLPROF_BEFORE" "$@" <"$t/in" >"$t/before.out" 2>"$t/before.err" || other=$?
hashes "$@" >"$t/before.files"
put_back "$@"

what=same
[ "$status" = "$other" ] || what=differs
for part in out err files; do
    cmp -s "$t/before.$part" "$t/after.$part" || what=differs
done
note "$what" "$@"
exit "$status"

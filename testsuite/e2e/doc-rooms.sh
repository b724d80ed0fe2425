#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each room uses only those before it (testsuite/rooms/rooms.txt), by what it includes and by the
# names that its objects use; no modules use each other in a circle; HACKING tells of each room; the
# files that documents name are there.
. "$SRC/testsuite/lib.sh"
need nm

rooms=$SRC/testsuite/rooms

# objects SET FOLDER PATTERN: the names that match it and that the objects of sources that are still
# there define and use.
objects() {
    (cd "$2" && find . -name '*.o' -exec nm -A -p -g {} +) >names
    awk -v set="$1" -v pattern="$3" '
        NR == FNR { if ($1 == "file") { sub(/\.[a-z]+$/, "", $2); is_module[$2] = 1 }; next }
        {
            split($1, parts, ":")
            module = substr(parts[1], 3)
            sub(/\.o$/, "", module)
            module = substr(set, 1, index(set, "-") - 1) "/" module
            if (module in is_module && $NF ~ pattern)
                print ($(NF - 1) ~ /^[Uvw]$/ ? "uses" : "defines"), set, module, $NF
        }' facts names
}

(cd "$SRC" && find rt plugin mlprof -name '*.[ch]' -o -name '*.cc') | sort >files
sed 's/^/file /' files >facts
# shellcheck disable=SC2016
(cd "$SRC" && xargs awk -F '"' '/^#include "/ { print "include", FILENAME, $2 }') <files >>facts
{
    # The names of the program's calls that the runtime comes before are libc's.
    objects rt-shared "$O/rt/shared" '^ccprof_'
    objects rt-static "$O/rt/static" '^ccprof_'
    objects plugin- "$(dirname "$(readlink -f "$PLUGIN")")" .
    objects mlprof- "$O/obj/mlprof" .
} >uses
for set in rt-shared rt-static plugin- mlprof-; do
    [ "$(grep -c "^uses $set " uses)" -gt 300 ] || fail "there are no objects of $set"
done
cat uses >>facts

check() {
    awk -f "$rooms/rooms.awk" "$rooms/rooms.txt" "$@" | sort >faults
}
check facts
[ ! -s faults ] || fail "$(cat faults)"

# What is wrong is seen.
# finds FACT FAULT
finds() {
    echo "$1" >added
    check facts added
    has faults "$2"
}
finds 'include rt/os/text.c rt/process/run.h' '^rt/os/text\.c uses rt/process/run\.h, which is in a later room$'
finds 'include mlprof/base/fault.h mlprof/base/content.h' '^a circle: .*mlprof/base/content\.h -> mlprof/base/fault\.h'
finds 'include mlprof/base/buf.c rt/os/text.h' "another program's"
finds 'include rt/os/text.c text.h' 'which is no file by its path'
finds 'uses rt-shared rt/os/text ccprof_run_start' 'rt/os/text uses rt/process/run, which is in a later room: '
finds 'uses mlprof- mlprof/base/buf fault_set' '^a circle: .*fault_set'
finds 'file rt/attic/text.c' '^rt/attic/text\.c is in no room'

# Each is told of.
awk '!/^#/ { for (i = 2; i <= NF; i++) if ($i != ".") print $1 "/" $i }' "$rooms/rooms.txt" >want
while read -r room; do
    grep -q "^ *\`*$room/*\`*  *[^ ]" "$SRC/HACKING" || fail "HACKING says nothing of $room"
done <want

# NAME and MAJOR stand for something.
grep -ohE '(^|[ (`])(rt|plugin|mlprof|testsuite|doc)/[][A-Za-z0-9_./*-]+' "$SRC/HACKING" "$SRC"/doc/*.md |
    sed 's/^[ (`]//; s/[.]$//; /NAME/d; /MAJOR/d' | sort -u >named
while read -r name; do
    # shellcheck disable=SC2086
    set -- "$SRC"/$name
    [ -e "$1" ] || fail "there is no $name, which a document names"
done <named

# What HACKING names without a folder: files, and names in the code, which are the words with an
# underscore; where it says in which file, the name is there.
tr -s ' \n`' '  ' <"$SRC/HACKING" | sed 's/[^ ]*NAME[^ ]*//g' >hacking
grep -oE '(^|[ (])[a-z][a-z0-9_.-]*\.(cc|[ch]|f90|sh|mk|awk)\>' hacking | tr -d ' (' | sort -u >named
[ "$(wc -l <named)" -gt 10 ] || fail "HACKING names no files: $(cat named)"
while read -r name; do
    [ -n "$(find "$SRC/rt" "$SRC/plugin" "$SRC/mlprof" "$SRC/testsuite" -name "$name")" ] ||
        fail "there is no file $name, which HACKING names"
done <named
grep -oE '(^|[ (])[A-Za-z]+(_[A-Za-z]+)+\>' hacking | tr -d ' (' | sort -u >named
[ "$(wc -l <named)" -gt 8 ] || fail "HACKING names nothing in the code: $(cat named)"
while read -r name; do
    grep -rqw -e "$name" "$SRC/rt" "$SRC/plugin" "$SRC/mlprof" "$SRC/testsuite/unit" ||
        fail "there is no $name in the code, which HACKING names"
done <named
grep -oE '[A-Za-z]+(_[A-Za-z]+)+( and [a-z_]+)? (in|of) (rt|plugin|mlprof)/[a-z_/-]+\.[a-z]+' hacking >named
[ "$(wc -l <named)" -gt 5 ] || fail "HACKING says of nothing in which file it is: $(cat named)"
while read -r line; do
    for name in ${line% * *}; do
        case $name in
        *_*) grep -qw -e "$name" "$SRC/${line##* }" || fail "${line##* } has no $name, as HACKING has it" ;;
        esac
    done
done <named

# Editors lay out as clang-format does. The first news are this version's.
for pair in indent_size:IndentWidth max_line_length:ColumnLimit; do
    has "$SRC/.editorconfig" "^${pair%:*} = $(sed -n "s/^${pair#*:}: //p" "$SRC/.clang-format")\$"
done
[ "$(grep -m 1 '^ccprof ' "$SRC/NEWS")" = "ccprof $(sed -n 's/^VERSION := //p' "$SRC/Makefile")" ] ||
    fail "NEWS begins with another version"

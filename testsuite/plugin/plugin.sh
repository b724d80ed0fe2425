# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the plugin-* tests: . "$SRC/testsuite/plugin/plugin.sh" instead of lib.sh.

. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/views/rows.sh"
OBJDIFF=$BIN/objdiff
SOURCES=$SRC/testsuite/plugin
PROPERS="cc1 cc1plus f951 gnat1 lto1"
export SOURCES PROPERS

# proper NAME: prints the path of a compiler proper, such as cc1; empty if it is not installed.
proper() {
    case $("$CC" "-print-prog-name=$1") in
    /*) "$CC" "-print-prog-name=$1" ;;
    esac
}

# sections FILE: the names of its sections, one a line.
sections() {
    readelf -SW "$1" | sed -n 's/^ *\[ *[0-9]*\] \([^ ][^ ]*\).*/\1/p'
}

# is_profiled FILE: it has tables and the stub.
is_profiled() {
    sections "$1" >names
    has names '^\.ccprof\.code$'
    has names '^\.ccprof\.unit$'
    has names '^\.note\.ccprof_attach$'
}

# without_folders FILE: prints it without the names of the source and build folders, which may
# contain ccprof.
without_folders() {
    sed "s|$O||g; s|$SRC||g" "$1"
}

# nothing_but_asked FILE: checks that ccprof's only section is the list of patterns that the
# compiler was given (doc/tables.md).
nothing_but_asked() {
    objcopy -R .ccprof.asked "$1" not-asked
    nothing_of_ccprof not-asked
}

# nothing_of_ccprof FILE: checks that the file contains nothing of ccprof.
nothing_of_ccprof() {
    if without_folders "$1" | grep -q ccprof; then
        fail "$1 has something of ccprof: $(without_folders "$1" | strings | grep ccprof | head -n 3)"
    fi
}

# same_code COMPILER OPTIONS...: compiles with the options, without the plugin and with it, into
# plain.o and ccprof.o. Checks that both are equal except for ccprof's own parts, and that the
# messages are the same.
same_code() {
    "$@" -c -o it.o 2>plain.err || fail "does not compile without the plugin: $* $(cat plain.err)"
    mv it.o plain.o
    "$@" -c -o it.o -fplugin="$PLUGIN" 2>ccprof.err ||
        fail "does not compile: $* $(cat ccprof.err)"
    mv it.o ccprof.o
    same ccprof.err plain.err
    "$OBJDIFF" plain.o ccprof.o >differences || fail "$*: $(cat differences)"
}

# where FILE SYMBOL [OFFSET]: prints mlprof's answer for this address.
where() {
    start=$(nm "$1" | awk -v name="$2" '$3 == name { print $1; exit }')
    [ -n "$start" ] || fail "$1 has no symbol $2"
    "$MLPROF" -where "$1" "$(printf '0x%x' "$((0x$start + ${3-0}))")" | sed 's/^[^ ]* //'
}

# answers FILE: prints mlprof's answer for every instruction in .text, one address per line.
answers() {
    objdump -d --no-show-raw-insn --section=.text "$1" |
        sed -n 's/^ *\([0-9a-f]*\):.*/0x\1/p' | "$MLPROF" -where "$1"
}

# without FUNCTION...: the answers in `all' with their entries taken out.
without() {
    cp all left
    for name; do
        sed -i "s/: $name [^ ]* < /: /; s/ < $name [^ ]*//; s/: $name [^ ]*\$/: ?/" left
    done
    cat left
}

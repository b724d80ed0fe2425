#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The table by copies, lines, expressions, files, modules and phases, of programs in C, C++
# and Fortran with a sample at each instruction, with -flto and in shared objects, too: its numbers
# are those that -where tells of these, the size of a copy is how many of them it has, by objdump's
# addresses, and the lines are addr2line's.

. "$SRC/testsuite/mlprof.sh"
need readelf objdump

cp "$SRC"/testsuite/by/mix.h "$SRC"/testsuite/by/mixed.* .

# sums FILE: `LABEL|SAMPLES' of each row with samples, added up over equal labels.
sums() {
    table_rows seconds <"$1" | awk '{ seconds = $NF; sub(/ [^ ]*$/, ""); n[$0] += int(seconds * 100 + .5) }
        END { for (l in n) if (n[l]) printf "%s|%d\n", l, n[l] }' | LC_ALL=C sort
}

# total: the same, of lines that are `LABEL|SAMPLES'.
total() {
    awk -F '|' '{ n[$1] += $2 } END { for (l in n) printf "%s|%d\n", l, n[l] }' | LC_ALL=C sort
}

# by KEY: the sums of prog's table, all of which are instructions.
by() {
    run 0 mlprof_short -skid false -raw true -names plain -by "$1" "$prog" data
    same err /dev/null
    sums out >got
    [ "$(awk -F '|' '{ sum += $NF } END { print sum }' got)" -eq "$count" ] ||
        fail "$prog by $1: the sum is not $count: $(cat out)"
}

# What tells a copy in the table, as its callers in -where do; of clones and cold parts what they are of,
# of overloads their names.
placed='s/^.*  \(own body\|clone \|cold part\|inlined \)/\1/; s/^clone [^|]*|/own body|/; s/^cold part|/own body|/
    s/, in [0-9]* pieces|/|/; s/\.\(constprop\|isra\|cold\)[.0-9]*//g
    s/^\(inlined in [a-z]*\)([^)]*) at/\1 at/'

# where_copies: of `NUMBER FRAMES' the copy and the number.
where_copies() {
    awk '{ number = $1; sub(/^[^ ]* /, ""); count = split($0, frames, " < "); caller = frames[2]; at = caller
        sub(/^.* /, "", at); sub(/ [^ ]*$/, "", caller)
        split(at, p, ":"); outer = frames[count]; sub(/ [^ ]*$/, "", outer)
        if (count == 1) print "own body|" number
        else print "inlined in " caller " at " p[1] ": " p[2] (count > 2 ? ", in " outer : "") "|" number }'
}

# check PROGRAM: each instruction of its profiled functions, as -where tells of it.
check() {
    prog=$1
    objdump -d --no-show-raw-insn -j .text "$prog" |
        awk '/^ +[0-9a-f]+:/ { sub(/:.*/, ""); print "0x" $1 }' >all
    "$MLPROF" -where "$prog" <all | sed -n '/: ?$/!s/^0x[0-9a-f]*: \(.*\)/\1/p' >where
    "$MLPROF" -where "$prog" <all | grep -v ': ?$' >places
    sed 's/^\(0x[0-9a-f]*\):.*/0 0 \1 1/' places >points
    count=$(wc -l <where)
    [ "$count" -gt 30 ] || fail "$prog: $count instructions"
    set --
    while read -r point; do
        set -- "$@" "$point"
    done <points
    data data "$count" 0 "$PWD/$prog" -- "$@"

    by line
    sed 's/^.*  \([^ ]*: [0-9?]*|\)/\1/' got | total >got.lines
    sed 's/ < .*//; s/^.* \([^ ]*\)$/\1/; s/\([^:]*\):\([0-9?]*\).*/\1: \2|1/' where | total >want
    same got.lines want

    # Of an expression the table has the range, -where the caret: in sum they are the lines, of
    # those that are in one line.
    by expression
    # Of Fortran there is one for each statement.
    [ "$source" = mixed.f90 ] || [ "$(wc -l <got)" -gt "$(wc -l <want)" ] ||
        fail "$prog: no line has two expressions"
    sed '/: \([0-9]*\):[0-9]*-\1:\|: [0-9]*:[0-9]*|/!d
        s/^.*  \([^ ]*: [0-9]*\):[0-9:-]*|/\1|/' got | total >got.lines
    awk -F '|' 'NR == FNR { n[$1] = $2; next } $2 > n[$1] || ! n[$1] { print "too many in", $0 }
        { sum += $2 } END { if (sum < .8 * all) print "too few:", sum }' all="$count" want got.lines >wrong
    same wrong /dev/null

    by module
    echo "$PWD/$prog|$count" | holds got
    by phase
    echo "<no phase>|$count" | holds got

    # A copy's samples are its instructions, which its size is, too.
    by copy
    table_rows seconds insns <out | awk 'int($(NF - 1) * 100 + .5) != $NF' >wrong
    same wrong /dev/null
    # Where it is, its callers tell.
    sed "$placed" got | total >got.copies
    awk '{ print "1 " $0 }' where | where_copies | total >want
    same got.copies want
    # So long are these instructions, by objdump's addresses.
    table_rows code <out | sed 's/ \([^ ]*\)$/|\1/' | sed "$placed" | total >got.bytes
    awk 'NR == FNR { if (before) bytes[before] = number($1) - number(before); before = $1; next }
        { at = $1; sub(/:$/, "", at); sub(/^[^ ]* /, ""); print bytes[at] " " $0 }
        function number(text, i, n) {
            for (i = 3; i <= length(text); i++) n = 16 * n + index("123456789abcdef", substr(text, i, 1))
            return n }' all places | where_copies | total >want
    same got.bytes want
}

# dwarf: addr2line says the same of prog's instructions, but for 9 in 100 of their lines (the debug
# information has 94 in 100 right, the tables 97: tested.md) and 10 of what these are inlined in.
# Numbers of lines alone: for some functions it names another file, or <artificial>.
dwarf() {
    sed 's/:.*//' places | xargs addr2line -i -a -e "$prog" | awk '
        /^0x/ { sub(/^0x0*/, "0x"); printf "%s%s", (NR > 1 ? "\n" : ""), $1; next }
        { sub(/ \(discr.*/, ""); sub(/.*:/, ""); printf " %s", $0 } END { print "" }' >theirs
    awk 'NR == FNR { at = $1; theirs[at] = $2; sub(/^[^ ]* /, ""); chain[at] = $0; next }
        { at = $1; sub(/:$/, "", at); sub(/^[^ ]* /, ""); count = split($0, frames, " < "); all = ""
          for (i = 1; i <= count; i++) { sub(/:[0-9]*$/, "", frames[i]); sub(/.*:/, "", frames[i])
              all = all (i > 1 ? " " : "") frames[i] }
          lines += frames[1] == theirs[at]; chains += all == chain[at] }
        END { printf "%d instructions, %d lines, %d chains\n", FNR, lines, chains
            exit lines < .91 * FNR || chains < .9 * FNR }' theirs places || fail "$prog: addr2line says something else"
}

# built COMPILER SOURCE OPTION...: checks ./PROGRAM.
built() {
    compiler=$1 source=$2 name=$3
    shift 3
    echo "$source $*"
    "$compiler" "$@" -Wl,--build-id=sha1 "$source" -o "$name"
    check "$name"
}

built pcc mixed.c c -O2
# A constant was propagated into power; the code of mix was moved about among its callers'.
has out '  power  clone \.constprop\.0$'
has out '  mix  inlined in area at mixed\.c: 18, in [2-9] pieces$'
has out '  mix  inlined in power\.constprop\.0 at mixed\.c: 12'
[ "$(grep -c '  mix  inlined in area at mixed\.c: 18' out)" -eq 2 ] || fail "not two copies of mix in one line"
# Files are those of the functions.
by file
awk '{ print ($1 == "mix" ? "mix.h" : "mixed.c") "|1" }' where | total >want
same got want
by expression
has got '^mix  mix\.h: 8:5|'
has got '^area  mixed\.c: 18:[0-9]*-18:[0-9]*|'

# By the size of copies.
for column in insns code; do
    run 0 mlprof_short -skid false -by copy -sort "$column" c data
    table_rows "$column" <out | sed 's/.* //' >got
    [ "$(sort -u got | wc -l)" -gt 3 ] || fail "-sort $column: $(cat out)"
    sort -rn got >want
    same got want
done

built pcxx mixed.cc cxx -O2
if have "$FC" 'Fortran'; then
    built pfc mixed.f90 fortran -O2
    has out '  shapes.square  inlined in shapes.total at mixed\.f90: 16'
    built pfc mixed.f90 fortran.lto -O2 -flto
fi

# With -g GCC's debug information is at hand.
built pcc mixed.c c3 -O3 -g
dwarf
built pcc mixed.c c.lto -O2 -flto -g
dwarf
built pcxx mixed.cc cxx.lto -O2 -flto -g
dwarf
built pcxx mixed.cc cxx.so -O3 -g -fPIC -shared
dwarf
if installed "$FC"; then
    built pfc mixed.f90 fortran.so -O3 -g -fPIC -shared
    dwarf
fi

# Without symbols nobody knows of clones.
strip c -o stripped
prog=stripped
data data 1 0 "$PWD/stripped" -- "0 0 $(objdump -d c | sed -n 's/^0*\([0-9a-f]*\) <power.*>:$/0x\1/p') 1"
run 0 mlprof_short -by copy stripped data
hasnot out 'clone'

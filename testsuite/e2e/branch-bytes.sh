#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What each branch allocated is its own, with and without counts, at every level of optimisation:
# conditions, && and ||, switches, ?:, loops, what is inlined, what is behind a return. The numbers were
# counted by hand.
. "$SRC/testsuite/lib.sh"

ARGUMENTS=-fplugin-arg-ccprof
cp "$SRC/testsuite/branch/bytes.c" .

# ROW LINE BYTES BLOCKS of all that has allocated.
cat >wanted <<'END'
arms 17 32 8
arms.<case false> 22 8 4
arms.<case true> 20 4 4
cases.<case 0> 52 512 1
cases.<case 1> 55 1024 1
cases.<case 3> 51 4096 2
cases.<case default> 61 20480 5
choice.<case false> 68 10 2
choice.<case true> 68 18 6
early.<case false> 75 63 7
nested.<case true> 30 48 6
nested.<case true> 32 16 1
nested.<case true> 34 480 15
operands.<case false 2> 41 640 5
operands.<case true 2> 45 768 3
operands.<case true> 42 192 3
small.<case true> 14 14 2
END

# rows CSV BY: of the file, by the column bytes: ROW LINE BYTES BLOCKS; the names without the lines that tell
# equal ones apart.
rows() {
    tr -d '\r' <"$1" | awk -F, -v want="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        {
            sub(/ \(bytes\.c:[0-9]*\)/, "", $1)
            bytes = $at["bytes"]
            if (want == "some" ? bytes > 0 : bytes == "")
                print $1, $at["line"], bytes, $at["allocations"]
        }' | sort
}

# tried OPTIONS KIND
tried() {
    rm -f mlmon.out
    # shellcheck disable=SC2086
    pcc $1 $ARGUMENTS-profile="$2" $ARGUMENTS-branch bytes.c -o a
    ./a
    "$MLPROF" -csv rows.csv a mlmon.out >/dev/null
    rows rows.csv some >got
    same got wanted
}

for level in -O0 -O1 -O2 -O3 -Os "-O2 -g" "-O2 -flto"; do
    tried "$level" alloc
    tried "$level" alloc,count
done
tried -O2 time,alloc
tried -O2 time-field,count,alloc

# An outcome that leads to no code of its own has no bytes, not none.
rows rows.csv none >got
has got '^small.<case false> '
hasnot got '^nested.<case true> '

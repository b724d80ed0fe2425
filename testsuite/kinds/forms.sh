# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the forms-* tests: . "$SRC/testsuite/kinds/forms.sh" instead of lib.sh.
#
# A run of 0.3 s gives some 1,500 samples. That each instruction is charged rightly,
# `charged` says exactly.

. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/views/rows.sh"
need objdump
FORMS=$SRC/testsuite/kinds

export CCPROF=rate=5000

# first: the percentage of the first of two functions by the program's own clock, if the program
# says it in `output` (two.h); otherwise what it was written for.
first() {
    own=$(sed -n 's/^first: //p' output)
    echo "${own:-60}"
}

# split A B: 60 and 40 %.
split() {
    REFERENCE=first
    shares "$1" "$(first)" "$2" "$(awk "BEGIN { print 100 - $(first) }")"
    REFERENCE=
}

# right PROGRAM: two.c, built with optimisation, runs, and is charged rightly.
right() {
    profile "$1"
    split alpha beta
    charged "$1" "$ALPHA" alpha main
    charged "$1" "$BETA" beta main
}

# right_parts PROGRAM: the same of the units of parts.c.
right_parts() {
    profile "$1"
    split alpha_work beta_work
    charged "$1" "$ALPHA" alpha_work alpha
    charged "$1" "$BETA" beta_work beta
}

# parts DIRECTORY-OF-OBJECTS OPTIONS...: compiles the three units.
parts() {
    folder=$1
    shift
    mkdir -p "$folder"
    for unit in main alpha beta; do
        pcc "$KERNEL" "$@" -c -DPART_$unit "$FORMS/parts.c" -o "$folder/$unit.o"
    done
}

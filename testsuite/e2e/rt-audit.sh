#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A library for LD_AUDIT runs before the program is relocated, beside a C library of its own: compiled with the
# plugin it has a profile of its own, and the program is profiled or says why not.
. "$SRC/testsuite/lib.sh"

# audited KIND: the program, profiled too, with the library.
audited() {
    # A list, to be split.
    # shellcheck disable=SC2086
    pcc -O1 -fPIC -shared $1 -I"$SRC/testsuite/rt" "$SRC/testsuite/rt/audit.c" -o audit.so &&
        pcc -O1 -DPROGRAM $1 -I"$SRC/testsuite/rt" "$SRC/testsuite/rt/audit.c" -o prog
    rm -f mlmon.out*
    run 0 env LD_AUDIT=./audit.so ./prog
    has out '^3000 calls$'
    has err '^[0-9]* audits$'
}

# calls OBJECT FILE WANT: of seen.
calls() {
    run 0 "$MLPROF" -csv - "$1" "$2"
    got=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "function") name = i; if ($i == "calls") calls = i } }
        NR > 1 && $name == "seen" { print $calls }' out)
    [ "$got" = "$3" ] || fail "$1 in $2: seen called '$got' times, not $3"
}

for kind in count 'count -fplugin-arg-ccprof-stack' 'count -fplugin-arg-ccprof-blocks'; do
    audited "-fplugin-arg-ccprof-profile=$kind"
    audits=$(sed -n 's/ audits$//p' err)
    has err 'mlmon.out was the profile of .*/prog: it is now .*mlmon.out.prog$'
    calls audit.so mlmon.out "$audits"
    calls prog mlmon.out.prog 3000
done

# There is one SIGPROF.
audited -fplugin-arg-ccprof-profile=time
has err '^ccprof: SIGPROF is in use: the program runs unprofiled$'
run 0 "$MLPROF" -thresh 0 audit.so mlmon.out
has out '  burn$'
audited '-fplugin-arg-ccprof-profile=time-field -fplugin-arg-ccprof-stopwatch=.'
has err '^ccprof: SIGPROF is in use: '

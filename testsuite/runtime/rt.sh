# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of the runtime, which need no plugin: the stub is linked to each program
# as text. Sourced after testsuite/lib.sh.

RT=$SRC/testsuite/runtime
MAJOR=$($CC -dumpversion)
MAJOR=${MAJOR%%.*}

# stub FILE [PATH]: the stub's text as the plugin writes it, with PATH as the runtime's name.
stub() {
    sed "s|@CCPROF_KIND@|1|; s|@CCPROF_RT_PATH@|${2-$O/rt/libccprof.so.1}|" \
        "$O/plugin/$MAJOR/attach.s" >"$1"
    echo '	.section .note.GNU-stack,"",%progbits' >>"$1"
}

# valid FILE: checks that mlprof, which is strict about mlmon.out(5), reads the file to its end
# before it reports that /bin/true is another program, and that no other file was left.
valid() {
    [ -f "$1" ] || fail "there is no $1"
    "$MLPROF" /bin/true "$1" 2>&1 | grep 'measured with .*, not with true$' >/dev/null ||
        fail "$1 is not as mlmon.out(5) says: $("$MLPROF" /bin/true "$1" 2>&1)"
    for file in ./*.tmp; do
        [ ! -e "$file" ] || fail "$file was left behind"
    done
}

# value FILE WORD: prints the number after the word. For samples, excludes those in ccprof's own
# code.
value() {
    case $2 in
    samples) awk -v only=samples -f "$RT/leave-own.awk" "$1" ;;
    *) sed -n "s/^$2 //p" "$1" ;;
    esac
}

# between LOW VALUE HIGH WHAT: checks a value that does not depend on chance. Sampled or timed
# values need lies (testsuite/decide.sh).
between() {
    lies "$@" 2>/dev/null || fail "$4 is $2, not within $1 and $3"
}

# burnt FILE LOW HIGH: checks that the file is valid, and returns whether its process used this many
# seconds of CPU time. The kernel checks the timer only at its tick: time after the last tick that
# interrupts the process is not sampled, which may be much on a busy machine. In each thread the
# sample of a period may be taken when the period has just begun.
burnt() {
    valid "$1"
    lies "$2" "$(value "$1" cpu | awk '{ print $1 / 1e9 }')" "$3" "CPU time in $1" &&
        lies 0 "$(value "$1" samples)" \
            "$(awk '$1 == "rate" { rate = $2 } $1 == "cpu" { cpu = $2 / 1e9 }
                $1 == "threads" { print cpu * rate + $2 }' "$1")" \
            "samples in $1"
}

# samples_in PATH: how many the profile has in that module.
samples_in() {
    awk -v path="$1" '
        $1 == "module" && substr($0, index($0, $5)) == path { mine[$2] = 1 }
        $1 == "counts" { on = 1; next }
        on && ($2 in mine) { sum += $4 }
        END { print sum + 0 }' mlmon.out
}

# call_number NAME: of the system call, for forbid.c; empty if this processor has none of this name.
call_number() {
    printf '#include <sys/syscall.h>\nSYS_%s\n' "$1" | $CC -E -P - | sed -n '$s/^\([0-9]*\)$/\1/p'
}

# await_end PROCESS: waits until the process no longer exists, or for five minutes.
await_end() {
    waited=0
    while kill -0 "$1" 2>/dev/null && [ $waited -lt 3000 ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
}

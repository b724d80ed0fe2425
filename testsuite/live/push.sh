# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers for the tests of ccprof-live push: . "$SRC/testsuite/live/push.sh"

. "$SRC/testsuite/lib.sh"
need python3

LIVE=${LIVE:-$O/ccprof-live}
started=
# shellcheck disable=SC2154
trap 'for pid in $started; do kill "$pid" 2>/dev/null || :; done' EXIT

# await COMMAND...: waits until the command succeeds.
await() {
    for _ in $(seq 3000); do
        ! "$@" || return 0
        sleep 0.02
    done
    fail "it never happens: $*"
}

# receive FOLDER ANSWER...: starts a receiver that answers so, and sets $port.
receive() {
    folder=$1
    shift
    mkdir "$folder"
    : >"$folder/sums"
    printf '%s\n' "$@" >"$folder/answers"
    # shellcheck disable=SC2086
    python3 "$SRC/testsuite/live/receiver.py" "$folder" ${TLS-} 2>"$folder/err" 3>&- &
    started="$started $!"
    await test -f "$folder/port"
    # shellcheck disable=SC2034
    port=$(cat "$folder/port")
}

# total FOLDER TYPE [FUNCTION]: prints the sum of what FOLDER's receiver has accepted.
total() {
    awk -v type="$2" -v of="${3-}" '$1 == type && (of == "" || $3 == of) { sum += $2 } END { print sum + 0 }' "$1/sums"
}

# logged FOLDER COUNT: returns whether the receiver has answered so many requests.
logged() {
    [ -f "$1/log" ] && [ "$(wc -l <"$1/log")" -ge "$2" ]
}

# right FOLDER: checks that the receiver has found nothing wrong.
right() {
    [ ! -s "$1/wrong" ] || fail "wrong requests: $(cat "$1/wrong")"
}

# begin: starts ./steps, which waits for work. Its PID is $steps.
begin() {
    [ -x steps ] || pcc -O2 -fplugin-arg-ccprof-profile=time,count "$SRC/testsuite/live/steps.c" -o steps
    rm -f work
    mkfifo work
    ./steps <work >steps.log 2>steps.err &
    steps=$!
    started="$started $steps"
    exec 3>work
    await grep -q ready steps.log
    worked=0
}

has_done() {
    [ "$(grep -c worked steps.log)" -eq "$1" ]
}

# work COUNT: lets it work, and waits until it has.
work() {
    worked=$((worked + 1))
    echo "$1" >&3
    await has_done "$worked"
}

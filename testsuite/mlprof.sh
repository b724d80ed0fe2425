# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers for the tests of mlprof that need no plugin: . "$SRC/testsuite/mlprof.sh"

. "$SRC/testsuite/lib.sh"

# mlprof_short ARGUMENT...: prints only the table. Tests that do not check the time outside of
# profiled code charge this time to the callers: FOLD='-no-show-extern'.
FOLD=
mlprof_short() {
    # shellcheck disable=SC2086
    "$MLPROF" -balance false $FOLD "$@"
}

mlprof() {
    # shellcheck disable=SC2086
    "$MLPROF" $FOLD "$@"
}

# executions: prints the executions of lines or expressions, from the table in the file out, as
# `FILE: PLACE COUNT'.
executions() {
    table_rows executed <out | sed 's/^.* \([^ ]*: [0-9:-]*\) \([^ ]*\)$/\1 \2/'
}

# example NAME [FUNCTION INLINED [FLAG...]]: links ./NAME, which consists of 12 bytes of FUNCTION
# (main) with INLINED (sq) in bytes 4 to 8, as in the example of doc/tables.md. Its tables are
# assembled from directives written by hand. ULEB128 numbers below 128 are written as bytes, because
# some assemblers do not accept a list of .uleb128. The bytes are not instructions, so no sample is
# charged to another place.
example() {
    example_name=$1
    example_function=${2-main}
    example_inlined=${3-sq}
    shift "$(($# < 3 ? $# : 3))"
    cat >"$example_name.s" <<END
        .text
        .globl _start
_start: .fill 12, 1, 6
        .section .ccprof.str, "MS", %progbits, 1
.Lmain: .string "$example_function"
.Lsq:   .string "$example_inlined"
.Lfile: .string "$example_name.c"
.Ldir:  .string "$PWD"
        .section .ccprof.unit, "", %progbits
.Lunit: .4byte .Lend - .Lunit - 4
        .byte 2, 2
        .4byte .Ldir
        .uleb128 1
        .4byte .Lfile
        .zero 16
        .uleb128 2
        .4byte .Lmain
        .byte 0, 1, 7, 5
        .4byte .Lsq
        .byte 0, 1, 3, 12
.Lend:
        .section .ccprof.code, "o", %progbits, .text
        .byte 0, 1
        .4byte .Lunit
        .8byte _start
        .byte 13, 0, 1
        .byte 1, 2, 2, 2, 12
        .uleb128 3
        .byte 0x00, 0x24, 0x05, 0x32
        .byte 0x04, 0x13, 0x01, 0x0a
        .byte 0x05, 0x41
        .section .note.GNU-stack, "", %progbits
END
    "$CC" -nostdlib -Wl,--build-id=sha1 "$@" "$example_name.s" -o "$example_name"
}

# address FILE: prints the address of _start, in hexadecimal without 0x and without leading zeros.
address() {
    readelf -sW "$1" | awk '$8 == "_start" { sub(/^0*/, "", $2); print $2; exit }'
}

# at FILE OFFSET: prints the address of _start plus OFFSET, with 0x.
at() {
    printf '0x%x\n' "$((0x$(address "$1") + $2))"
}

build_id() {
    readelf -nW "$1" 2>/dev/null | sed -n 's/.*Build ID: *//p'
}

# data OUT SAMPLES LOST MODULE... -- POINT...: writes a data file. A MODULE is a file with the
# recorded name. A POINT is `DEPTH MODULE ADDRESS COUNT'. If STACK is yes, samples are whole stacks.
STACK=no
data() {
    data_out=$1 data_samples=$2 data_lost=$3 data_number=0
    shift 3
    {
        printf '%s\n' 'ccprof mlmon 1' 'kind time' 'engine task-clock' 'clock cpu' \
            'rate 100' "stack $STACK" "cpu ${data_samples}0000000" 'wall 1' 'threads 1' \
            'waits 0' "samples $data_samples" "lost $data_lost" 'elsewhere 0'
        while [ "$1" != -- ]; do
            data_id=$(build_id "$1")
            echo "module $data_number ${data_id:--} 0x0 $1"
            data_number=$((data_number + 1))
            shift
        done
        shift
        echo "counts $#"
        for data_point; do
            echo "$data_point"
        done
        echo end
    } >"$data_out"
}

# holds FILE: checks that the file equals standard input.
holds() {
    cat >want
    same "$1" want
}

# refused MESSAGE COMMAND...: checks that the command fails with status 1 and prints only the line
# `mlprof: MESSAGE'.
refused() {
    refused_want="mlprof: $1"
    shift
    run 1 "$@"
    echo "$refused_want" >want
    same err want
}

# recursive: makes ./prog, ./lib and the data file `one'. sq is on the stack in 83 of 100 samples,
# main in 96, and main calls itself. The functions other and mid are in ./lib.
recursive() {
    example prog main sq
    example lib other mid -shared
    STACK=yes
    data one 100 2 "$PWD/prog" "$PWD/lib" -- \
        "0 1 0x1 0" "1 0 $(at prog 0) 10" "2 0 $(at prog 4) 30" "3 0 $(at prog 9) 20" \
        "4 1 0x1 8" "1 0 $(at prog 9) 0" "2 0 $(at prog 5) 25" \
        "0 - 0x0 0" "1 0 $(at prog 1) 3" "0 1 0x1 2"
}

# dom FILE: prints the document that a browser makes from the file.
dom() {
    HOME=$PWD timeout 300 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --dump-dom "file://$PWD/$1"
}

# browser PART: returns whether there is a browser that shows an empty page. If not, reports that
# PART is left out.
browser() {
    have chromium "$1" || return
    echo '<html><body>empty</body></html>' >empty.html
    if ! dom empty.html >out 2>err || ! grep -q '<body>empty' out; then
        leave_out "$1: chromium does not run here: $(tail -n 1 err)"
        return 1
    fi
}

# shown_by_browser FILE PART: writes the document that the browser makes from the file to the file
# out. If no browser runs, reports that PART is left out.
shown_by_browser() {
    have chromium "$2" || return
    if ! dom "$1" >out 2>err || ! grep -q '</' out; then
        ! browser "$2" || fail "the browser does not show $1"
        return 1
    fi
}

# transcript: runs the commands on standard input and compares their output with the expected output,
# which follows each command as on a terminal:
#     $ COMMAND
#     its standard output; lines of standard error begin with `! '; then, if the status is not 0,
#     status N
# Lines that begin with # are comments. Empty lines before a command or a comment are ignored.
transcript() {
    awk "$transcript_tidy"' /^#/ { held = ""; next } { tidy() }' >transcript.want
    sed -n 's/^\$ //p' transcript.want | while IFS= read -r transcript_command; do
        printf '$ %s\n' "$transcript_command"
        transcript_status=0
        eval "$transcript_command" >out 2>err </dev/null || transcript_status=$?
        cat out
        sed 's/^/! /' err
        [ "$transcript_status" = 0 ] || echo "status $transcript_status"
    done >transcript.all
    awk "$transcript_tidy"' { tidy() }' transcript.all >transcript.got
    same transcript.got transcript.want
}
# shellcheck disable=SC2016 # an awk program
transcript_tidy='function tidy() {
        if ($0 == "") { held = held "\n"; return }
        if (/^\$ /) held = ""
        printf "%s%s\n", held, $0
        held = ""
    }'

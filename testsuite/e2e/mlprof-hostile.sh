#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# An executable and a data file of whoever wants to harm who looks at them: names of functions,
# files, types, regions, phases, threads, hosts, libraries and commands that control a terminal, end
# a script or a format's line, or are no text; counts up to 2^64.  In no view do they do more than
# stand there.

. "$SRC/testsuite/lib.sh"
need python3 readelf
hostile=$SRC/testsuite/hostile

# letters N: as many x.
letters() {
    head -c "$1" /dev/zero | tr '\0' x
}

# What program.cc has of its own text, for -list; and a library that is not there.
printf '%s\n' 'EVIL_text_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx%s' 0 1 2 3 4 5 6 7 8 9 10 11 12 >text
fill=$(letters 150)
pcxx -O1 -pthread -I"$SRC/rt" "-DFILL=$fill" "-DEVIL_FILE=\"EVIL_dir_$fill/EVIL_file_$fill.cc\"" \
    -fplugin-arg-ccprof-profile=time,count,alloc -fplugin-arg-ccprof-stack -fplugin-arg-ccprof-branch \
    -fplugin-arg-ccprof-targets -fplugin-arg-ccprof-stopwatch=EVIL_outer "$hostile/program.cc" -o plain
CCPROF=rate=10,threads=yes,times=yes,host=yes,command=yes ./plain
python3 "$hostile/sample.py" plain mlmon.out plain.out

# shown TEXT: in all views, of names that are TEXT, and in a file of program.cc's lines.
shown() {
    printf '%s\n' "$1"
    python3 "$hostile/patch.py" plain program "$1"
    python3 "$hostile/patch.py" plain.out program.out "$1"
    python3 "$hostile/patch.py" text program.cc "$1"
    python3 "$hostile/views.py" "$MLPROF" program program.out plain plain.out ||
        fail "not safe: $1"
}
shown '\x1b[31m\x9b31m\xc2\x9b7m\x07\x7f\x08\r\xe2\x80\xae\x1b]0;t\x07'
# Of the shell nothing is meant.
# shellcheck disable=SC2016
shown '</script><!--]]>"'"'"'`&lt;%s%n\\ \xff\xfe${x}'
shown '\n\n\tmlprof: x\xe2\x80\xa8\n\x1f\x1f=1+1'

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Ada: the body of a task, and that of a task type, are rows of the task's name, of as many calls as
# there were tasks; what GNAT makes around the program keeps its names.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"
need "$GNATMAKE"

cp "$SRC/testsuite/forms/ada/tasks.adb" .
for level in -O0 -O2; do
    "$GNATMAKE" -q -f "$level" tasks.adb -o tasks -cargs -fplugin="$PLUGIN" "$KIND" -largs -fplugin="$PLUGIN" "$KIND"
    ./tasks | sort | uniq -c | awk '{ print $2, $1 }' >told
    has told '^single 1$'
    has told '^worker 3$'
    table tasks mlmon.out >rows
    cat rows
    has rows '^tasks\.crew\.single 1$'
    has rows '^tasks\.crew\.worker 3$'
    has rows '^tasks\.tell 5$'
    hasnot rows 'TK*B '
done

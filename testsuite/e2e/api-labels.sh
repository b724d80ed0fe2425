#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# Phases: the time of a phase is in the column stack of its row, and it stands around main in
# all views.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/api/datasets.sh"

pcc -O1 -pthread -I"$SRC/rt" -I"$RT" "$API/data.c" -o prog
"$CC" -O1 -pthread -I"$SRC/rt" -I"$RT" "$API/data.c" -o plain

labels() {
    run 0 ./prog labels
    same err /dev/null
    valid mlmon.out
    # What is not text is shown as its code.
    about '[load]' 0.6 mlmon.out && about '[parse]' 0.3 mlmon.out &&
        about '[store \ and\x0a  more]' 0.2 mlmon.out && about red 0.3 mlmon.out && about green 0.4 mlmon.out
}
decide labels
has mlmon.out '^label 2 store \\\\ and\\n  more$'
# No sample is a phase's own.
table_rows cur <table | awk '/^\[/ { rows++; own += $NF != "0.0" } END { exit !rows || own }' ||
    fail "time of a phase itself: $(cat table)"

"$MLPROF" -callers green prog mlmon.out >out
has out '%  labels$'
"$MLPROF" -callees '\[load\]' prog mlmon.out >out
has out '\[parse\]'
has out 'main'
"$MLPROF" -callers main prog mlmon.out >out
has out '\[parse\]'
has out '\[load\]'
"$MLPROF" -call-graph graph -thresh 0 prog mlmon.out >/dev/null
has graph 'label = "\[load\]'
"$MLPROF" -flame flame.svg prog mlmon.out >/dev/null
has flame.svg '\[parse\]'

labels_threads() {
    run 0 ./prog labels-threads
    valid mlmon.out
    about '[made]' 0.4 mlmon.out && about '[own]' 0.4 mlmon.out && about red 0.4 mlmon.out
}
decide labels_threads

odd_labels() {
    run 0 ./prog odd-labels
    valid mlmon.out
    about green 0.1 mlmon.out
}
decide odd_labels
[ "$(sed -n 's/^label [0-9]* //p' mlmon.out | awk '{ print length($0) }' | xargs)" = '61 63 1' ] ||
    fail "labels: $(grep '^label ' mlmon.out)"

cat >want <<'END'
ccprof: too many labels: phases with new ones are not told
ccprof: ccprof_label_end: no phase has begun
END
many_labels() {
    run 0 ./prog many-labels
    valid mlmon.out
    same err want
    about '[label 1]' 0.2 mlmon.out && about '[label 2]' 0.1 mlmon.out
}
decide many_labels
[ "$(grep -c '^label ' mlmon.out)" -le 64 ] || fail "$(grep -c '^label ' mlmon.out) labels"

echo 'Threads of C++ are where their maker is; those of OpenMP stay, and are in no phase.'
cat >threads.cc <<'END'
#include <thread>
#include "ccprof.h"
#include "data.h"
int main()
{
    std::thread thread;
    {
        ccprof::label phase("made");
        thread = std::thread([] { red(0.2); });
    }
    thread.join();
    green(0.2);
}
END
pcxx -O1 -pthread -I"$SRC/rt" -I"$RT" -I"$API" threads.cc -o prog
# The phase has the making of the thread, too, which under qemu takes a tenth of red: it has red, and
# nothing of green.
threads() {
    run 0 ./prog
    valid mlmon.out
    about red 0.2 mlmon.out && red=$(seconds red) && about green 0.2 mlmon.out || return
    has_seconds '[made]' "$red" "$(awk -v green="$(seconds green)" \
        'NR == 1 { print $1 - green + 0.001 }' table)" mlmon.out || fail 'the phase has not red alone'
}
decide threads
cat >openmp.c <<'END'
#include "ccprof.h"
#include "data.h"
int main(void)
{
    {
        CCPROF_LABEL("first");
        #pragma omp parallel num_threads(2)
        green(0.2);
    }
    #pragma omp parallel num_threads(2)
    red(0.2);
    return 0;
}
END
if pcc -O1 -fopenmp -I"$SRC/rt" -I"$RT" -I"$API" openmp.c -o prog 2>err; then
    team() {
        run 0 env OMP_WAIT_POLICY=passive ./prog
        valid mlmon.out
        about green 0.4 mlmon.out && about red 0.4 mlmon.out && about '[first]' 0.2 mlmon.out
    }
    decide team
else
    echo "not tested: $(tail -n 1 err)"
fi

echo 'Without stacks, with the program counter alone.'
pcc -O1 -pthread -I"$SRC/rt" -I"$RT" "$API/data.c" -o prog
run 0 env CCPROF=stack=no ./prog labels
valid mlmon.out
has mlmon.out '^0 label 0x0 0$'
"$MLPROF" prog mlmon.out >table
has table '  burn$'

echo 'Without the plugin.'
rm -f mlmon.out
run 0 ./plain labels
run 0 ./plain many-labels
same err /dev/null
[ ! -e mlmon.out ] || fail 'a program that is not profiled wrote a profile'

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A folder of data files: what was measured with a program, added up, and the programs in it, listed.

. "$SRC/testsuite/mlprof.sh"
need readelf

top=$PWD
example prog
example other f g
# Another build at the same path, and one that has no build-id.
mkdir older
(cd older && example prog first second)
example bare main sq -Wl,--build-id=none
cp prog moved

# measured FILE CPU SAMPLES PROGRAM [PATH]: a data file, of so many milliseconds; as if at that path.
measured() {
    data "$1" "$3" 0 "$4" -- "0 0 $(at "$4" 0) $3"
    sed -i "s|^cpu .*|cpu ${2}000000|; s|^\(module 0 .*\) [^ ]*\$|\1 ${5-$top/$4}|" "$1"
}

mkdir run
for i in 1 2 3 4 5 6 7 8 9; do
    measured run/prog.$i.mlmon 100 1$i prog
done
measured run/prog.10.mlmon 0 0 prog
measured run/moved.mlmon 100 1 moved
measured run/other.1.mlmon 350 5 other
measured run/other.2.mlmon 350 6 other
measured run/old.mlmon 200 7 older/prog "$top/prog"
measured run/bare.mlmon 100 8 bare

echo 'The list.'
# Programs by their CPU time. Added by hand: ten of prog and the copy of it, 1000 ms of 2000, 145 + 1 samples.
run 0 "$MLPROF" run
same err /dev/null
id=$(build_id prog | cut -c 1-12)
old=$(build_id older/prog | cut -c 1-12)
cat >want <<END
2.00 seconds of CPU time in 15 data files of 4 programs
share  seconds  samples  files  program
50.0%     1.00      136     11  $top/moved and 1 more
35.0%     0.70       11      2  $top/other
10.0%     0.20        7      1  $top/prog
 5.0%     0.10        8      1  $top/bare

mlprof PROGRAM run tells of one of them
END
same out want
# The path that is there is told, and two builds at one path with their build-ids.
rm moved
run 0 "$MLPROF" -balance false run
cat >want <<END
2.00 seconds of CPU time in 15 data files of 4 programs
share  seconds  samples  files  program
50.0%     1.00      136     11  $top/prog and 1 more  build-id $id
35.0%     0.70       11      2  $top/other
10.0%     0.20        7      1  $top/prog  build-id $old
 5.0%     0.10        8      1  $top/bare
END
same out want
run 0 "$MLPROF" -balance=false -thresh 35 run/
sed -i '5,$d' want
same out want
run 0 "$MLPROF" -balance=false -top 2 ./run
same out want
# Several folders are one list.
mkdir more
measured more/prog.mlmon 500 50 prog
run 0 "$MLPROF" -balance false more run
has out '^2.50 seconds of CPU time in 16 data files of 4 programs$'
has out "^60.0%     1.50      186     12  $top/prog and 1 more  build-id $id\$"
# MLton's layout.
run 0 "$MLPROF" -layout mlton run
has out "^$top/other  *35.0%  *0.70  *11  *2 *\$"

echo 'The sum.'
run 0 mlprof_short prog run/prog.*.mlmon run/moved.mlmon
cp out table
has table '^1.36 seconds of CPU time'
run 0 mlprof_short prog run
same out table
echo 'mlprof: run: 4 files of 3 other programs, or of other builds, left out: mlprof run lists them' >want
same err want
run 0 mlprof_short ./prog "$top/run/"
same out table
echo run >list
run 0 mlprof_short prog -mlmon list
same out table
run 0 "$MLPROF" prog run
has out 'Hz, 11 threads, 11 data files$'
# With a file, and another folder: 136 + 11 + 50 samples.
run 0 mlprof_short prog run/prog.1.mlmon run more
has out '^1.97 seconds of CPU time'
# Which build is meant is told by the build-id, and without one by the path.
run 0 mlprof_short older/prog run
has out '^0.07 seconds'
has out '  first$'
run 0 mlprof_short bare run
has out '^0.08 seconds'
echo 'mlprof: run: 14 files of 3 other programs, or of other builds, left out: mlprof run lists them' >want
same err want
mkdir elsewhere
cp bare elsewhere
none='or none of this build of it: mlprof run lists the programs'
refused "run: there are no data of elsewhere/bare, $none" "$MLPROF" elsewhere/bare run
example third
refused "more: there are no data of third, or none of this build of it: mlprof more lists the programs" "$MLPROF" third more

echo 'A folder with one program.'
run 0 mlprof_short prog more
cp out table
run 0 mlprof_short -call-graph graph more
same out table
refused 'run: there are data of 4 programs: name one before it; mlprof run lists them' "$MLPROF" -call-graph graph run
# A file beside it tells which program it is.
run 0 mlprof_short run more/prog.mlmon
has out '^1.86 seconds'

echo 'What is no data file.'
mkdir odd odd/folder
cp more/prog.mlmon odd
mkfifo odd/pipe
run 0 mlprof_short prog odd
same out table
echo 'mlprof: odd: folder and 1 more are no data files, and left out' >want
same err want
: >odd/empty
echo text >odd/text
cp more/prog.mlmon odd/prog.mlmon.17.tmp
ln -s nowhere odd/link
run 0 timeout 300 "$MLPROF" -balance false odd
echo 'mlprof: odd: empty and 4 more are no data files, and left out' >want
same err want
has out "^100.0%     0.50       50      1  $top/prog\$"
rm -r odd/*
refused 'odd: there are no data files in it' "$MLPROF" odd
refused 'odd: there are no data files in it' "$MLPROF" prog odd
echo text >odd/text
run 1 "$MLPROF" prog odd
printf 'mlprof: odd: text is no data file, and left out\nmlprof: odd: there are no data files in it\n' >want
same err want
# What is wrong in one is an error, or a line.
cp more/prog.mlmon odd
sed 1s/1/99/ more/prog.mlmon >odd/later
sed '$d' more/prog.mlmon >odd/short
run 1 "$MLPROF" odd
has err '^mlprof: odd/later: line 1: a data file of version 99; '
run 1 "$MLPROF" prog odd
has err '^mlprof: odd/later: line 1: a data file of version 99; '
run 0 mlprof_short -tolerant true prog odd
same out table
sed 's/version 99.*/version 99/' err >got
cat >want <<END
mlprof: odd/later: line 1: a data file of version 99
mlprof: odd/short: line 17: the file is cut off here
mlprof: odd: text is no data file, and left out
END
same got want
run 0 "$MLPROF" -tolerant true -balance false odd
has out '^1.00 seconds of CPU time in 2 data files of 1 program$'
if [ "$(id -u)" != 0 ]; then
    chmod 0 odd/prog.mlmon
    run 0 "$MLPROF" prog odd -tolerant true
    has err '^mlprof: odd/prog.mlmon: Permission denied$'
    rm odd/later
    refused 'odd/prog.mlmon: Permission denied' "$MLPROF" prog odd
    chmod 0 odd
    refused 'odd: Permission denied' "$MLPROF" odd
    chmod 755 odd
else
    leave_out 'a file that cannot be read: root may read each'
fi

echo 'Options.'
for option in raw=true by=line sort=name mlmon=list; do
    run 1 "$MLPROF" -$option run
    has err "^mlprof: option -${option%=*} has no effect with a folder alone: name a program\$"
done
run 1 "$MLPROF" -compare run
has err '^mlprof: run: there are data of 4 programs: name one before it; mlprof run lists them$'

echo 'A run of a comparison.'
run 0 "$MLPROF" prog run -compare more
has out '^before  prog, 1 run of 11 data files, 1.00 s of CPU time$'
has out '^after   prog, 1 run, 0.50 s of CPU time$'
run 0 "$MLPROF" prog -growth -size 1 more -size 2 run
has out 'main'

echo 'What is removed meanwhile, as keep= does.'
cat >gone.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// The file `going' is gone when it is opened for the time that is told.
int open(const char *path, int flags, ...)
{
    static int times;
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    if (strstr(path, "/going") && ++times == atoi(getenv("GONE_AT")))
        unlink(path);
    return real(path, flags, 0);
}
END
"$CC" -shared -fPIC gone.c -o gone.so -ldl
mkdir live
cp more/prog.mlmon live/staying
for time in 1 2; do
    cp more/prog.mlmon live/going
    run 0 env LD_PRELOAD="$PWD/gone.so" GONE_AT=$time "$MLPROF" -balance false prog live
    [ ! -e live/going ] || fail 'it was not opened so often'
    has out '^0.50 seconds'
    same err /dev/null
done
# Nothing else is.
cp more/prog.mlmon live/going
run 0 env LD_PRELOAD="$PWD/gone.so" GONE_AT=3 "$MLPROF" -balance false prog live
has out '^1.00 seconds'
rm live/staying
run 1 env LD_PRELOAD="$PWD/gone.so" GONE_AT=2 "$MLPROF" prog live
has err '^mlprof: live: there are no data files in it$'

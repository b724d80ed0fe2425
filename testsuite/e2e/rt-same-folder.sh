#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Several programs in one folder, one after the other and at the same time: no profile is
# lost in silence, and what configure scripts try leaves none.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

# Two programs that differ, the second one of them in two places.
stub stub.s
mkdir far
for name in one two; do
    printf '__attribute__((used)) static const char name[] = "%s";\n' $name >$name.c
    cat >>$name.c <<'END'
#include "burn.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
/* Says that it runs, and goes on when it is told to.  */
static void wait_for_go(void)
{
    char ready[32];
    snprintf(ready, sizeof ready, "ready-%d", (int)getpid());
    close(open(ready, O_CREAT | O_WRONLY, 0600));
    for (int i = 0; i < 2000 && access("go", F_OK) != 0; i++)
        usleep(10000);
}
int main(int argc, char **argv)
{
    burn(0.03);
    if (argc > 1 && strcmp(argv[1], "fork") == 0 && fork() == 0)
        return 0;
    if (argc > 1 && strcmp(argv[1], "exec") == 0)
        execl(argv[2], argv[2], (char *)0);
    if (argc > 1 && strcmp(argv[1], "slow") == 0)
        wait_for_go();
    while (wait(0) > 0)
        ;
    return name[0] == 0;
}
END
    "$CC" -O1 -I"$RT" $name.c stub.s -Wl,--build-id -o $name
done
"$CC" -O1 -DFAR -I"$RT" one.c stub.s -Wl,--build-id=0x1234 -o far/two

# program FILE: whose it is.
program() {
    valid "$1"
    sed -n "s,^module 0 [^ ]* [^ ]* $PWD/,,p" "$1"
}

# files NAME...: these profiles are there, and no others.
files() {
    printf '%s\n' "$@" | sort >want
    find . -name 'mlmon*' | sed 's,^[.]/,,' | sort >got
    same got want
}

# is FILE PROGRAM
is() {
    [ "$(program "$1")" = "$2" ] || fail "$1 is of $(program "$1"), not of $2"
}

# said LINE: on standard error, in this folder.
said() {
    printf '%s\n' "$1" | sed "s,@,$PWD,g" >want
    same err want
}

echo 'one after the other'
for round in first second; do
    echo "$round"
    run 0 ./one
    [ $round = first ] || said 'ccprof: @/mlmon.out was the profile of @/two: it is now @/mlmon.out.two'
    run 0 ./two
    said 'ccprof: @/mlmon.out was the profile of @/one: it is now @/mlmon.out.one'
    is mlmon.out two
    is mlmon.out.one one
done
files mlmon.out mlmon.out.one mlmon.out.two
is mlmon.out.two two
run 0 far/two
said 'ccprof: @/mlmon.out was the profile of @/two: it is now @/mlmon.out.two'
run 0 ./one
has err "^ccprof: $PWD/mlmon.out was the profile of $PWD/far/two: it is now $PWD/mlmon.out.two.[0-9]*\$"
file=$(sed 's,.*/,,' err)
files mlmon.out mlmon.out.one mlmon.out.two "$file"
is "$file" far/two
rm mlmon.out*

echo 'the same program, built again, and moved'
run 0 far/two
"$CC" -O1 -I"$RT" one.c stub.s -Wl,--build-id=0x5678 -o far/two
run 0 far/two
same err /dev/null
[ "$(awk '$1 == "module" && $2 == 0 { print $3 }' mlmon.out)" = 5678 ] || fail 'the old profile is there'
mv far/two far/three
run 0 far/three
same err /dev/null
files mlmon.out
is mlmon.out far/three
rm mlmon.out

echo 'what is no profile, and one without a build-id'
echo old >mlmon.out
run 0 ./one
same err /dev/null
is mlmon.out one
"$CC" -O1 -I"$RT" two.c stub.s -Wl,--build-id=none -o far/two
rm mlmon.out
run 0 far/two
run 0 far/two
same err /dev/null
run 0 ./one
said 'ccprof: @/mlmon.out was the profile of @/far/two: it is now @/mlmon.out.two'
rm mlmon.out*

# running COUNT: waits until so many slow ones run, which end when there is a file `go`.
running() {
    until [ "$(find . -name 'ready-*' | wc -l)" -eq "$1" ]; do
        sleep 0.02
    done
}

echo 'at the same time'
CCPROF=rate=100 ./one slow 2>err.slow &
slow=$!
running 1
run 0 env CCPROF=rate=200 ./one
: >go
wait $slow
rm ready-* go
same err /dev/null
mv err.slow err
said 'ccprof: @/mlmon.out was the profile of another process of @/one: it is now @/mlmon.out.one'
files mlmon.out mlmon.out.one
[ "$(value mlmon.out rate) $(value mlmon.out.one rate)" = '100 200' ] || fail 'which is which'
rm mlmon.out*
# Whoever comes first, in a pipeline.
for round in first second third; do
    echo "$round"
    { ./one slow 2>err.one | ./two slow; } 2>err.two &
    running 2
    : >go
    wait
    rm ready-* go
    cat err.one err.two >err
    [ "$(wc -l <err)" = 1 ] || fail "$(cat err)"
    set -- mlmon.out.*
    file=${1#mlmon.out.}
    is "$1" "$file"
    [ "$(program mlmon.out)" != "$file" ] || fail "two of $file"
    rm mlmon.out*
done
# Many of one program.
for i in 1 2 3 4 5 6 7 8; do
    CCPROF=rate=10$i ./one slow 2>/dev/null &
done
running 8
: >go
wait
rm ready-* go
set -- mlmon.out*
[ $# = 8 ] || fail "8 processes at once, $# files"
rm mlmon.out*

echo 'children, and programs that they become'
run 0 ./one fork
same err /dev/null
set -- mlmon.out*
[ $# = 2 ] || fail 'not a file each'
rm mlmon.out*
run 0 ./one exec ./two
said 'ccprof: @/mlmon.out was the profile of @/one: it is now @/mlmon.out.one'
files mlmon.out mlmon.out.one
is mlmon.out two
is mlmon.out.one one
rm mlmon.out*

echo 'names'
run 0 env CCPROF=output=x ./one
same err /dev/null
run 0 env CCPROF=output=x ./two
said 'ccprof: @/x was the profile of @/one: it is now @/x.one'
is x two
is x.one one
CCPROF='output=far/%e.%p.%h.%%' ./one fork >out 2>err &
process=$!
wait $process
same err /dev/null
find far -name 'one.*' | sed 's,^far/one[.],,' >names
[ "$(wc -l <names)" = 2 ] || fail "$(cat names)"
while read -r name; do
    [ "${name#*.}" = "$(uname -n).%" ] || fail "the name is $name"
    valid "far/one.$name"
done <names
has names "^$process\\."
for wrong in 'x%' 'x%d' '%'; do
    run 0 env CCPROF=output=$wrong ./one
    echo "ccprof: CCPROF: output=$wrong is not understood; right is: output=FILE with %p (process), %e (program), %h (host), %r (rank) or %%" >want
    same err want
    is mlmon.out one
done
rm mlmon.out

echo 'what configure scripts try'
mkdir -p CMakeFiles/CMakeTmp
for name in conftest CMakeFiles/CMakeTmp/cmTC_0a1b2; do
    cp one $name
    run 0 ./$name
    same err /dev/null
    [ ! -e mlmon.out ] || fail "$name left a profile"
    run 0 env CCPROF=output=wanted ./$name
    is wanted $name
    rm wanted
done
cp one cmTC_0a1b2
run 0 ./cmTC_0a1b2
is mlmon.out cmTC_0a1b2

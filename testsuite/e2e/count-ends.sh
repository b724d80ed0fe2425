#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=count: a process and its child are counted in full, however they end; so are shared
# objects that are loaded and unloaded.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/count/count.sh"

printf 'end 1\nmain 1\nwork 2\n' >parent
printf 'end 1\nmain 0\nwork 3\n' >child
printf 'end 2\nmain 1\nwork 5\n' >both
pcc -O2 "$KIND" "$COUNT/ends.c" -o ends
for way in exit _exit quick_exit abort term segv; do
    rm -f mlmon.out*
    ./ends $way 2>/dev/null || :
    counted parent ends mlmon.out
    counted child ends mlmon.out.*
    counted both ends mlmon.out mlmon.out.*
done

# Where another program takes its place; or is not there, and so cannot.
rm -f mlmon.out*
./ends exit true
counted parent ends mlmon.out
rm -f mlmon.out*
./ends exit no-such-program
counted parent ends mlmon.out
counted both ends mlmon.out mlmon.out.*

printf 'call 24\nhelper 240015\nmain 1\nplugin 24003\n' >loads.want
pcc -O2 "$KIND" -fPIC -shared "$COUNT/plugin.c" -o plugin.so
pcc -O2 "$KIND" "$COUNT/loads.c" -o loads
for unloads in 0 2 3; do
    rm -f mlmon.out
    ./loads $unloads
    counted loads.want loads mlmon.out
done

# Destructors may count after libc has told that the object goes. In executables the profile
# is written by then.
printf 'begin 1\nend 0\nend_of_all 0\nmain 1\nwork 2\n' >last.want
for way in "-O2" "-O2 -flto" "-O2 -fPIC -flto"; do
    rm -f mlmon.out
    # shellcheck disable=SC2086
    pcc $way "$KIND" "$COUNT/last.c" -o last
    ./last || fail "$way: the program ended otherwise"
    counted last.want last mlmon.out
done
printf 'begin 1\nend 1\nend_of_all 1\nlibrary 1\nwork 4\n' >library.want
pcc -O2 "$KIND" -fPIC -shared -DMAIN=library "$COUNT/last.c" -o liblast.so
echo 'int library(void); int main(void) { return library(); }' >user.c
"$CC" user.c -o user -L. -llast -Wl,-rpath,.
rm -f mlmon.out
./user || fail "the user of the library ended otherwise"
counted library.want user mlmon.out

# Threads that are at work in a shared object when the program exits.
pcc -O2 "$KIND" -fPIC -shared "$COUNT/busy.c" -o libbusy.so
echo 'void work(int); int main(void) { work(4); return 0; }' >exits.c
"$CC" exits.c -o exits -L. -lbusy -Wl,-rpath,.
for i in 1 2 3; do
    rm -f mlmon.out
    ./exits || fail "run $i: the program ended otherwise: $?"
    table exits mlmon.out | awk '$1 == "step" { n = $2 } END { exit !(n > 1000) }' || fail "run $i: the threads have counted too little"
done

# Many threads that end at once: each adds what it has counted, and none stays in the list.
pcc -O2 "$KIND" -fPIC -shared "$COUNT/crowd.c" -o libcrowd.so
echo 'void crowd(int); int main(void) { crowd(1000); return 0; }' >many.c
"$CC" many.c -o many -L. -lcrowd -Wl,-rpath,.
printf 'begin 1000\ncrowd 1\nstep 1000000\n' >many.want
rm -f mlmon.out
./many || fail "the program of many threads ended otherwise: $?"
table many mlmon.out | sed '/ 0$/d' >many.got
same many.got many.want

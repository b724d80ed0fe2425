#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=count: the counts of a process and of its child, in every way in which they end; and
# those of shared objects that are loaded and unloaded.
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

printf 'call 24\nhelper 240015\nmain 1\nplugin 24003\n' >loads.want
pcc -O2 "$KIND" -fPIC -shared "$COUNT/plugin.c" -o plugin.so
pcc -O2 "$KIND" "$COUNT/loads.c" -o loads
for unloads in 0 2 3; do
    rm -f mlmon.out
    ./loads $unloads
    counted loads.want loads mlmon.out
done

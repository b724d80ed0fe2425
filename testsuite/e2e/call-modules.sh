#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Chains through shared objects: opened, closed, moved away, replaced, damaged, stripped of
# their tables; the program goes on in any case.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/call/call.sh"
need objcopy strip
cp "$CALL/modules.c" "$CALL/relay.c" .

# object NAME [COMPILER OPTION...]: NAME.so
object() {
    name=$1
    shift
    [ $# -ne 0 ] || set -- pcc "$KIND"
    "$@" -O2 -fPIC -shared -DNAME="$name" relay.c -o "$name.so"
}

# chain NAME...: the chain through these objects; - is one that is not known.
chain() {
    for name; do
        frames modules.c here:here
        [ "$name" = - ] || {
            frames relay.c "$name:back" relay:relay
        }
        frames modules.c call:call main:call | sed "/^main /s/ [0-9]*\$//"
    done
}

# through WANT: what was printed is that; where main stands is not looked at.
through() {
    sed -i '/^main /s/ [0-9.]*$//' out
    printed out "$1"
}

object one
object two
object plain "$CC"
pcc "$KIND" -O2 -I"$SRC/rt" modules.c -o prog

echo 'Together; one after the other, at the same place.'
chain one two - >want
run 0 ./prog all ./one.so ./two.so ./plain.so
through want
has out '^?  (./plain.so+0x[0-9a-f]*)$'
same err /dev/null
chain one two - one >want
run 0 ./prog next ./one.so ./two.so ./plain.so ./one.so
through want
has out '^?  (.*plain.so+0x[0-9a-f]*)$'
same err /dev/null

echo 'The same where time is measured, and where the program itself is not profiled.'
object one pcc
pcc -O2 -I"$SRC/rt" modules.c -o timed
run 0 ./timed next ./one.so ./two.so ./plain.so ./one.so
through want
same err /dev/null
object one
cat >here.c <<'END'
#include "ccprof.h"
void relay(void (*back)(void));
void relay(void (*back)(void)) { (void)back; ccprof_chain_print(1); }
END
pcc "$KIND" -O2 -I"$SRC/rt" -fPIC -shared here.c -o here.so
"$CC" -O2 -I"$SRC/rt" modules.c -o unprofiled
run 0 ./unprofiled all ./here.so
has out '^relay  here.c: 3\.'
has out '^main  (/.*/unprofiled+0x[0-9a-f]*)$'

echo 'The folder is another one.'
chain one >want
run 0 ./prog chdir ./one.so
through want

# changed COMMAND...: runs it between the start of the program and its first chain.
changed() {
    printf '#!/bin/sh\n%s\n' "$*" >change
    chmod +x change
    run 0 ./prog wait ./one.so
}

# addresses PATTERN: of the object addresses are shown, and one line says why.
addresses() {
    chain - >want
    through want
    has out '^relay  (/.*/one.so+0x[0-9a-f]*)$\|^?  (/.*/one.so+0x[0-9a-f]*)$'
    has err "^ccprof: /.*/one.so: $1: the calls there are shown as addresses\$"
    [ "$(grep -c . err)" -eq 1 ] || fail "$(cat err)"
    object one
}

echo 'Removed, replaced, written over with something else.'
changed rm one.so
addresses 'No such file or directory'
changed mv two.so one.so
addresses 'not the file that is in memory'
object two
changed 'echo text >one.new; mv one.new one.so'
addresses 'not an executable or shared object'
changed 'rm one.so; mkdir one.so'
rmdir one.so
addresses 'not a regular file'

echo 'Damaged: cut off, and its tables overwritten.'
cp one.so whole.so
size=$(wc -c <one.so)
changed "head -c $((size / 2)) whole.so >one.new; mv one.new one.so"
addresses 'its sections are damaged'
readelf -SW whole.so | sed 's/^ *\[ *[0-9]*\] *//' |
    awk '$1 == ".ccprof.code" { print $4, $5 }' >field
read -r offset length <field
# A stream that begins with a function, and one of another version.
for bytes in '\0005' '\0000\0007'; do
    printf '%b' "$bytes" >bytes
    changed "cp whole.so one.new; dd if=bytes of=one.new bs=1 seek=$((0x$offset)) conv=notrunc 2>/dev/null
        mv one.new one.so"
    addresses 'its tables are damaged'
done
[ $((0x$length)) -gt 0 ]
changed 'objcopy -R .ccprof.code whole.so one.new; mv one.new one.so'
addresses 'it has no tables of ccprof'

echo 'The executable itself is found whatever has become of its name.'
chain one >want
if [ "${TARGET-}" ]; then
    leave_out 'the executable by another name: /proc/self/exe is qemu'
else
    cp prog saved
    changed 'rm prog'
    through want
    same err /dev/null
    cp saved prog
    changed 'rm prog; cp two.so prog'
    through want
    same err /dev/null
    cp saved prog
fi

echo 'Tables in a separate file.'
id=$(readelf -n one.so | sed -n 's/^ *Build ID: //p')
folder=/usr/lib/debug/.build-id/$(echo "$id" | cut -c 1-2)
if [ -n "$id" ] && mkdir -p /usr/lib/debug/.build-id 2>/dev/null && mkdir "$folder" 2>/dev/null; then
    trap 'rm -r "$folder"' EXIT
    objcopy --only-keep-debug one.so "$folder/$(echo "$id" | cut -c 3-).debug"
    strip -s -R '.ccprof.*' one.so
    run 0 ./prog all ./one.so
    through want
    same err /dev/null
    objcopy --only-keep-debug two.so "$folder/$(echo "$id" | cut -c 3-).debug"
    run 0 ./prog all ./one.so
    addresses 'it has no tables of ccprof'
else
    echo "not tested: $folder is not to be made"
fi

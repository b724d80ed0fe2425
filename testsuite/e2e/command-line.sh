#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How the program was started is told in the data file and in what is made of it: its name, and its
# arguments where that is asked for.
. "$SRC/testsuite/lib.sh"
need python3

cat >prog.c <<'END'
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
volatile int runs;
int main(int count, char **words)
{
    /* As strtok does, and setproctitle.  */
    for (int i = 0; i < count; i++)
        memset(words[i], 'x', strlen(words[i]));
    for (int i = 0; i < 30000000; i++)
        runs++;
    if (count > 4 && fork() == 0)
        _exit(0);
    wait(0);
    return 0;
}
END
pcc -O1 -fplugin-arg-ccprof-profile=time,count prog.c -o prog
mkdir first second
(cd second && ../prog -n 3 secret 4 5 && ../prog && CCPROF=command=name,output=empty ../prog '')
echo 'command ../prog' >want
sed -n 3p second/mlmon.out >got
same got want
echo 'command ../prog ...' >want
for file in second/mlmon.out.* second/empty; do
    sed -n 3p "$file" >got
    same got want
done
export CCPROF=command=yes
(cd first && ../prog -n 3 'a b\c' "$(printf 'it'\''s\n\351')")
# shellcheck disable=SC1003,SC2016
printf '%s\n' 'command ../prog -n 3 '\''a b\\c'\'' $'\''it\\'\''s\\012\\351'\' >want
for file in first/mlmon.out first/mlmon.out.*; do
    sed -n 3p "$file" >got
    same got want
done
# What the program was given is what a shell makes of it.
cat >read.py <<'END'
import subprocess, sys
data = open('first/mlmon.out', 'rb').read().split(b'\n')[2][len(b'command '):].replace(b'\\\\', b'\\')
out = subprocess.run(['bash', '-c', b'printf "%s\\0" ' + data], stdout=subprocess.PIPE, check=True).stdout
assert out == b"../prog\0-n\0003\0a b\\c\0it's\n\xe9\0", out
END
python3 read.py || fail 'a shell reads something else'

echo 'Left out.'
CCPROF=command=no,output=none.out ./prog secret
hasnot none.out '^command'
hasnot none.out secret
"$MLPROF" -json none.json prog none.out >/dev/null
python3 -c 'import json; assert json.load(open("none.json"))["run"]["commands"] == []'

echo 'Several runs, in the formats that have room for it.'
for i in 1 2 2; do
    CCPROF=command=yes,output=$i$((n = ${n-0} + 1)).out ./prog "<b>&$i"
done
"$MLPROF" -json all.json -callgrind all.callgrind -firefox all.firefox -pprof all.pprof -html all.html \
    prog 11.out 22.out 23.out none.out >/dev/null
cat >formats.py <<'END'
import base64, gzip, json, re
run = json.load(open('all.json'))['run']
assert run['commands'] == ["./prog '<b>&1'", "./prog '<b>&2'"], run['commands']
assert json.load(open('all.firefox'))['meta']['arguments'] == "./prog '<b>&1'"
assert b"./prog '<b>&1'" in gzip.open('all.pprof').read()
page = json.loads(gzip.decompress(base64.b64decode(re.search('id="data">([^<]*)<', open('all.html').read())[1])))
assert (page['command'], page['commands']) == ("./prog '<b>&1'", 2), page['command']
END
python3 formats.py || fail 'a format does not tell the commands'
has all.callgrind "^cmd: ./prog '<b>&1'\$"

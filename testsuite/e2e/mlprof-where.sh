#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mlprof -where: addresses from the command line and from standard input.

. "$SRC/testsuite/mlprof.sh"
need readelf

example prog main ns::sq
first=$(at prog 0)
inside=$(at prog 4)
behind=$(at prog 12)
cat >three <<END
$first: main prog.c:9:5
$inside: ns::sq prog.c:3:10 < main prog.c:9:12
$behind: ?
END

run 0 "$MLPROF" -where prog "$first" "${inside#0x}" "$(echo "$behind" | tr x X)"
same out three
same err /dev/null
printf '%s\n  %s\t%s' "$first" "${inside#0x}" "$behind" | run 0 "$MLPROF" -where prog
same out three
printf '%s\r\n\n%s %s\n\n' "$first" "$inside" "$behind" | run 0 "$MLPROF" -where prog
same out three
run 0 "$MLPROF" -long-name false -where prog "$inside"
has out "^$inside: sq prog.c:3:10 < main prog.c:9:12\$"
run 0 "$MLPROF" -where prog </dev/null
same out /dev/null
run 0 "$MLPROF" -where prog 0 ffffffffffffffff
printf '0x0: ?\n0xffffffffffffffff: ?\n' >want
same out want

# Stripped, and as a shared object.
cp prog bare
strip bare
run 0 "$MLPROF" -where bare "$first" "$inside" "$behind"
same out three
example lib g h -shared -fPIC
run 0 "$MLPROF" -where lib "$(at lib 4)"
has out ': h lib.c:3:10 < g lib.c:9:12$'

# Each line is answered at once.
mkfifo questions answers
timeout 300 "$MLPROF" -where prog <questions >answers &
exec 3>questions 4<answers
for question in "$first" "$inside"; do
    echo "$question" >&3
    read -r answer <&4
    echo "$answer"
done >got
exec 3>&-
wait "$!"
head -n 2 three >want
same got want

# A million of them.
awk 'BEGIN { for (i = 0; i < 500000; i++) print "'"$first"'\n'"$inside"'" }' |
    timeout 300 "$MLPROF" -where prog | sort | uniq -c | awk '{ print $1, $2 }' >got
printf '500000 %s:\n500000 %s:\n' "$first" "$inside" >want
same got want

refused 'x1: not a hexadecimal address' "$MLPROF" -where prog x1
refused '0x: not a hexadecimal address' "$MLPROF" -where prog 0x
refused '10000000000000000: not a hexadecimal address' "$MLPROF" -where prog 10000000000000000
printf '%s\n%s main\n' "$first" "$inside" >input
refused 'standard input: line 2: not a hexadecimal address: main' "$MLPROF" -where prog <input
head -n 2 three >want
same out want

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names of files and functions that need care in assembly or in answers.
. "$SRC/testsuite/plugin/plugin.sh"
need nm

text='static inline int square(int x) { return x * x; }
int sq(int x) { return square(x) + 1; }
int main(void) { return 0; }'

# answer PROGRAM: of sq's first instruction.
answer() {
    "$MLPROF" -where "$1" "$(nm "$1" | sed -n 's/ T sq$//p')" | sed 's/^[^ ]* //'
}

# A newline would split the answer; the rest is as it is.
# shellcheck disable=SC2016
for file in 'a b.c' 'a"b.c' "a'b.c" 'a\b.c' 'a%sb.c' 'a$b.c' 'a@b.c' 'a#b.c' 'ä函.c' 'a
b.c' '-a.c'; do
    printf "%s\n" "$file"
    echo "$text" >"./$file"
    run 0 pcc -O2 "./$file" -o program
    same err /dev/null
    answer program >got
    shown=$(printf '%s' "$file" | awk 'NR > 1 { printf "\\x0a" } { printf "%s", $0 }')
    printf '%s\n' "square ./$shown:1:44 < sq ./$shown:2:24" >want
    same got want
done

# The same by a directive, and lines as far as they go.
cat >line.c <<'END'
#line 2147483647 "far off.c"
int sq(int x) { return x * x; }
#line 1 "dir\\with\"quote\nand more.c"
int main(void) { return 0; }
END
pcc -O2 line.c -o program
answer program >got
echo 'sq far off.c:2147483647:26' >want
same got want
"$MLPROF" -where program "$(nm program | sed -n 's/ T main$//p')" >got
has got ': main dir\\with"quote\\x0aand more.c:1:[0-9]*$'

# What stands in angle brackets is no file; ours is not taken for the user's.
printf '#line 1 "<nowhere>"\nint sq(int x)\n{\n    x ^= 5;\n    return x * x;\n}\n' >none.c
sed 's/nowhere/ccprof/' none.c >ours.c
for file in none ours; do
    same_code "$CC" -O2 "$file.c"
    pcc -O2 -shared -fPIC "$file.c" -o program
    [ "$(answer program)" = 'sq ?' ] || fail "$file.c: $(answer program)"
done

# Long names, and names in other scripts.
long=$(awk 'BEGIN { while (i++ < 5000) printf "long_name_" }')
cat >names.c <<END
int $long(int x) { return x; }
int äöü_函数(int x) { return x + 1; }
int main(void) { return 0; }
END
pcc -O2 names.c -o program
nm program >symbols
for name in "$long" äöü_函数; do
    address=$(grep -F " T $name" symbols | sed 's/ .*//')
    "$MLPROF" -where program "$address" | grep -qF ": $name names.c:" || fail "no $name"
done

# Remapped as in debug information.
mkdir -p deep/er
echo "$text" >deep/er/a.c
pcc -O2 -ffile-prefix-map=deep=shallow deep/er/a.c -o program
[ "$(answer program)" = 'square shallow/er/a.c:1:44 < sq shallow/er/a.c:2:24' ] || fail "$(answer program)"
# The runtime's path is that of the build tree.
pcc -O2 "-ffile-prefix-map=$PWD=/x" -c "$PWD/deep/er/a.c" -o a.o
! grep -qF "$PWD/deep" a.o || fail "the folder is in the object in spite of -ffile-prefix-map"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Source files that have moved since they were compiled: -source-dir and -source-map.

. "$SRC/testsuite/mlprof.sh"

mkdir -p build/pkg/src build/pkg/obj
cat >build/pkg/src/work.c <<'END'
#include "add.h"
static volatile unsigned sum;
int main(void)
{
    for (unsigned i = 0; i < 200000000; i++)
        add(&sum, i);
    return 0;
}
END
cat >build/pkg/src/add.h <<'END'
static inline void add(volatile unsigned *sum, unsigned i)
{
    *sum += i;
}
END
# Compiled as a distribution does it, in a folder beside the sources.
pkg=$PWD/build/pkg
(cd build/pkg/obj && pcc -O2 ../src/work.c -o "$OLDPWD/plain")
(cd build/pkg/obj && pcc -O2 -ffile-prefix-map="$pkg=/usr/src/pkg-1.0" "$pkg/src/work.c" -o "$OLDPWD/mapped")
(cd build/pkg && pcc -O2 -ffile-prefix-map="$pkg=." "$pkg/src/work.c" -o "$OLDPWD/dotted")
for prog in plain mapped dotted; do
    CCPROF=output=$prog.out "./$prog"
done

# text PROGRAM OPTION...: the lines of both files are listed with their text, and nothing is said.
text() {
    text_program=$1
    shift
    run 0 mlprof_short -list 'main|add' "$@" "$text_program" "$text_program.out"
    same err /dev/null
    has out '        add(&sum, i);$'
    has out '    \*sum += i;$'
}

# absent PROGRAM FILE MORE OPTION...: they are not, which a line says of FILE.
absent() {
    absent_program=$1 absent_line="mlprof: $2: No such file or directory$3"
    shift 3
    run 0 mlprof_short -list main "$@" "$absent_program" "$absent_program.out"
    hasnot out 'add(&sum'
    echo "$absent_line" >want
    same err want
}

without='its lines are listed without text'
text plain
absent mapped /usr/src/pkg-1.0/src/work.c "; $without (-source-dir, -source-map)"
absent dotted ././src/work.c "; $without (-source-dir, -source-map)"
text mapped -source-map /usr/src/pkg-1.0=build/pkg
text mapped -source-map=/usr/src=nowhere -source-map /usr/src/pkg-1.0/="$pkg/"
text mapped -source-dir build/pkg
text mapped -source-dir=build/pkg/src
text dotted -source-map .=build/pkg
text dotted -source-dir build -source-dir build/pkg
absent mapped /usr/src/pkg-1.0/src/work.c \
    ", nor is it build/src/pkg-1.0/src/work.c, nor is it in build/pkg/obj, nowhere; $without" \
    -source-map /usr=build -source-dir build/pkg/obj -source-dir nowhere -source-map /src=x

# The sources have moved.
mv build old
absent plain "$pkg/obj/../src/work.c" "; $without (-source-dir, -source-map)"
text plain -source-dir old/pkg
text plain -source-dir old/pkg/src
text plain -source-map "$PWD/build=old"
text plain -source-map "$pkg/src=old/pkg/src"

# Of several the one that was compiled is listed, otherwise the first, with a warning.
mkdir new
sed 's/+= i/-= i/' old/pkg/src/add.h >new/add.h
sed 's/add(&sum, i)/add(\&sum, ~i)/' old/pkg/src/work.c >new/work.c
text plain -source-dir new -source-dir old/pkg
run 0 mlprof_short -list main -source-dir new plain plain.out
has out '        add(&sum, ~i);$'
echo 'mlprof: new/work.c: changed since it was compiled; its lines may not be those that were measured' |
    holds err
mkdir -p build/pkg/src build/pkg/obj
cp new/* build/pkg/src
text plain -source-dir old/pkg

# What is no map.
run 1 "$MLPROF" -source-map /usr/src plain plain.out
printf '%s\n' "mlprof: option -source-map takes two folders, from=to, not: /usr/src (it has no \`=')" \
    'mlprof -help prints the options' | holds err

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# targets: the functions that each indirect call calls, exactly: on threads, in handlers, where
# the call is inlined, and where the optimiser finds out the function.
. "$SRC/testsuite/lib.sh"

cp "$SRC/testsuite/targets/targets.c" .
KIND="-fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-targets"

# told PROGRAM: a line `PLACE TARGET COUNT' for each target of the places in the file that
# was written; a place is what stands behind // in its line.
told() {
    sed -n '/^targets$/,/^end$/p' mlmon.out | awk 'NF == 5' >rows
    [ -s rows ] || fail "no targets in mlmon.out"
    awk '{ print $2; print $1 == $3 ? $4 : "0x0" }' rows | "$MLPROF" -where "$1" |
        sed 's/^[^ ]* //; s/ <.*//' | paste -d ' ' - - | paste -d ' ' - rows |
        awk '
            BEGIN { while ((getline line < "targets.c") > 0) text[++n] = line }
            { split($2, part, ":"); place = text[part[2]]; sub(/.*\/\/ /, "", place)
              sum[place " " $3] += $NF }
            END { for (i in sum) print i, sum[i] }' | sort
}

cat >want <<'END'
by number one 6000
by number two 2000
by pointer two 800
in apply one 8000
in the handler one 5
outside ? 1
END

for level in -O0 -O1 -O2 -O3 -Os "-O2 -g" "-O2 -flto" "-O2 -fPIC" "-O2 -fno-pie -no-pie" \
    "-O2 -ffunction-sections -Wl,--gc-sections" "-O2 -fplugin-arg-ccprof-blocks"; do
    # shellcheck disable=SC2086
    pcc $level $KIND targets.c -o prog -pthread
    ./prog
    told prog >got
    same got want
done

# In mlprof, with and without the estimates that follow from blocks.
for blocks in "" -fplugin-arg-ccprof-blocks; do
    # shellcheck disable=SC2086
    pcc -O2 $KIND $blocks targets.c -o prog -pthread
    ./prog
    "$MLPROF" -arcs '.*' prog mlmon.out mlmon.out | table_rows calls sure |
        grep '^\(one\|two\|<outside>\) ' | sort >got
    sort >want <<'END'
one 12000 100%
two 4000 100%
two 1600 100%
one 16000 100%
one 10 100%
<outside> 2 100%
END
    same got want
done

# Virtual functions, called from a shared object.
cat >virtual.cc <<'END'
struct base {
    virtual int get() const;
};
int base::get() const
{
    return 1;
}
struct derived : base {
    int get() const override
    {
        return 2;
    }
};
base *make(bool plain)
{
    return plain ? new base : new derived;
}
int sum(const base &b)
{
    return b.get();
}
int program()
{
    int all = 0;
    for (int i = 0; i < 30; i++)
        all += sum(*make(i % 3 == 0));
    return all != 50;
}
END
echo 'int program(); int main() { return program(); }' >main.cc
# shellcheck disable=SC2086
pcxx -O2 -fPIC -shared $KIND virtual.cc -o libvirtual.so
"$CXX" main.cc -o virtual -L. -lvirtual -Wl,-rpath,"$PWD"
rm mlmon.out
./virtual
sed -n '/^targets$/,/^end$/p' mlmon.out | awk 'NF == 5 && $1 == $3 { sum[$4] += $5 }
    END { for (i in sum) print i, sum[i] }' >rows
cut -d ' ' -f 1 rows | "$MLPROF" -where libvirtual.so | sed 's/^[^ ]* \([^ ]*\) .*/\1/' |
    paste -d ' ' - rows | cut -d ' ' -f 1,3 | sort >got
printf '%s\n' 'base::get 10' 'derived::get 20' >want
same got want

# A thousand targets, more than a thread has room for at first; and a child of a fork, in
# which nothing was counted yet.
{
    echo '#include <sys/wait.h>'
    echo '#include <unistd.h>'
    for i in $(seq 1000); do
        echo "static int f$i(void) { return $i; }"
    done
    echo 'static int (*const all[])(void) = {'
    seq -s ', ' -f 'f%g' 1000
    echo '}; int main(void) { volatile int sum = 0; for (int i = 0; i < 1000; i++) '
    echo 'for (int k = 0; k <= i % 7; k++) sum += all[i]();'
    echo 'if (fork() == 0) { sum += all[sum % 2](); return 0; } wait(0); }'
} >many.c
# shellcheck disable=SC2086
pcc -O2 $KIND many.c -o many
rm mlmon.out
./many
sed -n '/^targets$/,/^end$/p' mlmon.out | awk 'NF == 5 { n++; sum += $5 } END { print n, sum }' \
    >got
# 142 times 1 to 7, and 1 to 6.
echo 1000 $((142 * 28 + 21)) >want
same got want
sed -n '/^targets$/,/^end$/p' mlmon.out.* | awk 'NF == 5 { n++; sum += $5 } END { print n, sum }' \
    >got
echo 1 1 >want
same got want

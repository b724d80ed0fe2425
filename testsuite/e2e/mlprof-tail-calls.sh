#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A function whose last act is a call of the C library is charged with the time of that call,
# though it is not on the stack: as much as by the program's own clock, and as much as where the
# call stays a call.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/shares/rows.sh"
[ "$(uname -m)" = x86_64 ] || skip "mlprof does not know this processor's instructions"
TAILS=$SRC/testsuite/tail-calls

export CCPROF=rate=1000

tabulate() {
    table_of ${unprofiled:+-unprofile "$unprofiled"} prog mlmon.out >table
}

# What is left of them is the clock that they read, and the loop around the calls.
unprofiled='compare  '
agrees() {
    as_said prog 95
    within reset 0 1
}
for options in -O2 '-O3 -fno-plt -g' '-O2 -flto -fPIC' \
    '-O2 -fcf-protection -fplugin-arg-ccprof-tail-calls=never'; do
    echo "$options"
    # shellcheck disable=SC2086
    pcc $options "$TAILS/prog.c" "$TAILS/wrappers.c" -o prog
    agrees
done

echo "in a shared object"
pcc -O2 -fPIC -shared "$TAILS/wrappers.c" -o libwrappers.so
pcc -O2 "$TAILS/prog.c" -L. -lwrappers -Wl,-rpath,"$PWD" -o prog
agrees

# A function that may be a callback puts back what it has found before it jumps; with -flto
# it is seen that these are none.
echo "time-field"
pcc -fplugin-arg-ccprof-profile=time-field -O2 -flto "$TAILS/prog.c" "$TAILS/wrappers.c" -o prog
# What it calls back has rows of its own.
unprofiled=
as_said prog 81 order

# Whom the two functions were called by, outermost first: exactly these.
cat >outside.c <<'END_OF_FILE'
static unsigned spin(unsigned n)
{
    volatile unsigned x = 1;
    while (n--)
        x = x * 1664525 + 1013904223;
    return x;
}
unsigned outside_one(unsigned n) { return spin(n); }
unsigned outside_two(unsigned n) { return spin(n) + 1; }
END_OF_FILE
cat >alone.c <<'END_OF_FILE'
unsigned outside_one(unsigned n);
unsigned alone(unsigned n) { return outside_one(n); }
END_OF_FILE
callers() {
    "$MLPROF" -balance false -show-extern true -callers "$1" others mlmon.others | table_rows stack |
        sed 's/ [^ ]*$//' | sort
}
for options in -O2 -fPIC '-O3 -flto' '-O2 -static-pie'; do
    echo "others $options"
    case $options in
    *static*)
        "$CC" -O2 -fPIC -c outside.c
        pcc -O2 -fPIC -c alone.c
        set -- alone.o outside.o -L"$O/rt" -lccprof
        ;;
    *)
        "$CC" -O2 -fPIC -shared outside.c -o liboutside.so
        pcc -O2 -fPIC -shared alone.c -L. -loutside -o libalone.so
        set -- -L. -lalone -loutside -Wl,-rpath,"$PWD"
        ;;
    esac
    # shellcheck disable=SC2086
    pcxx -O2 $options "$TAILS/others.cc" "$@" -o others
    CCPROF=rate=1000,output=mlmon.others ./others
    callers '<outside_one>' >got
    cat >want <<'END_OF_FILE'
Box::last
alone
by_pointer
fork
instance<long>
instance<unsigned int>
itself
lines
odd
to_one
END_OF_FILE
    same got want
    callers '<outside_two>' >got
    printf '%s\n' teller to_two >want
    same got want
    # The wrapper stands below who called it.
    callers 'Box::last' >got
    echo Box::method >want
    same got want
    callers 'Box::method' >got
    echo main >want
    same got want
    # By the line of the call, if there is only one.
    "$MLPROF" -balance false -list 'to_two|lines' others mlmon.others >listing
    has listing '% *[0-9][0-9]*      return outside_two(n);'
    hasnot listing '% *[0-9][0-9]* *return outside_one'
    has listing '% *? *elsewhere or not known'
done

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The plugin's arguments: each wrong one ends the compilation with one line, which says what
# is right or where to read it.
. "$SRC/testsuite/plugin/plugin.sh"

cat >a.c <<'END'
static int twice(int x) { return 2 * x; }
int f(int x) { return twice(x) + 1; }
END

profiles='{time|time-label|time-field|count|alloc|call|no|drop}'
combined=', or several kinds with commas between, each once, of time one: time,count,alloc'

# Every right one, a line each.
cat >right <<END
profile=$profiles
position={expression|line|none}
mark={source|function|block}
include=REGEXP
exclude=REGEXP
include-function=REGEXP
exclude-function=REGEXP
stopwatch=REGEXP
stopwatch-file=REGEXP
blocks
branch
targets
stack
trace
tail-calls={always|self-only|never}
delay=FUNCTION:NANOSECONDS
verbose
check
help
END

# arguments ARGUMENT...: compiles with them.
arguments() {
    for argument; do
        set -- "$@" "-fplugin-arg-ccprof-$argument"
        shift
    done
    rm -f a.o
    pcc -O2 "$@" -c a.c -o a.o
}

# wrong ERROR ARGUMENT: refused with the message, and with no other line.
wrong() {
    run 1 arguments "$2"
    [ ! -e a.o ] || fail "an object after an error: $2"
    [ "$(wc -l <err)" -eq 1 ] || fail "not one line: $(cat err)"
    sed 's/^[^ ]* //' err >got
    echo "error: ccprof: $1" >want
    same got want
}

listed="'-fplugin-arg-ccprof-help' lists the right ones"
wrong "unknown argument 'nonsense'; $listed" nonsense
wrong "unknown argument 'profiles=no'; did you mean 'profile'?" profiles=no
wrong "unknown argument 'Profile=no'; did you mean 'profile'?" Profile=no
wrong "unknown argument 'tail-call=never'; did you mean 'tail-calls'?" tail-call=never
wrong "unknown argument ''; $listed" ''
# What is for ccprof's own tests is not proposed.
wrong "unknown argument 'scope'; $listed" scope
wrong "the argument 'profile' lacks its value $profiles$combined" profile
wrong "the argument 'exclude' lacks its value REGEXP" exclude
wrong "the argument 'check' takes no value" check=yes
wrong "the argument 'help' takes no value" help=all
wrong "'profile=yes': the value must be one of $profiles$combined" profile=yes
wrong "'profile=': the value must be one of $profiles$combined" profile=
wrong "'profile=no ': the value must be one of $profiles$combined" 'profile=no '
wrong "'position=columns': the value must be one of {expression|line|none}" position=columns
wrong "'profile=stacks': the value must be one of $profiles$combined" profile=stacks
wrong "'profile=time,time-label': the value must be one of $profiles$combined" profile=time,time-label
wrong "'profile=time-field,time-label': the value must be one of $profiles$combined" profile=time-field,time-label
wrong "'profile=count,': the value must be one of $profiles$combined" profile=count,
wrong "'profile=count,no': the value must be one of $profiles$combined" profile=count,no

# A regular expression that is none says why.
# shellcheck disable=SC1003
for bad in 'a(b' 'a[b' '*' 'a{2,1}' '\'; do
    for name in include exclude include-function exclude-function stopwatch stopwatch-file; do
        run 1 arguments "$name=$bad"
        [ ! -e a.o ] || fail "an object after an error"
        has err 'error: ccprof: in the regular expression '
        grep -qF "'$bad': " err || fail "it does not say which: $(cat err)"
    done
done

# Several mistakes are all told, one line each.
run 1 arguments profile=x position=y
has err "'profile=x'"
has err "'position=y'"
[ "$(wc -l <err)" -eq 2 ] || fail "not two lines: $(cat err)"

# Right ones have nothing to say, the last of one name wins.
for right in profile=time-label profile=time profile=time,count,alloc position=expression position=line position=none \
    include=x exclude=x 'include=^(a|b)+[.]c$'; do
    run 0 arguments "$right"
    same err /dev/null
    same out /dev/null
    is_profiled a.o
done
run 0 arguments profile=no profile=time-label
is_profiled a.o

run 0 arguments help
cat out err >help
has help '^Arguments of ccprof'
sed -n '2,$s/^  \([^ ]*\)  *[a-z].*/\1/p' help >listed
same listed right
[ "$(wc -l <help)" -eq $(($(wc -l <right) + 1)) ] || fail "more than a table: $(cat help)"

# The list must not become part of the program.
run 0 pcc -O2 -pipe -fplugin-arg-ccprof-help -c a.c -o a.o
is_profiled a.o

# profile=no and drop leave no byte in the object; more of it in plugin-drop.sh.
for options in -O0 -O2 '-O2 -g -gno-record-gcc-switches' '-O3 -fPIC -ffunction-sections'; do
    # shellcheck disable=SC2086
    "$CC" $options -c a.c -o a.o
    mv a.o plain.o
    for profile in no drop; do
        # shellcheck disable=SC2086
        pcc $options -fplugin-arg-ccprof-profile=$profile -c a.c -o a.o
        cmp a.o plain.o || fail "$options: profile=$profile changes the object"
        nothing_of_ccprof a.o
    done
done

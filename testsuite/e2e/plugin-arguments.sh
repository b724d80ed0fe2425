#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The plugin's arguments: each wrong one ends the compilation with the list of right ones.
. "$SRC/testsuite/plugin/plugin.sh"

cat >a.c <<'END'
static int twice(int x) { return 2 * x; }
int f(int x) { return twice(x) + 1; }
END

profiles='{time-label|time-field|count|alloc|call|no|drop}'

# Every right one, a line each.
cat >right <<END
profile=$profiles
position={expression|line|none}
mark={source|function|block}
include=REGEXP
exclude=REGEXP
include-function=REGEXP
exclude-function=REGEXP
blocks
branch
targets
stack
tail-calls={always|self-only|never}
delay=FUNCTION:NANOSECONDS
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

# wrong ERROR ARGUMENT...: refused with the message, and with the list.
wrong() {
    error=$1
    shift
    run 1 arguments "$@"
    [ ! -e a.o ] || fail "an object after an error: $*"
    has err "error: ccprof: $error\$"
    # What is for ccprof's own tests is not listed.
    sed -n "s/.*note: ccprof: right is '-fplugin-arg-ccprof-\(.*\)'\$/\1/p" err >listed
    same listed right
}

wrong "unknown argument 'nonsense'" nonsense
wrong "unknown argument 'profiles=no'" profiles=no
wrong "unknown argument 'Profile=no'" Profile=no
wrong "unknown argument ''" ''
wrong "the argument 'profile' lacks its value $profiles" profile
wrong "the argument 'exclude' lacks its value REGEXP" exclude
wrong "the argument 'check' takes no value" check=yes
wrong "the argument 'help' takes no value" help=all
wrong "'profile=yes': the value must be one of $profiles" profile=yes
wrong "'profile=': the value must be one of $profiles" profile=
wrong "'profile=no ': the value must be one of $profiles" 'profile=no '
wrong "'position=columns': the value must be one of {expression|line|none}" position=columns
wrong "'profile=stacks': the value must be one of $profiles" position=line profile=stacks
wrong "'profile=time,time-label': the value must be one of $profiles" profile=time,time-label
wrong "'profile=time-field,time-label': the value must be one of $profiles" profile=time-field,time-label
wrong "'profile=count,': the value must be one of $profiles" profile=count,
wrong "'profile=count,no': the value must be one of $profiles" profile=count,no

# A regular expression that is none says why.
for bad in 'a(b' 'a[b' '*' 'a{2,1}' '\'; do
    for name in include exclude include-function exclude-function; do
        run 1 arguments "$name=$bad"
        [ ! -e a.o ] || fail "an object after an error"
        has err 'error: ccprof: in the regular expression '
        grep -qF "'$bad': " err || fail "it does not say which: $(cat err)"
    done
done

# Several mistakes are all told.
run 1 arguments profile=x position=y
has err "'profile=x'"
has err "'position=y'"

# Right ones have nothing to say, the last of one name wins.
for right in profile=time-label position=expression position=line position=none \
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

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Samples at known instructions are charged as worked out by hand; where the code cannot be read
# they stay where they came, and the report says which it was.
. "$SRC/testsuite/mlprof.sh"

case $("$CC" -dumpmachine) in
x86_64-*) ;;
*) skip "only the instructions of x86-64 are known" ;;
esac
pcc -O2 -fcf-protection=none -Wl,--build-id=sha1 "$SRC/testsuite/skid/rules.c" -o prog

# samples COUNT LABEL...: a data file with COUNT of them at each label.
samples() {
    count=$1
    shift
    all=$((count * $#))
    for label; do
        shift
        place=$(nm prog | awk -v label="$label" '$3 == label { print $1 }')
        set -- "$@" "$(printf '0 0 0x%x %s' "0x$place" "$count")"
    done
    data mlmon.out "$all" 0 "$PWD/prog" -- "$@"
}

# charged FUNCTION COUNT LABEL...: all of the COUNT samples at each label, taken together, are the
# function's.
charged() {
    function=$1
    shift
    samples "$@"
    "$MLPROF" prog mlmon.out >table
    has table "^100\.0%  .*  $function\$"
    has table ', skid corrected$'
}

# The instruction before it.
charged load 10 at_quick
charged quick 10 at_decide
# A load of five cycles at least and what takes one ended together: 10 * 1 / (1 + 5).
samples 10 at_quick2
"$MLPROF" prog mlmon.out >table
has table '^ *90\.0%  .*  load$'
has table '^ *10\.0%  .*  quick$'
# Two that take a cycle, one of each, ended together.
samples 10 at_branch
"$MLPROF" prog mlmon.out >table
has table '^ *~*50\.0%  .*  decide$'
has table '^ *~*50\.0%  .*  quick$'
# Two ways, both of one function.
charged decide 10 at_join
# Two ways, of two functions: it stays where it is.
charged next 10 at_next
# Behind a call it is the function that was called.
charged callee 10 at_returned
# Or the one that jumped to what came back, though it is not on the stack.
charged jumper 10 at_jumped
charged jumper 10 at_passed
# If it may have been another one it stays with the call.
charged calls_chooser 10 at_chosen
# The start of a function.
charged callee 10 at_callee
# Behind the first instruction of a block: few are its own, more than the rest of the block
# lets expect are those of the branch that was not predicted.
charged join 7 at_join2
charged decide 8 at_join2
samples 10 at_join2 at_join3
"$MLPROF" prog mlmon.out >table
has table '^100\.0%  .*  join$'
# Unless that instruction is one that takes long without memory.
charged relax 100 at_relaxed

# As they came.
samples 10 at_quick
"$MLPROF" -skid false prog mlmon.out >table
has table '^100\.0%  .*  quick$'
has table ', skid not corrected$'

# Debug information alone, and another processor's code (ELF for AArch64).
objcopy --only-keep-debug prog prog.debug
cp prog prog.other
printf '\267' | dd of=prog.other bs=1 seek=18 conv=notrunc 2>/dev/null
for file in prog.debug prog.other; do
    "$MLPROF" "$file" mlmon.out >table
    has table '^100\.0%  .*  quick$'
    has table ', skid not corrected$'
done

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -help, the manual page and the shell's completion know the same options; bad usage.

. "$SRC/testsuite/mlprof.sh"

run 0 "$MLPROF" -help
same err /dev/null
cp out help
head -n 2 help >got
holds got <<'END'
usage: mlprof [option ...] a.out [mlmon.out ...]
       mlprof -where FILE [ADDRESS ...]
END
run 0 "$MLPROF" --help
same out help
run 0 "$MLPROF" -raw true -version
has out '^mlprof (ccprof) [0-9][0-9.]*$'

# `-option argument' of each, in the order of -help.
sed -n 's/^  \(-[a-z-]*\( [^ ][^ ]*\)\{0,1\}\)  .*/\1/p' help >options
[ "$(wc -l <options)" -eq $(($(wc -l <help) - 2)) ] || fail "-help has lines of another form"
sort -c options

# The manual page describes each, with its argument, and no other.
sed -n '/^\.SH OPTIONS/,/^\.SH TABLE/p' "$SRC/doc/mlprof.1" | sed -n '/^\.TP/{n;p;}' |
    sed 's/^\.B[RI]* //; s/\\-/-/g; s/"//g; s/  */ /g; s/ *| */|/g; s/{ */{/; s/ *}/}/; s/ *{/ {/
         s/^-mlmon file/-mlmon <file>/; s/^-thresh x/-thresh <x>/
         s/^-\(call-graph\|flame\|folded\|gcov\) file/-\1 <file>/; s/^-\(arcs\|callees\|callers\|list\|unprofile\) re/-\1 <re>/
         s/^-graph-title string/-graph-title <string>/' >manual
same manual options

# Completion offers each, and the words of each that takes true or false.
cat >complete.bash <<'END'
. "$SRC/mlprof/mlprof.bash-completion"
complete -p mlprof >registered
completions() {
    COMP_WORDS=(mlprof "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _mlprof
    printf '%s\n' "${COMPREPLY[@]}"
}
completions - >completed
while read -r option argument; do
    case $argument in
    *true*)
        [ "$(completions "$option" '')" = $'false\ntrue' ] || echo "$option: no words"
        [ "$(completions "$option" t)" = true ] || echo "$option: not true"
        ;;
    *)
        [ "$(completions "$option" t)" != true ] || echo "$option: true"
        ;;
    esac
done <options
touch data.out
[ "$(completions prog data)" = data.out ] || echo no file
[ "$(completions -sort '')" = $'cur\nstack' ] || echo no columns
[ "$(completions --sho)" = $'--show-extern\n--show-line' ] || echo no two dashes
[ "$(completions --raw t)" = true ] || echo no word behind two dashes
END
need bash
run 0 bash complete.bash
same out /dev/null
same err /dev/null
has registered ' _mlprof mlprof$'
sed 's/ .*//' options >names
same completed names

# Bad usage: what is wrong, and where the help is, on stderr.
misused() {
    misused_want="mlprof: $1"
    shift
    run 1 "$MLPROF" "$@"
    same out /dev/null
    printf '%s\n' "$misused_want" 'mlprof -help prints the options' >want
    same err want
}
misused 'no executable is named'
misused 'no executable is named' -raw true
misused 'option -raw takes true or false, not: maybe' -raw maybe prog
misused 'option -raw takes true or false, not: ' -raw '' prog
misused 'option -tolerant needs an argument: {false|true}' -tolerant
misused 'option -mlmon needs an argument: <file>' -mlmon
misused 'option -list takes a regular expression, not: a(b (Unmatched ( or \()' -list 'a(b' prog
misused 'option -callers needs an argument: <re>' -callers
misused 'option -sort takes cur or stack, not: name' -sort name prog
misused 'unknown option: -rawr' -rawr true prog
misused 'unknown option: -' - prog
misused 'option -raw comes too late: options stand before the executable' prog mlmon.out -raw true
misused 'option --help comes too late: options stand before the executable' prog --help
misused 'unknown option: ---raw' ---raw true prog
for word in -1 100.01 1e3 x 5x '' nan inf ' 5'; do
    misused "option -thresh takes a number from 0 to 100, not: $word" -thresh "$word" prog
done

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -help, the manual page and the shell's completion know the same options; bad usage.

. "$SRC/testsuite/mlprof.sh"

run 0 "$MLPROF" -help
same err /dev/null
cp out help
run 0 "$MLPROF" --help
same out help
run 0 "$MLPROF" -raw true -version
has out '^mlprof (ccprof) [0-9][0-9.]*$'

# `-option argument' of each, in the order of -help, whose lines fit into a terminal; and the headings of
# the groups, behind an empty line each.
sed -n 's/^  \(-[a-z-]*\( [{<][^ ]*\)\{0,1\}\)\(  .*\)\{0,1\}$/\1/p' help >options
sort options | uniq -d >twice
same twice /dev/null
awk '/^[A-Za-z]/ && empty && !/^mlprof -/ { print "==", $0 } { empty = /^$/ } /^  -/' help |
    sed 's/^  \(-[a-z-]*\( [{<][^ ]*\)\{0,1\}\)\(  .*\)\{0,1\}$/\1/' >grouped
[ "$(sed -n 1p grouped)" = '== Most used' ] || fail "the first group is $(sed -n 1p grouped)"
[ "$(sed 1d grouped | grep -n -m 1 '^==')" = '11:== The table' ] || fail 'the ten most used are not first'
sed '/^==/d' grouped >got
same got options
sed -n 's/^== //p' grouped >headings
[ "$(wc -l <headings)" -eq 12 ] || fail "groups: $(cat headings)"
grep -v -x -F -f headings help | grep -v -E '^  -[a-z-]+( [{<][^ ]*)?$|^  -[a-z-]+( [{<][^ ]*)?  +[^ ].*|^ {30}[^ ].*|^$' >got || :
holds got <<'END'
usage: mlprof [option ...] [a.out] [mlmon.out|folder ...]
       mlprof [option ...] [a.out] OLD ... -compare [b.out] NEW ...
       mlprof -where FILE [ADDRESS ...]
mlprof -OPTION -help tells more of one option
END
awk 'length > 79' help >long
same long /dev/null

# The manual page describes each, with its argument, and no other, under the same headings in the same order.
sed -n '/^\.SH OPTIONS/,/^\.SH TABLE/p' "$SRC/doc/mlprof.1" | sed -n '/^\.SS/p; /^\.TP/{n;p;}' |
    sed '/^\.SS/{s/^\.SS /== /; s/"//g; b
         }
         s/\\-/-/g; s/^\.BI \(-[a-z-]*\) "* *\([^"]*\)"*$/\1 <\2>/; s/^\.B[RI]* //; s/"//g; s/  */ /g
         s/ *| */|/g; s/{ */{/; s/ *}/}/; s/ *{/ {/' >manual
same manual grouped

# Behind or before an option -help tells of this one: its line in the list, and then more.
while read -r option argument; do
    run 0 "$MLPROF" "$option" -help
    same err /dev/null
    head -n 1 out >got
    echo "$option${argument:+ $argument}" | holds got
    [ "$(wc -l <out)" -ge 2 ] || fail "$option -help says nothing"
    awk 'length > 79' out >long
    same long /dev/null
    cp out one
    case $argument in
    '{'*)
        argument=${argument#?}
        echo "    default: ${argument%%|*}" >want
        case $option in
        -allocs | -imbalance) ;;
        *) grep "^    default: " out | cmp -s - want || fail "$option: no default" ;;
        esac
        ;;
    esac
    [ "$option" = -help ] || run 0 "$MLPROF" -help "$option"
    [ "$option" = -help ] || same out one
    run 0 "$MLPROF" -help="${option#-}"
    same out one
done <options
run 0 "$MLPROF" -sort -help
holds out <<'END'
-sort {cur|stack|calls|percall|bytes|blocks|insns|code|change|name}
    order tables by this column
    The greatest first; name: from A to Z. calls: executed or iterations, and
    percall: their time, where these are the columns. insns and code: of -by
    copy. change: of -compare. Of -regions stack is total, percall is mean. A
    table that has no such column keeps its own order: by cur, -arcs by line,
    -imbalance by lost, -compare by what is certain.
    default: cur
    not with: formula
    has an effect on: table by allocs arcs callees callers compare imbalance
        parallel peek regions
END
run 0 "$MLPROF" --raw true prog --where --help
holds out <<'END'
-where
    tell what is at addresses of an executable
    mlprof -where FILE ADDRESS ...; without addresses they are read from
    standard input.
    goes by: artificial layout long-name unprofile
END
# With something between them it is the list.
run 0 "$MLPROF" -where prog -help
same out help

# Completion offers each, and the words of each that takes words.
cat >complete.bash <<'END'
. "$SRC/mlprof/mlprof.bash-completion"
complete -p mlprof >registered
completions() {
    COMP_WORDS=(mlprof "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _mlprof "$MLPROF"
    printf '%s\n' "${COMPREPLY[@]}"
}
completions - >completed
touch data.out
mkdir data.folder
while read -r option argument; do
    case $argument in
    '{'*)
        tr -d '{}' <<<"$argument" | tr '|' '\n' >words
        [ "$(completions "$option" '')" = "$(cat words)" ] || echo "$option: not its words"
        word=$(head -n 1 words)
        part=${word%?}
        part=${part:-$word}
        [ "$(completions "$option" "$part")" = "$word" ] || echo "$option: not $word"
        [ "$(completions "$option" = "$part")" = "$word" ] || echo "$option=: not $word"
        [ "$(completions "-$option" =)" = "$(cat words)" ] || echo "-$option=: not its words"
        ;;
    '' | '<file>') [ "$(completions "$option" data.o)" = data.out ] || echo "$option: no file" ;;
    '<dir>') [ "$(completions "$option" data)" = data.folder ] || echo "$option: no folder" ;;
    *) [ "$(completions "$option" data.o)" = '' ] || echo "$option: a file" ;;
    esac
done <options
[ "$(completions prog data.o)" = data.out ] || echo no file
[ "$(completions prog --sho)" = $'--show-extern\n--show-line' ] || echo no two dashes
[ "$(completions -raw true -sor)" = -sort ] || echo not behind a word
END
need bash
export MLPROF
run 0 bash complete.bash
same out /dev/null
same err /dev/null
has registered ' _mlprof mlprof$'
sed 's/ .*//' options >names
same completed names

# One option in all its forms, before, between and behind the files.
example prog
data good 1 0 "$PWD/prog" -- "0 0 $(at prog 0) 1"
run 0 "$MLPROF" -raw true prog good
cp out raw
has raw ' 0\.01  main$'
for form in '-raw=true prog good' '--raw=true prog good' '--raw true prog good' 'prog -raw true good' \
    'prog good -raw true' 'prog good --raw=true' '-raw false prog good -raw true' '-raw true -- prog good' \
    'prog -raw true -- good'; do
    # shellcheck disable=SC2086
    run 0 "$MLPROF" $form
    same out raw
    same err /dev/null
done
# What stands behind the first = is the argument, whatever it is; -- makes a file of anything.
run 1 "$MLPROF" prog good -list=main=x
has err '^mlprof: -list main=x: no function that was measured matches$'
cp good ./-raw
run 0 "$MLPROF" -raw true -- prog -raw
same out raw

# Bad usage: what is wrong, and where the help is, on stderr.
misused() {
    misused_want="mlprof: $1"
    shift
    run 1 "$MLPROF" "$@"
    same out /dev/null
    printf '%s\n' "$misused_want" 'mlprof -help prints the options' >want
    same err want
}
misused 'no executable is named' -where
misused 'option -raw takes true or false, not: maybe' -raw maybe prog
misused 'option -raw takes true or false, not: ' -raw '' prog
misused 'option -tolerant needs an argument: {false|true}' -tolerant
misused 'option -mlmon needs an argument: <file>' -mlmon
misused 'option -list takes a regular expression, not: a(b (Unmatched ( or \()' -list 'a(b' prog
misused 'option -callers needs an argument: <re>' -callers
misused 'option -sort takes cur, stack, calls, percall, bytes, blocks, insns, code, change or name, not: size' -sort size prog
misused 'unknown option: -rawr; did you mean -raw?' -rawr true prog
misused 'unknown option: -' - prog
misused 'unknown option: -rawl; did you mean -raw?' prog mlmon.out -rawl true
misused 'unknown option: --flaem; did you mean -flame?' --flaem=x prog
misused 'unknown option: -show-l; did you mean -show-line?' -show-l true prog
misused 'unknown option: -grief' -grief prog
misused 'option -prof takes no argument, not: true' -prof=true prog
misused 'option -where takes no argument, not: ' --where= prog
misused '-help: there is no option -no' -help=no
misused 'unknown option: ---raw; did you mean -raw?' ---raw true prog
for word in -1 100.01 1e3 x 5x '' nan inf ' 5'; do
    misused "option -thresh takes a number from 0 to 100, not: $word" -thresh "$word" prog
done
for word in 0 1.5 1e10; do
    misused "option -top takes a whole number from 1 to 1000000000, not: $word" -top "$word" prog
done

# Options that contradict each other, whatever their order.
misused 'options -list and -where cannot be given together' -list main -where prog
misused 'options -change and -formula cannot be given together' prog one -compare two -change share -formula a
misused 'options -keep and -thresh cannot be given together' prog -thresh 1 -keep all
# What would do nothing (mlprof-effects).
misused 'option -raw has no effect with -where' prog -where -raw=false
misused 'option -sort has no effect with -prof' prog -sort=stack -prof
misused 'option -sort has no effect with -list' prog -sort=stack -list main
misused 'option -list has no effect with -flame' prog -list main -flame -
misused 'option -peek has no effect with -csv' prog -peek main -csv -
misused 'option -split has no effect with -by' prog -split main -by file
misused 'option -source-dir needs -firefox, -html, -list or -open' prog -source-dir x
misused 'option -gray needs -call-graph' -gray true prog -flame x
misused 'option -graph-title needs -call-graph, -firefox, -flame, -html, -open or -speedscope' prog -graph-title x
misused 'option -gcov-version needs -gcov' -gcov-version 2 prog
misused 'option -library needs -allocs path' prog -library x
misused 'option -library needs -allocs path' prog -library x -allocs site
misused 'option -size needs -compare or -growth' prog -size 10 one
# What selects functions selects them in all that is asked for.
misused 'option -keep has no effect with -folded' prog -keep all -folded x
misused 'option -keep has no effect with -by' prog -keep all -by line
misused 'option -keep has no effect with -callers and -list' prog -keep all -list main -callers main -call-graph x
misused 'option -focus has no effect with -lcov' prog -focus main -lcov x -json y
misused 'option -unprofile has no effect with -cobertura' prog -unprofile main -cobertura x
# What a page does not go by; what it goes by mlprof-effects tries.
for words in '-allocs site' '-arcs .' '-balance false' '-callees .' '-callers .' '-keep all' '-list .' \
    '-peek .' '-prof' '-raw true' '-show-line true' '-sort name' '-thresh 3' '-top 3'; do
    # shellcheck disable=SC2086
    misused "option ${words%% *} has no effect with -html" $words prog -html -
    case $words in
    # The table, which is printed beside a file, has these, and they are no pages' either.
    -keep*)
        misused "option -keep has no effect with -open" -keep all prog -open
        misused "option -keep has no effect with -compare" -keep all prog one -compare two -html x
        ;;
    esac
done
for option in -gate -gate-write; do
    misused "options $option and -html cannot be given together" $option x prog -html y
    misused "options $option and -open cannot be given together" $option x prog -open
done
misused 'options -html and -where cannot be given together' -html x -where prog
misused 'options -open and -where cannot be given together' -open -where prog
misused 'option -split has no effect with -compare' prog one -compare two -split main -html x
misused 'option -by has no effect with -growth' prog -growth -size 1 one -size 2 two -by line -html x
misused 'option -source-dir needs -firefox, -html, -list or -open' prog one -compare two -source-dir x -csv y
misused 'options -flame and -gcov name the same file: x' -gcov x prog -flame x
# What was meant to be read is not written over.
cp prog prog.before
misused 'option -json takes the file to be written, and prog is an executable; remove it first if that is meant' \
    -json prog mlmon.out
echo 'ccprof mlmon 1' >data
for option in -pprof -flame -call-graph -gate-write; do
    misused "option $option takes the file to be written, and data is a data file; remove it first if that is meant" \
        prog $option data
done
cmp prog prog.before
echo 'ccprof mlmon 1' | cmp - data
run 0 "$MLPROF" -where -long-name false -unprofile sq -artificial true prog "$(at prog 4)"

# -open shows the page with what $BROWSER names, without a shell, or with xdg-open.
cat >browser <<'END'
#!/bin/sh
for word; do
    echo "$word"
done >browsed
grep -c '^<!DOCTYPE html>' "$PAGE" >>browsed
END
chmod +x browser
mkdir none folder
: >prog.c
data open.out 100 0 "$PWD/prog" -- "0 0 $(at prog 4) 40" "0 0 $(at prog 0) 60"
# opened WORD...: what the browser was given.
opened() {
    for word; do
        echo "$word"
    done | holds browsed
    rm browsed
}
export PAGE="$PWD/the page; \$HOME.html" BROWSER="$PWD/lost:$PWD/browser -new  %s \$(x)"
run 0 "$MLPROF" -open -html "$PAGE" prog open.out
has out '  sq$'
opened -new "$PAGE" "\$(x)" 1
BROWSER=$PWD/browser run 0 "$MLPROF" -open -html "$PAGE" prog open.out -compare open.out
opened "$PAGE" 1
# Without -html it is in a new file, which only its owner can read.
for PAGE in '' "$PWD/folder"; do
    cat >browser <<'END'
#!/bin/sh
stat -c %a "$1" >browsed
echo "${1%/*}" >>browsed
END
    TMPDIR=$PAGE BROWSER=$PWD/browser run 0 "$MLPROF" -open prog open.out -balance false
    opened 600 "${PAGE:-/tmp}"
done
ls folder >got
[ "$(wc -l <got)" -eq 1 ] || fail "not one page: $(cat got)"
rm folder/*
# Nothing shows it, or it is not written.
printf '%s\n' '#!/bin/sh' 'exit 1' >browser
for BROWSER in '' ':' "$PWD/browser" "$PWD/lost"; do
    PATH=$PWD/none run 1 "$MLPROF" -open -html x.html prog open.out
    grep -v "^mlprof: $PWD/prog\.c: empty; " err >got
    echo "mlprof: $PWD/x.html: the page is there, but neither \$BROWSER nor xdg-open shows it" | holds got
done
TMPDIR=$PWD/folder refused 'lost.out: No such file or directory' "$MLPROF" -open prog lost.out
ls folder >got
same got /dev/null
TMPDIR=$PWD/lost run 1 "$MLPROF" -open prog open.out
has err "^mlprof: $PWD/lost/mlprof-.*\.html: No such file or directory$"
refused '-open: the page is standard output: name a file behind -html' "$MLPROF" -open -html - prog open.out
refused '-open: browsers do not show a page that is compressed: x.gz' "$MLPROF" -open -html x.gz prog open.out

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the kinds that people leave on cost, next to gcov, on programs of many small
# functions: as executables and as shared objects with a main around them, the work done by
# one thread and by eight.  FORMS: only some of executable-1, executable-8, shared-1 and
# shared-8.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

k=-fplugin-arg-ccprof
programs="sat json compiler"

# build PROGRAM SHARED FOLDER OPTION...
build() {
    program=$1 shared=$2 into=$3
    shift 3
    [ ! -x "$into/prog" ] || return 0
    mkdir -p "$into"
    set -- -O2 "$@" "$bench/units.c" "$bench/$program"*.c*
    if [ "$shared" = shared ]; then
        (cd "$into" && "$CC" -fPIC -shared -Dmain=program "$@" -o libprog.so -lstdc++ -lpthread &&
            "$CC" -O2 "$forms/main.c" -o prog -L. -lprog -Wl,-rpath,"$into")
    else
        (cd "$into" && "$CC" "$@" -o prog -lstdc++ -lpthread)
    fi
}

# contender NAME FOLDER OPTION...
contender() {
    name=$1 folder=$forms/$program-$shared/$2
    shift 2
    build "$program" "$shared" "$folder" "$@"
    list="$list '$name' 'cd $folder && exec ./prog $threads'"
}

# one PROGRAM SHARED THREADS: appends a line for each contender.
one() {
    program=$1 shared=$2 threads=$3
    list=
    contender "plain" plain
    contender "plain, once more" plain
    contender "time" time "$plugin"
    contender "time-field" field "$plugin" $k-profile=time-field
    contender "count" count "$plugin" $k-profile=count
    contender "count, blocks" blocks "$plugin" $k-profile=count $k-blocks
    contender "gcov" gcov -fprofile-arcs
    contender "gcov atomic" atomic -fprofile-arcs -fprofile-update=atomic
    eval "\"$work/ratio\" \"$ROUNDS\" $list" | sed "s/^/$program	/"
    for folder in time field count blocks; do
        [ -s "$forms/$program-$shared/$folder/mlmon.out" ] ||
            echo "ccprof: $program, $folder: the program left no mlmon.out" >&2
    done
}

# table: a row for each contender, a column for each program.
table() {
    awk -F '\t' '
        !($1 in is_program) { is_program[$1]; programs[++width] = $1 }
        !($2 in is_contender) { is_contender[$2]; contenders[++height] = $2 }
        { ratio[$2, $1] = $4 }
        $2 == "plain" { seconds[$1] = $3 }
        END {
            printf "%-24s", ""
            for (j = 1; j <= width; j++)
                printf " %9s", programs[j]
            printf " %9s\n%-24s", "mean", "plain, CPU s"
            for (j = 1; j <= width; j++)
                printf " %9.3f", seconds[programs[j]]
            printf "\n"
            for (i = 2; i <= height; i++) {
                printf "%-24s", contenders[i]
                sum = 0
                for (j = 1; j <= width; j++) {
                    printf " %9.3f", ratio[contenders[i], programs[j]]
                    sum += log(ratio[contenders[i], programs[j]])
                }
                printf " %9.3f\n", exp(sum / width)
            }
        }' "$1"
}

forms=$work/forms
rm -rf "$forms"
mkdir -p "$forms"
cat >"$forms/main.c" <<'END'
int program(int argc, char **argv);
int main(int argc, char **argv)
{
    return program(argc, argv);
}
END

echo "Aims: count and blocks not more than gcov on each program; count 1.03."
for form in ${FORMS:-executable-1 executable-8 shared-1 shared-8}; do
    case $form in
    executable-[18] | shared-[18]) ;;
    *)
        echo "kinds-forms: FORMS: executable-1, executable-8, shared-1 or shared-8, not $form" >&2
        exit 2
        ;;
    esac
    threads=${form#*-}
    title "kinds: ${form%-*}, threads: $threads, $ROUNDS rounds, ratio to plain"
    for program in $programs; do
        one "$program" "${form%-*}" "$threads"
    done >"$forms/$form"
    table "$forms/$form"
done

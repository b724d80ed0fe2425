#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles GCC's own test programs with and without the plugin and compares the
# objects (objdiff.c). A program that does not compile without the plugin is not
# counted; one that does not compile only with it, or crashes the compiler, is a crash;
# other words on standard error are a difference.
#
# Environment: O CC CXX FC PLUGIN JOBS as for the tests; OBJDIFF, the comparer;
#   SAMPLE=N  every Nth program only
#   CHOSEN    a file with lines `PROGRAM LEVEL': these, and not all of SETS at all LEVELS
#   LONGEST=N  seconds of CPU time: a program that takes longer without the plugin is not counted
#   SETS      folders of the test suite, below
#   LEVELS    options, one level a word, commas within one ("-O2 -O2,-g")
#   ARGUMENTS  of the plugin (-fplugin-arg-ccprof-branch): with none the kind is time
#   GCC_TESTSUITE  an unpacked gcc/testsuite, instead of the one from gcc-N-source
# The last line is `N compilations compared, N differences, N crashes`.

set -u
export LC_ALL=C SOURCE_DATE_EPOCH=1
: "${O:?}" "${CC:?}" "${CXX:?}" "${FC:?}" "${PLUGIN:?}" "${OBJDIFF:?}"
: "${JOBS:=1}" "${SAMPLE:=1}" "${LONGEST:=120}" "${LEVELS:=-O0 -O2 -O3 -O2,-g}"
ALL="gcc.c-torture/execute gcc.c-torture/compile g++.dg/eh g++.dg/opt g++.dg/torture \
gfortran.dg gnat.dg gcc.dg/gomp g++.dg/gomp g++.dg/coroutines"
: "${SETS:=$ALL}" "${ARGUMENTS:=}" "${CHOSEN:=}"
: "${GCC_TESTSUITE:=$O/gcc-testsuite}"
# -fplugin is part of the producer that -g records. Some names are random.
COMMON="-gno-record-gcc-switches -frandom-seed=1"
work=$O/same-code
export GCC_TESTSUITE LEVELS JOBS ARGUMENTS LONGEST

die() {
    echo "same-code: $*" >&2
    exit 2
}

# unpack: GCC's tests from Debian's source package into $GCC_TESTSUITE.
unpack() {
    major=$("$CC" -dumpversion)
    major=${major%%.*}
    for archive in "/usr/src/gcc-$major/gcc-$major".*.tar.xz; do
        [ -f "$archive" ] || die "the package gcc-$major-source is not installed"
        part=$GCC_TESTSUITE.$$
        rm -rf "$part"
        mkdir -p "$part"
        # shellcheck disable=SC2046
        tar -xJf "$archive" -C "$part" --strip-components=3 --wildcards \
            $(for set in $ALL; do echo "*/gcc/testsuite/$set"; done) ||
            die "cannot unpack $archive"
        mv "$part" "$GCC_TESTSUITE"
        return
    done
}

# programs SET: its programs, one a line.
programs() {
    (cd "$GCC_TESTSUITE" && find "$1" -maxdepth 1 -type f | sort | grep -E \
        '\.(c|C|cc|f|F|f90|F90|f95|f03|f08|adb|ads)$') >"$work/found"
    # Fortran programs that print the options they were compiled with, or the time of the day:
    # gfortran's preprocessor does not ask SOURCE_DATE_EPOCH.
    (cd "$GCC_TESTSUITE" && xargs -r grep -Li 'compiler_options *()\|__TIME__' <"$work/found") |
        # A specification is compiled with its body.
        awk -v found="$work/found" '
            BEGIN { while ((getline line <found) > 0) all[line] = 1 }
            { body = $0 }
            !sub(/\.ads$/, ".adb", body) || !(body in all)'
}

# options FILE: prints its dg-options without those that select the level, debug information, dumps,
# or the form of the output.
options() {
    case $1 in
    */gomp/*) printf '%s ' -fopenmp ;;
    */coroutines/*) printf '%s ' -std=c++20 -fcoroutines ;;
    esac
    awk '
        /dg-do .*target c\+\+(20|2a)/ { print "-std=gnu++20" }
        /dg-do .*target c\+\+23/ { print "-std=gnu++23" }
        /dg-(additional-)?options *"[^"]*" *}/ {
            sub(/.*dg-(additional-)?options *"/, ""); sub(/".*/, "")
            n = split($0, word, " ")
            for (i = 1; i <= n; i++) {
                w = word[i]
                if (w ~ /^-(O|g[0-9]*$|ggdb|gdwarf|gstabs|gsplit|gno-|f?dump|d|flto|fno-lto|ffat|fplugin|fcompare-debug|frecord|fopt-info|fsyntax|save|ftime|fmem|ftest-cov|-cov|S$|E$|M|v$|H$|Q$|o)/)
                    continue
                if (w ~ /^-(fprofile|fauto-profile|-coverage|foffload|fchecking)/ || w ~ /[^-+=.,:_\/A-Za-z0-9]/)
                    continue
                print w
            }
        }' "$GCC_TESTSUITE/$1" | tr '\n' ' '
}

# record RESULT FILE LEVEL DETAIL: one line, short enough to be appended whole.
record() {
    printf '%s\t%s\t%s\t%s\t%.300s\n' "$1" "${2%/*}" "$3" "$2" "${4-}" >>"$work/results"
    case $1 in
    differs | crash) printf '%s %s: %.300s\n' "$2" "$3" "$4" ;;
    esac
}

# compile SECONDS COMPILER OPTIONS...: into $object and messages; not for ever, and by its own time as long as it goes
# on, since the machine may be busy.
compile() {
    rm -f "$object"
    longest=$1
    shift
    # A few programs want tens of gigabytes (gfortran.dg/string_1.f90).
    # shellcheck disable=SC3045
    (ulimit -v 6291456 && ulimit -t "$longest" &&
        exec timeout -k 5 1200 "$@" -c "$GCC_TESTSUITE/$file" -o "$object") >messages 2>&1 &&
        [ -f "$object" ]
}

# compare FILE LEVEL: in the present folder.
compare() {
    file=$1 level=$2
    object=${file##*/}
    object=${object%.*}.o
    case $file in
    *.C | *.cc) compiler=$CXX ;;
    *.f* | *.F*) compiler=$FC ;;
    *) compiler=$CC ;;
    esac
    flags="$(options "$file") $COMMON $(echo "$level" | tr , ' ')"
    # Options are to be split.
    # shellcheck disable=SC2086
    if ! compile "$LONGEST" $compiler $flags; then
        record uncounted "$file" "$level"
        return
    fi
    mv "$object" plain
    mv messages plain-messages
    # shellcheck disable=SC2086
    if ! compile 600 $compiler $flags "-fplugin=$PLUGIN" $ARGUMENTS; then
        record crash "$file" "$level" \
            "$(grep -m 1 -E 'internal compiler error|rror' messages || echo 'no object, no error message')"
        return
    fi
    differences=$("$OBJDIFF" plain "$object" 2>&1 | tr '\n' ';')
    if ! cmp -s plain-messages messages; then
        differences="$differences other messages: $(diff plain-messages messages | sed -n 's/^[<>] //p' | head -n 1);"
    fi
    tables=
    if grep -q '\.ccprof\.code' "$object"; then
        tables=tables
    fi
    if [ -n "$differences" ]; then
        record differs "$file" "$level" "${differences%;}"
    else
        record same "$file" "$level" "$tables"
    fi
}

if [ "${1-}" = --some ]; then
    shift
    folder=$work/$$
    mkdir -p "$folder"
    cd "$folder" || exit 2
    while [ $# -gt 0 ]; do
        compare "$1" "$2"
        shift 2
        rm -rf "${folder:?}"/*
    done
    cd / && rm -rf "$folder"
    exit 0
fi

[ -d "$GCC_TESTSUITE" ] || unpack
[ -x "$OBJDIFF" ] || die "$OBJDIFF: no such program"
rm -rf "$work"
mkdir -p "$work"
: >"$work/results"
if [ -n "$CHOSEN" ]; then
    cat "$CHOSEN"
else
    for set in $SETS; do
        programs "$set"
    done | awk -v n="$SAMPLE" -v levels="$LEVELS" '
        NR % n == 0 { for (i = 1; i <= split(levels, level, " "); i++) print $0, level[i] }'
fi >"$work/programs"
xargs -n 40 -P "$JOBS" "$0" --some <"$work/programs" || die "cannot run everything"
awk -F '\t' -v sets="$SETS" '
    { n[$2, $1]++; all[$1]++ }
    $5 == "tables" { tables++ }
    END {
        printf "%-24s%10s%10s%10s%14s\n", "", "the same", "different", "crashes", "do not count"
        for (s = 1; s <= split(sets, set, " "); s++)
            printf "%-24s%10d%10d%10d%14d\n", set[s], n[set[s], "same"], n[set[s], "differs"], n[set[s], "crash"],
                n[set[s], "uncounted"]
        printf "%d of the objects hold tables of ccprof\n", tables
        printf "%d compilations compared, %d differences, %d crashes\n", all["same"] + all["differs"] + all["crash"],
            all["differs"], all["crash"]
        exit all["differs"] + all["crash"] > 0 || tables == 0
    }' "$work/results"

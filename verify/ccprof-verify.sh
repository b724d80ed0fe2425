#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ccprof-verify: builds a user's program without the plugin and with it, and compares the
# objects (objdiff.c); see ccprof-verify(1). verify.mk puts the words between two @ in.
#
# The build finds this script under the names of the compilers, in a folder that stands first
# in PATH. As a compiler it calls the true one, and keeps a copy of each object.

set -u
export LC_ALL=C
PLUGIN='@PLUGIN@'
OBJDIFF='@OBJDIFF@'
VERSION='@VERSION@'

die() {
    echo "ccprof-verify: $*" >&2
    exit 2
}

# As a compiler. From the environment: CCPROF_VERIFY_BUILD, the folder of this build; CCPROF_VERIFY_PATH, the user's PATH;
# CCPROF_VERIFY_FLAGS, what loads the plugin, nothing in a build without it.

# keep FILE NAME: a copy of an object that was made, by the path where the build wanted it.
keep() {
    [ -f "$1" ] || return 0
    case $2 in
    /*) kept=$2 ;;
    *) kept=$PWD/$2 ;;
    esac
    copy=$CCPROF_VERIFY_BUILD/objects$kept number=
    mkdir -p -- "${copy%/*}"
    # Of an object that is made again each one is kept.
    while [ -e "$copy$number" ]; do
        number=$((${number:-1} + 1))
    done
    cp -- "$1" "$copy$number"
}

is_source() {
    case $1 in
    *.c | *.cc | *.cp | *.cxx | *.cpp | *.CPP | *.c++ | *.C | *.i | *.ii | *.adb | *.ads) return 0 ;;
    *.f | *.for | *.ftn | *.F | *.FOR | *.fpp | *.FPP | *.FTN) return 0 ;;
    *.f90 | *.f95 | *.f03 | *.f08 | *.F90 | *.F95 | *.F03 | *.F08 | *.s | *.S) return 0 ;;
    esac
    return 1
}

# is_own WORD: with it the build itself loads the plugin, or tells it something.
is_own() {
    case $1 in
    -fplugin=ccprof | -fplugin=*ccprof.so | -fplugin-arg-ccprof-*) return 0 ;;
    esac
    return 1
}

# what_it_does WORD...: sets does (query, compile, header or link), output and sources; in own,
# whether the build loads the plugin itself.
what_it_does() {
    does=link output='' own='' before=''
    : >"$call/sources"
    for word; do
        case $before in
        -o) output=$word ;;
        -x | -MF | -MT | -MQ | -include | -I | -isystem | -D | -U | -L) ;;
        *) ! is_source "$word" || printf '%s\n' "$word" >>"$call/sources" ;;
        esac
        case $word in
        -c) [ $does = query ] || does=compile ;;
        -S) [ $does = query ] || does=assembly ;;
        -E | -M | -MM | -fsyntax-only | --version | --help* | --target-help | -print-* | '-###' | \
            -dumpversion | -dumpfullversion | -dumpmachine | -dumpspecs) does=query ;;
        -fplugin=*ccprof | -fplugin=*ccprof.so) own=yes ;;
        -o?*) output=${word#-o} ;;
        *.h | *.hh | *.hpp | *.hxx | *.H) [ "$before" = -include ] || [ $does != link ] || does=header ;;
        esac
        before=$word
    done
}

# compiler NAME WORD...
compiler() {
    name=$1
    shift
    PATH=$CCPROF_VERIFY_PATH
    export PATH
    call=$(mktemp -d "$CCPROF_VERIFY_BUILD/call.XXXXXX") || exit 2
    # The words of a file, @FILE, in its place.
    for word; do
        shift
        case $word in
        @?*)
            if [ -f "${word#@}" ]; then
                xargs -r printf '%s\n' <"${word#@}" >"$call/words"
                while IFS= read -r word; do
                    set -- "$@" "$word"
                done <"$call/words"
                continue
            fi
            ;;
        esac
        set -- "$@" "$word"
    done
    what_it_does "$@"
    if [ $does = query ]; then
        rm -rf "$call"
        exec "$name" "$@"
    fi
    flags=$CCPROF_VERIFY_FLAGS
    [ -z "$own" ] || [ -z "$flags" ] || flags=own
    # Without the plugin what the build itself says of it is left out.
    if [ -z "$flags" ]; then
        for word; do
            shift
            is_own "$word" || set -- "$@" "$word"
        done
    fi
    [ "$flags" != own ] || flags=
    # What says where and how it was compiled is no part of the code; names that GCC draws by lot
    # are drawn alike.
    set -- "$@" "-frandom-seed=verify:$output$(head -n 1 "$call/sources")" -gno-record-gcc-switches \
        -fno-record-gcc-switches
    # A program is made in a folder of its own first, where GCC leaves the objects that it makes
    # on the way: of what it compiles, or of code in the form for -flto.
    temps=''
    if [ $does = link ]; then
        temps=-save-temps=obj
        program=${output:-a.out} before=''
        for word; do
            shift
            case $before:$word in
            -o:* | *:-o | *:"-o$output") ;;
            *) set -- "$@" "$word" ;;
            esac
            before=$word
        done
        set -- "$@" -o "$call/${program##*/}"
    fi
    # The flags hold no blanks.
    # shellcheck disable=SC2086
    "$name" $flags $temps "$@"
    status=$?
    # What goes through a preprocessed file has more warnings, which may be errors.
    if [ $status -ne 0 ] && [ -s "$call/sources" ] && [ "$temps" ]; then
        # shellcheck disable=SC2086
        "$name" $flags "$@" && "$name" $flags $temps "$@" -w
        status=$?
    fi
    if [ $status -eq 0 ] && [ $does = compile ]; then
        if [ -n "$output" ]; then
            keep "$output" "$output"
        else
            while read -r source; do
                source=${source##*/}
                keep "${source%.*}.o" "${source%.*}.o"
            done <"$call/sources"
        fi
    elif [ $status -eq 0 ] && [ $does = link ]; then
        # Of the code that -flto makes GCC leaves the assembly; .ltransN.o are its input.
        for text in "$call"/*.ltrans*.ltrans.s; do
            [ ! -f "$text" ] || "$name" -c "$text" -o "${text%.s}.o" || status=1
        done
        for object in "$call"/*.o; do
            case $object in
            *.ltrans*.ltrans.o) ;;
            "$call/${program##*/}" | *.ltrans*.o) continue ;;
            esac
            keep "$object" "$program:${object##*/}"
        done
        # Without anything to link nothing was made.
        if [ -f "$call/${program##*/}" ] && [ ! -c "$program" ]; then
            mv -f -- "$call/${program##*/}" "$program" || status=1
        fi
    fi
    rm -rf "$call"
    exit $status
}

if [ "${CCPROF_VERIFY_BUILD+set}" ]; then
    compiler "${0##*/}" "$@"
fi

usage() {
    cat <<'END'
usage: ccprof-verify [option ...] command [argument ...]
  -clean <command>       build in this folder, not in a copy, and run this before
  -help                  print this list
  -keep                  keep the objects and what the builds said
  -plugin <file>         the plugin, otherwise the one that was installed
  -plugin-arg <argument> an argument for the plugin, as profile=call
  -version               print the version
The command builds everything anew: make, or sh -c './configure && make'.
END
}

misused() {
    echo "ccprof-verify: $*" >&2
    echo 'ccprof-verify -help prints the options' >&2
    exit 2
}

clean='' kept='' arguments=''
while [ $# -gt 0 ]; do
    option=$1 value=''
    case $option in
    --) shift && break ;;
    --*) option=-${option#--} ;;
    -*) ;;
    *) break ;;
    esac
    shift
    case $option in
    -clean=* | -plugin=* | -plugin-arg=*)
        value=${option#*=}
        option=${option%%=*}
        ;;
    -clean | -plugin | -plugin-arg)
        [ $# -gt 0 ] || misused "option $option needs an argument"
        value=$1
        shift
        ;;
    esac
    case $option in
    -clean) clean=$value ;;
    -help) usage && exit 0 ;;
    -keep) kept=yes ;;
    -plugin) PLUGIN=$value ;;
    -plugin-arg)
        case $value in
        *[[:space:]]* | '') misused "no argument of the plugin: $value" ;;
        esac
        arguments="$arguments -fplugin-arg-ccprof-$value"
        ;;
    -version) echo "ccprof-verify (ccprof) $VERSION" && exit 0 ;;
    *) misused "unknown option: $option" ;;
    esac
done
[ $# -gt 0 ] || misused 'no command is named'
case $PLUGIN in
*/*)
    [ -f "$PLUGIN" ] || die "$PLUGIN: no such file"
    PLUGIN=$(cd "$(dirname -- "$PLUGIN")" && pwd)/${PLUGIN##*/}
    ;;
esac
case $PLUGIN in
*[[:space:]]*) die "$PLUGIN: the plugin's path holds a blank" ;;
esac
[ -x "$OBJDIFF" ] || die "$OBJDIFF: no such program"

CCPROF_VERIFY=$(mktemp -d "${TMPDIR:-/tmp}/ccprof-verify.XXXXXX") || exit 2
CCPROF_VERIFY=$(cd "$CCPROF_VERIFY" && pwd) || exit 2
finish() {
    status=$?
    trap - EXIT
    if [ -n "$kept" ]; then
        rm -rf "${CCPROF_VERIFY:?}/tree" "${CCPROF_VERIFY:?}/bin"
        echo "ccprof-verify: kept: $CCPROF_VERIFY"
    else
        rm -rf "$CCPROF_VERIFY"
    fi
    exit $status
}
trap finish EXIT
trap 'exit 2' HUP INT TERM
folder=$PWD
tree=$CCPROF_VERIFY/tree/${PWD##*/}
[ -z "$clean" ] || tree=$PWD

# Under each name that a compiler has in PATH, and those that the environment names.
mkdir "$CCPROF_VERIFY/bin"
cp -- "$0" "$CCPROF_VERIFY/compiler" || exit 2
chmod +x "$CCPROF_VERIFY/compiler"
IFS=:
for place in $PATH; do
    for file in "$place"/cc "$place"/c++ "$place"/gcc "$place"/g++ "$place"/gfortran "$place"/f95 \
        "$place"/gcc-[0-9]* "$place"/g++-[0-9]* "$place"/gfortran-[0-9]* "$place"/c[89]9 \
        "$place"/*-gcc "$place"/*-g++ "$place"/*-gfortran "$place"/*-gcc-[0-9]* \
        "$place"/*-g++-[0-9]* "$place"/*-gfortran-[0-9]* \
        "$place/${CC-}" "$place/${CXX-}" "$place/${FC-}"; do
        if [ -f "$file" ] && [ -x "$file" ]; then
            ln -sf ../compiler "$CCPROF_VERIFY/bin/${file##*/}"
        fi
    done
done
unset IFS

# build NAME WHAT FLAGS COMMAND...: builds into the folder NAME of this run.
build() {
    name=$1 what=$2 flags=$3
    shift 3
    echo "ccprof-verify: building $what"
    mkdir "$CCPROF_VERIFY/$name"
    if [ -z "$clean" ]; then
        rm -rf "$CCPROF_VERIFY/tree"
        mkdir "$CCPROF_VERIFY/tree"
        cp -a -- "$folder" "$tree" || die "$folder: it cannot be copied"
    elif ! sh -c "$clean" >"$CCPROF_VERIFY/$name/log" 2>&1; then
        tail -n 20 "$CCPROF_VERIFY/$name/log" >&2
        die "-clean $clean: it fails"
    fi
    # A cache would hand out what another build has made.
    if ! (cd "$tree" && exec env CCPROF_VERIFY_BUILD="$CCPROF_VERIFY/$name" CCPROF_VERIFY_FLAGS="$flags" \
        CCPROF_VERIFY_PATH="$PATH" PATH="$CCPROF_VERIFY/bin:$PATH" CCACHE_DISABLE=1 SCCACHE_RECACHE=1 \
        SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-1000000000}" "$@") \
        >>"$CCPROF_VERIFY/$name/log" 2>&1 </dev/null; then
        tail -n 20 "$CCPROF_VERIFY/$name/log" >&2
        die "the build fails $what: $*"
    fi
}

# objects NAME: what that build has made, but for the programs that are tried while a build is
# configured.
objects() {
    [ ! -d "$CCPROF_VERIFY/$1/objects" ] ||
        (cd "$CCPROF_VERIFY/$1/objects" && find . -type f) |
        grep -v -E '/(conftest[^/]*|CMakeFiles/(CMakeScratch|CMakeTmp|[0-9.]+)/.*|meson-private/.*)$' |
            sed 's/^\.//' | sort
}

# shown PATH: from the tree's folder on.
shown() {
    case $1 in
    "$tree"/*) echo "${1#"$tree"/}" ;;
    *) echo "$1" ;;
    esac
}

build plain 'without the plugin' '' "$@"
build profiled 'with the plugin' "-fplugin=$PLUGIN$arguments" "$@"
# unseen: the objects in the tree that GCC has made, but none of the compilers that were seen: those
# without tables that are no copies of other ones.
unseen() {
    find "$CCPROF_VERIFY/profiled/objects" -type f -exec cksum {} + 2>/dev/null |
        cut -d ' ' -f 1,2 >"$CCPROF_VERIFY/sums"
    find "$tree" -name '*.o' -type f -newer "$CCPROF_VERIFY/compiler" | grep -v /CMakeFiles/CMakeScratch/ | sort |
        while read -r object; do
            grep -q '\.ccprof\.unit' "$object" || ! grep -q 'GCC: (' "$object" ||
                grep -q -x "$(cksum <"$object")" "$CCPROF_VERIFY/sums" || printf '%s\n' "$object"
        done
}
unseen >"$CCPROF_VERIFY/others.list"
others=$(wc -l <"$CCPROF_VERIFY/others.list")
objects plain >"$CCPROF_VERIFY/plain.list"
objects profiled >"$CCPROF_VERIFY/profiled.list"
[ -s "$CCPROF_VERIFY/plain.list" ] ||
    die 'nothing was compiled: what is built already is to be removed first (-clean), and the compiler is to be called by its name, not by its path'

# differences FIRST SECOND PATH: of the object in two builds, on standard output.
differences() {
    "$OBJDIFF" "$CCPROF_VERIFY/$1/objects$3" "$CCPROF_VERIFY/$2/objects$3" 2>&1
}

compared=0 tables=0
comm -12 "$CCPROF_VERIFY/plain.list" "$CCPROF_VERIFY/profiled.list" >"$CCPROF_VERIFY/both.list"
: >"$CCPROF_VERIFY/differ.list"
while read -r object; do
    compared=$((compared + 1))
    ! grep -q '\.ccprof\.unit' "$CCPROF_VERIFY/profiled/objects$object" || tables=$((tables + 1))
    differences plain profiled "$object" >"$CCPROF_VERIFY/differences"
    case $? in
    0) ;;
    1) printf '%s\n' "$object" >>"$CCPROF_VERIFY/differ.list" ;;
    *) die "$(shown "$object"): $(cat "$CCPROF_VERIFY/differences")" ;;
    esac
done <"$CCPROF_VERIFY/both.list"
[ $tables -gt 0 ] || die "none of $compared objects was compiled with the plugin: it makes nothing of what was compiled"

# What is another in each build, whatever the plugin does: dates, paths, random numbers.
differ=0 itself=0 unknown=0 single=0
if [ -s "$CCPROF_VERIFY/differ.list" ]; then
    build again 'without the plugin once more: objects differ' '' "$@"
fi
# parts: the sections in which differences are.
parts() {
    sed 's/: .*//' | sort -u
}
while read -r object; do
    differences plain profiled "$object" >"$CCPROF_VERIFY/differences"
    : >"$CCPROF_VERIFY/anyway"
    [ ! -f "$CCPROF_VERIFY/again/objects$object" ] ||
        differences plain again "$object" >"$CCPROF_VERIFY/anyway"
    parts <"$CCPROF_VERIFY/anyway" >"$CCPROF_VERIFY/anyway.parts"
    parts <"$CCPROF_VERIFY/differences" | comm -23 - "$CCPROF_VERIFY/anyway.parts" >"$CCPROF_VERIFY/new"
    if [ -s "$CCPROF_VERIFY/new" ]; then
        differ=$((differ + 1))
        echo "$(shown "$object"): differs:"
        sed 's/^/    /' "$CCPROF_VERIFY/differences"
    elif grep -q '^\.\(text\|init\|fini\)' "$CCPROF_VERIFY/anyway.parts"; then
        unknown=$((unknown + 1))
        echo "$(shown "$object"): its code is another in each build, also without the plugin"
    else
        itself=$((itself + 1))
        echo "$(shown "$object"): the code is the same; another in each build, also without the plugin: $(tr '\n' ' ' <"$CCPROF_VERIFY/anyway.parts")"
    fi
done <"$CCPROF_VERIFY/differ.list"

# What was not compared.
comm -3 "$CCPROF_VERIFY/plain.list" "$CCPROF_VERIFY/profiled.list" | tr -d '\t' >"$CCPROF_VERIFY/one.list"
while read -r object; do
    echo "$(shown "$object"): made in one of the builds only"
    single=$((single + 1))
done <"$CCPROF_VERIFY/one.list"
[ "$others" -eq 0 ] ||
    echo "$(shown "$(head -n 1 "$CCPROF_VERIFY/others.list")"): made by a compiler that was not seen; of such objects there are $others"

# also NUMBER WORDS: unless it is none.
also() {
    [ "$1" -eq 0 ] || printf ', %s %s' "$1" "$2"
}
printf '%s objects compared: %s the same' $compared $((compared - differ - itself - unknown))
also $differ 'not'
also $itself 'the same but for what is another in each build'
also $unknown 'that are another in each build'
also $single 'more made in one build only'
printf '; %s hold tables of ccprof\n' $tables
[ $differ -eq 0 ] || exit 1
[ $((unknown + single + others)) -eq 0 ] || exit 3
echo 'The code is the same with the plugin and without it.'

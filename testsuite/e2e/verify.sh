#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ccprof-verify: small programs whose code the plugin leaves as it is, built in all ways; one whose
# code it changes; what is another in each build anyway; what cannot be built or compared.
. "$SRC/testsuite/lib.sh"

VERIFY=$O/ccprof-verify
# What the tests are built with is not what a user's program is.
unset MAKEFLAGS MAKELEVEL MFLAGS CFLAGS CXXFLAGS LDFLAGS
export TMPDIR="$PWD/tmp"
mkdir tmp
top=$PWD

# verify STATUS FOLDER OPTION...: of that folder. Nothing of the run is left, and the folder is
# as it was.
verify() {
    verify_status=$1 verify_folder=$2
    shift 2
    (cd "$verify_folder" && find . | sort) >before
    got=0
    (cd "$verify_folder" && "$VERIFY" "$@") >out 2>err || got=$?
    if [ "$got" -ne "$verify_status" ]; then
        sed 's/^/    /' out err >&2
        fail "exit status $got, not $verify_status: $*"
    fi
    (cd "$verify_folder" && find . | sort) >after
    same after before
    [ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
}

mkdir plain
cat >plain/main.c <<'END'
int printf(const char *, ...);
int twice(int);
int thrice(int);
/* The time of the day and the folder are the same in all builds.  */
int main(int argc, char **argv)
{
    (void)argv;
    printf("%d %s %s\n", twice(argc) + thrice(argc), __TIME__, __FILE__);
    return 0;
}
END
cat >plain/twice.cc <<'END'
template <class T> struct pair {
    T one, other;
    T sum() const
    {
        return one + other;
    }
};
extern "C" int twice(int x)
{
    return pair<int>{x, x}.sum();
}
END
cat >plain/thrice.c <<'END'
static int add(int x, int y)
{
    return x + y;
}
int thrice(int x)
{
    return add(add(x, x), x);
}
END
cat >plain/Makefile <<END
CC = $CC
CXX = $CXX
CFLAGS = -O2 -g
CXXFLAGS = -O2 -g
main: main.o twice.o thrice.o
	\$(CXX) \$^ -o \$@
one: thrice.c
	\$(CC) -O3 -shared -fPIC -MMD -MT \$@ -Xlinker -soname -Xlinker \$@ \$< -o \$@
lto:
	\$(CC) -O2 -flto -c main.c -o main.lto.o
	\$(CXX) -O2 -flto -c twice.cc -o twice.lto.o
	\$(CC) -O2 -flto -c thrice.c -o thrice.lto.o
	\$(CXX) -O2 -flto main.lto.o twice.lto.o thrice.lto.o -o lto && ./lto
count:
	\$(CC) -O2 -c main.c
	\$(CC) -O2 \$(COUNT) -c thrice.c
absolute:
	$(command -v "$CC") -O2 -c main.c
assembly:
	\$(CC) -O2 -S thrice.c && echo "-c 'thrice.s'" >words && \$(CC) @words
mixed: absolute assembly
	mv thrice.o renamed.o
fallen: fallen.c
	\$(CC) -O2 -Wextra -Werror fallen.c -o fallen
date:
	\$(CC) -O2 -c main.c
	\$(CC) -O2 -DSTAMP="\"\$\$(date +%N)\"" -c stamp.c
random:
	\$(CC) -O2 -DSTAMP="\"\$\$(date +%N)\"" -DTIMES=\$\$(date +1%N) -c stamp.c
temporary:
	\$(CC) -O2 -c main.c -o main.\$\$\$\$.o
END
cat >plain/fallen.c <<'END'
int main(int argc, char **argv)
{
    switch (argc) {
    case 1:
        argv++;
        /* fall through */
    default:
        return !argv;
    }
}
END
cat >plain/stamp.c <<'END'
#ifndef TIMES
#define TIMES 3
#endif
const char *stamp(void)
{
    return STAMP;
}
long times(long x)
{
    return x * TIMES;
}
END
same_code='The code is the same with the plugin and without it.'

verify 0 plain make -j2 main
has out '^3 objects compared: 3 the same; 3 hold tables of ccprof$'
has out "^$same_code"
same err /dev/null

echo 'In one step, with words that are the name of what is made; for -flto what is made at the link; by way'
echo 'of assembly, with the words in a file.'
verify 0 plain make one lto assembly
has out '^6 objects compared: 6 the same; [3-6] hold tables of ccprof$'

echo 'Warnings are errors, and a comment that says that one is not meant is no part of the preprocessed text.'
verify 0 plain make fallen
has out '^1 objects compared: 1 the same; 1 hold tables of ccprof$'
TMPDIR=../tmp verify 0 plain make one
has out "^$same_code"

echo 'Code that differs.'
verify 1 plain make count COUNT='-fplugin-arg-ccprof-profile=count'
has out '^thrice.o: differs:$'
has out '^    \.text: '
has out '^2 objects compared: 1 the same, 1 not; 2 hold tables of ccprof$'
hasnot out "$same_code"
hasnot out '^main.o: '
verify 1 plain -plugin-arg profile=count make one
has out '^1 objects compared: 0 the same, 1 not; '
sed 's/-O2 -flto/& -fplugin-arg-ccprof-profile=count/' plain/Makefile >plain/other.mk
verify 1 plain make -f other.mk lto
has out '^lto:lto\.ltrans0\.ltrans\.o: differs:$'
has out '^4 objects compared: 3 the same, 1 not; '
rm plain/other.mk

echo 'What is another in each build.'
verify 0 plain make date
has out '^stamp\.o: the code is the same; another in each build, also without the plugin: \.rodata'
has out '^2 objects compared: 1 the same, 1 the same but for what is another in each build; 2 hold'
has out "^$same_code"
verify 3 plain make random
has out '^stamp\.o: its code is another in each build, also without the plugin$'
has out '^1 objects compared: 0 the same, 1 that are another in each build; '
hasnot out "$same_code"
# Both at once: the difference is found all the same.
# shellcheck disable=SC2016
sed 's/-DSTAMP/$(COUNT) -DSTAMP/' plain/Makefile >plain/other.mk
verify 1 plain make -f other.mk date COUNT='-fplugin-arg-ccprof-profile=count'
has out '^stamp\.o: differs:$'
rm plain/other.mk
verify 2 plain make temporary
has err '^ccprof-verify: none of 0 objects was compiled with the plugin'

echo 'A build that has the plugin already.'
verify 0 plain make main CC="$CC -fplugin=$PLUGIN" CXX="$CXX -fplugin=$PLUGIN"
has out '^3 objects compared: 3 the same; 3 hold tables of ccprof$'

echo 'What cannot be compared.'
verify 2 plain make absolute
has err '^ccprof-verify: nothing was compiled: '
# An object that was renamed was compared.
verify 3 plain make mixed
has out '^main\.o: made by a compiler that was not seen; of such objects there are 1$'
has out '^1 objects compared: 1 the same; [01] hold tables of ccprof$'
hasnot out "$same_code"
verify 2 plain false
has err '^ccprof-verify: the build fails without the plugin: false$'
# shellcheck disable=SC2016
verify 2 plain make main CFLAGS='$(if $(findstring ccprof,$(CCPROF_VERIFY_FLAGS)),-no-such)'
has err '^ccprof-verify: the build fails with the plugin: make main'
verify 2 plain -plugin /nowhere make main
has err '^ccprof-verify: /nowhere: no such file$'
(cd plain && make -s main)
verify 2 plain make main
has err '^ccprof-verify: nothing was compiled: '
verify 0 plain -clean='rm -f main *.o' make main
has out '^3 objects compared: 3 the same'
(cd plain && "$VERIFY" -keep --clean 'rm -f *.o' make assembly) >out 2>err
kept=$(sed -n 's/^ccprof-verify: kept: //p' out)
[ -s "$kept/plain/log" ] || fail "nothing is kept: $kept"
[ "$(find "$kept/profiled/objects" -name '*.o' | wc -l)" -eq 1 ] || fail "the object is not kept"
rm -rf "$kept"
verify 2 plain -clean false make main
has err '^ccprof-verify: -clean false: it fails$'
rm plain/main plain/*.o

echo 'ccache is no way around it.'
if have ccache 'builds with ccache'; then
    export CCACHE_DIR="$top/cache"
    verify 0 plain make main CC="ccache $CC" CXX="ccache $CXX"
    has out '^3 objects compared: 3 the same; 3 hold'
fi

echo 'CMake.'
if have cmake 'a build by CMake'; then
    mkdir with-cmake
    cp plain/*.c plain/*.cc with-cmake
    cat >with-cmake/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
project(numbers C CXX)
add_library(numbers STATIC twice.cc thrice.c)
add_executable(main main.c)
target_link_libraries(main numbers)
set_target_properties(main PROPERTIES LINKER_LANGUAGE CXX)
END
    verify 0 with-cmake sh -c 'cmake -DCMAKE_BUILD_TYPE=Release . && cmake --build .'
    has out '^3 objects compared: 3 the same; 3 hold tables of ccprof$'
fi

echo 'Its options.'
run 0 "$VERIFY" -help
cp out help
run 0 "$VERIFY" --help
same out help
run 0 "$VERIFY" -version
has out '^ccprof-verify (ccprof) [0-9]'
# misused WHAT WORD...
misused() {
    misused_what=$1
    shift
    run 2 "$VERIFY" "$@"
    same out /dev/null
    printf '%s\n' "ccprof-verify: $misused_what" 'ccprof-verify -help prints the options' >want
    same err want
}
misused 'no command is named'
misused 'no command is named' -keep
misused 'unknown option: -keeep' -keeep make
misused 'option -plugin needs an argument' -plugin
misused 'no argument of the plugin: a b' -plugin-arg 'a b' make
# The manual page and the completion know the same options.
sed -n 's/^  \(-[a-z-]*\( <[a-z]*>\)\{0,1\}\)  *.*/\1/p' help >options
sed -n '/^\.SH OPTIONS/,/^\.SH RESULT/p' "$SRC/doc/ccprof-verify.1" | sed -n '/^\.TP/{n;p;}' |
    sed 's/\\-/-/g; s/^\.BI \(-[a-z-]*\) "* *\([^"]*\)"*$/\1 <\2>/; s/^\.B //' >manual
same manual options
sed 's/ .*//' options >names
cat >complete.bash <<'END'
. "$SRC/verify/ccprof-verify.bash-completion"
COMP_WORDS=(ccprof-verify -)
COMP_CWORD=1
_ccprof_verify
printf '%s\n' "${COMPREPLY[@]}"
END
if have bash completion; then
    run 0 bash complete.bash
    same out names
fi

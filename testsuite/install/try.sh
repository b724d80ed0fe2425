#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# try.sh prepare|user|test|remove: in a clean system with the packages in /packages: installs them; does as
# a user what the manual says; runs autopkgtest; removes them again. deb.sh calls it.

set -eu
cd /tmp

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

folders='/etc /opt /srv /usr /var/lib/ccprof'

prepare() {
    apt-get -q -y install man-db bash-completion
    apt-get -q -y --no-install-recommends install cmake meson ninja-build
    # shellcheck disable=SC2086
    find $folders -newer /packages/try.sh 2>/dev/null | sort >/packages/before || :
    # The compilers come with the plugins.
    # shellcheck disable=SC2046
    apt-get -q -y --no-install-recommends install $(find /packages -name '*.deb' ! -name '*dbgsym*')
}

# user: the manual's lines, word for word.
user() {
    mkdir -p /tmp/user
    cd /tmp/user
    cp /usr/share/doc/ccprof-doc/prog.c .
    gcc -O2 -fplugin=ccprof.so prog.c -o prog
    ./prog
    mlprof prog mlmon.out
    man ccprof >page
    grep -q 'fplugin=ccprof.so' page || fail "man ccprof: $(cat page)"
    # As in a shell in which somebody types -thr and two tabs.
    bash -ic 'COMP_WORDS=(mlprof -thr) COMP_CWORD=1 COMP_LINE="mlprof -thr" COMP_POINT=11
        . /usr/share/bash-completion/bash_completion
        _completion_loader mlprof || _comp_load mlprof
        $(complete -p mlprof | sed "s/.*-F \([^ ]*\).*/\1/") mlprof -thr mlprof
        echo "${COMPREPLY[@]}"' 2>/dev/null >words || :
    grep -q -e -thresh words || fail "completion: $(cat words)"
    echo "mlprof -thr is completed to: $(cat words)"
}

# built: checks that the program built with CMake and Meson is profiled.
built() {
    ./build/prog
    mlprof build/prog mlmon.out >table || fail "$1: no table"
    grep -q '  heavy$' table || fail "$1: $(cat table)"
    echo "$1: $(sed -n 1p table)"
    rm -r build mlmon.out
}

# builders: the manual's lines on CMake and Meson, word for word, for every target and for one.
builders() {
    rm -rf /tmp/builders
    mkdir /tmp/builders
    cd /tmp/builders
    cp /usr/share/doc/ccprof-doc/prog.c .
    man ccprof | sed 's/^ *//' >page
    project='cmake_minimum_required(VERSION 3.10)
project(prog C)
add_executable(prog prog.c)'
    echo "$project" >CMakeLists.txt
    printf "project('prog', 'c')\nexecutable('prog', 'prog.c')\n" >meson.build
    for tool in cmake meson; do
        sed -n "s/^[$] \(export CFLAGS=.*\)/\1/p; s/^[$] \($tool .*\)/\1/p" page >lines
        [ "$(wc -l <lines)" -eq 2 ] || fail "$tool: not the manual's lines: $(cat lines)"
        sh -e ./lines >log 2>&1 || fail "$tool: $(cat log)"
        built "$tool"
    done
    { echo "$project" && grep '^target_compile_options(prog ' page; } >CMakeLists.txt
    { echo "project('prog', 'c')" && grep "^executable('prog', " page; } >meson.build
    for tool in cmake meson; do
        sed -n "s/^[$] \($tool .*\)/\1/p" page | sh -e >log 2>&1 || fail "$tool: $(cat log)"
        built "$tool, one target"
    done
}

# wrong: checks that one line reports a missing plugin and lists the installed ones.
wrong() {
    set -- /usr/lib/gcc/*/*/plugin/ccprof.so
    [ $# -ge 2 ] || return 0
    major=${1%/plugin/ccprof.so}
    major=${major##*/}
    dpkg -r "gcc-$major-ccprof"
    cp /usr/share/doc/ccprof-doc/prog.c .
    ! "gcc-$major" -fplugin=ccprof.so -c prog.c 2>said || fail "a plugin was found for GCC $major"
    cat said
    [ "$(grep -c '^ccprof: ' said)" -eq 1 ] || fail "not one line"
    grep -q "^ccprof: no plugin for GCC $major\..*: it is installed for GCC" said || fail "another line"
}

remove() {
    # shellcheck disable=SC2046
    dpkg -P $(dpkg-query -W -f '${source:Package} ${binary:Package}\n' | sed -n 's/^ccprof //p')
    # shellcheck disable=SC2086
    find $folders -name '*ccprof*' -o -name '*mlprof*' -o -name '*mlmon*' 2>/dev/null | grep -v /var/lib/dpkg >left || :
    [ ! -s left ] || fail "left behind: $(cat left)"
    echo "nothing is left behind"
}

case $1 in
prepare) prepare ;;
user)
    user
    builders
    ;;
test)
    apt-get -q -y --no-install-recommends install autopkgtest
    # shellcheck disable=SC2046
    autopkgtest $(find /packages -name '*.deb' ! -name '*dbgsym*') /packages/*.dsc -- null
    wrong
    ;;
remove) remove ;;
esac

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# packages.sh demo|check|bench|fuzz|realworld|same-code|cross: installs the packages that this target
# of the Makefile needs in addition to git and make, on Debian and similar systems. For root, runs
# apt-get, only if a package is missing. Otherwise prints the command to run, exit status 1. Packages
# that only some tests need may be missing: these tests, or parts of them, are then skipped.
# packages.sh build: installs nothing; prints the packages for headers that the compiler lacks.
#
# Environment: CC (gcc), CXX (g++), FC (gfortran), GNATMAKE (gnatmake), PLUGIN_GCC (compilers to build
# plugins for, CC if empty), CROSS (machines whose programs are compiled and run here), FETCHED (not
# empty: apt's lists were just fetched).

# Apt takes half a second for an answer, so it is not called if nothing is missing.

set -u
export LC_ALL=C
: "${CC:=gcc}" "${CXX:=g++}" "${FC:=gfortran}" "${GNATMAKE:=gnatmake}" "${PLUGIN_GCC:=}" "${CROSS:=}" "${FETCHED:=}"

# major COMPILER: prints its major version, for example 12. If the compiler is not installed, uses the
# version in its name, or the default version of the release.
major() {
    if version=$($1 -dumpversion 2>/dev/null); then
        echo "${version%%.*}"
        return
    fi
    set -- "${1%% *}"
    case ${1##*/} in
    *-[0-9]*) echo "${1##*-}" ;;
    *) apt-cache depends gcc 2>/dev/null | sed -n 's/^ *Depends: gcc-\([0-9]*\)$/\1/p' ;;
    esac
}

# of_machine COMPILER: prints the suffix of package names for its machine, if it is another machine.
of_machine() {
    machine=$($1 -dumpmachine 2>/dev/null) || return 0
    [ "$machine" = "$($CC -dumpmachine)" ] || echo "-$machine"
}

# plugin_headers: prints the packages with plugin headers for the compilers that lack them.
plugin_headers() {
    for compiler in ${PLUGIN_GCC:-$CC}; do
        headers=$($compiler -print-file-name=plugin 2>/dev/null)/include/gcc-plugin.h
        if [ ! -f "$headers" ]; then
            echo "gcc-$(major "$compiler")-plugin-dev$(of_machine "$compiler")"
        fi
    done
}

# compiler PACKAGE COMMAND: prints the package of a missing compiler, by the version in its name. The
# package without a version may have another version. Ada's package of one version excludes the
# others.
compiler() {
    command -v "$2" >/dev/null 2>&1 && return
    case ${2##*/} in
    *-[0-9]*) echo "$1-${2##*-}" ;;
    *) echo "$1" ;;
    esac
}

# qt_headers: prints the package with the headers of KCachegrind's version of Qt.
qt_headers() {
    if { dpkg-query -W -f '${Depends}' kcachegrind || apt-cache depends kcachegrind; } 2>/dev/null | grep -q libqt6; then
        echo qt6-base-dev
    else
        echo qtbase5-dev
    fi
}

# lacking: prints the packages of missing files, however the files would be installed.
lacking() {
    command -v objcopy >/dev/null 2>&1 || echo binutils
    # Names of compilers may contain options.
    compiler gcc "${CC%% *}"
    compiler g++ "${CXX%% *}"
    echo '#include <curl/curl.h>' | $CC -E - >/dev/null 2>&1 || echo libcurl4-openssl-dev
    echo '#include <gelf.h>' | $CC -E - >/dev/null 2>&1 || echo libelf-dev
    echo '#include <gsl/gsl_cdf.h>' | $CC -E - >/dev/null 2>&1 || echo libgsl-dev
    echo '#include <md5.h>' | $CC -E - >/dev/null 2>&1 || echo libmd-dev
    echo '#include <curses.h>' | $CC -E - >/dev/null 2>&1 || echo libncurses-dev
    echo '#include <microhttpd.h>' | $CC -E - >/dev/null 2>&1 || echo libmicrohttpd-dev
    echo '#include <zlib.h>' | $CC -E - >/dev/null 2>&1 || echo zlib1g-dev
    echo '#include <Zydis/Zydis.h>' | $CC -E - >/dev/null 2>&1 || echo libzydis-dev
    plugin_headers
}

# assembles COMPILER: returns whether the compiler assembles the plugin's output. Distances in code
# that the linker may shorten (riscv64) need binutils 2.41.
assembles() {
    command -v "${1%% *}" >/dev/null 2>&1 || return 0
    object=$(mktemp)
    printf '\t.text\na:\n\tnop\nb:\n\t.data\n\t.uleb128 b-a\n' | $1 -x assembler -c - -o "$object" 2>/dev/null
    status=$?
    rm -f "$object"
    return $status
}

# tell PACKAGE...: prints the command that installs the packages. Without lists, apt knows no packages
# and no compiler versions, so the command fetches the lists first.
tell() {
    if listed; then
        echo 'Missing packages (as Debian calls them). To install them:'
        echo "    sudo apt-get install $*"
    else
        echo 'Packages are missing, and apt has no lists of packages yet. To fetch these:'
        echo '    sudo apt-get update'
    fi
}

# listed: returns whether apt knows packages, on systems with apt.
listed() {
    ! command -v apt-get >/dev/null 2>&1 || apt-cache show gcc >/dev/null 2>&1
}

if [ "${1-}" = build ]; then
    must=$(lacking | tr '\n' ' ')
    if [ -z "$must" ]; then
        for compiler in ${PLUGIN_GCC:-$CC}; do
            assembles "$compiler" || {
                echo "The assembler of $compiler cannot write the tables: that of binutils 2.41 or later is needed"
                exit 1
            }
        done
        exit 0
    fi
    tell "${must% }"
    exit 1
fi

build="binutils $(compiler gcc "${CC%% *}") $(compiler g++ "${CXX%% *}") libcurl4-openssl-dev libelf-dev libgsl-dev libmd-dev libmicrohttpd-dev libncurses-dev zlib1g-dev libzydis-dev $(plugin_headers)"
optional=
case ${1-} in
demo) needed=$build ;;
# The programs that mlprof is compared with.
bench)
    needed=$build
    optional="libgoogle-perftools4 heaptrack libjemalloc2 nlohmann-json3-dev tcl python3 valgrind"
    ;;
# C++, Fortran and Ada at the version of the compiler under test; GCC's own tests.
same-code)
    needed="$build xz-utils gcc-$(major "$CC")-source"
    optional="$(compiler gfortran "$FC") $(compiler gnat "$GNATMAKE")"
    ;;
fuzz)
    needed="$build clang libclang-rt-14-dev"
    ;;
check)
    needed="$build check pkg-config"
    # C++, Fortran and Ada at the version of the compiler under test; GCC's own tests;
    # both MPIs; readers of mlprof's pages, graphs and exports (nodejs contains or suggests npm);
    # tools that check the counts, random programs; manual pages; shell scripts; the layout of sources.
    optional="$(compiler gfortran "$FC") $(compiler gnat "$GNATMAKE") lld llvm elfutils gcc-$(major "$CC")-source xz-utils
        graphviz libxml2-utils lcov gcovr chromium firefox-esr openssl python3 python3-jsonschema golang-go protobuf-compiler
        nodejs kcachegrind dbus-daemon $(qt_headers) $(command -v npm >/dev/null 2>&1 || echo npm) valgrind groff man-db openmpi-bin libopenmpi-dev mpich libmpich-dev libjemalloc2 libmimalloc2.0 shellcheck clang-format-14 autoconf cmake ccache tmux"
    ;;
realworld) needed="$build dpkg-dev xz-utils" ;;
cross)
    needed="$build python3 qemu-user qemu-user-binfmt"
    for machine in $CROSS; do
        for name in gcc-@ g++-@ gcc-@-plugin-dev; do
            needed="$needed $(echo "$name" | sed "s/@/$(major "$CC")/")-$machine"
        done
        optional="$optional gfortran-$(major "$CC")-$machine"
    done
    ;;
*)
    echo "usage: packages.sh build|demo|check|bench|fuzz|realworld|same-code|cross" >&2
    exit 2
    ;;
esac

# unknown PACKAGE...: prints the packages that are not in apt's lists, if there are lists: the release
# has them under another name or not at all. One blank precedes each.
unknown() {
    [ $# -gt 0 ] && listed || return 0
    for package; do
        apt-cache show "$package" >/dev/null 2>&1 || printf ' %s' "$package"
    done
}

# missing PACKAGE...: prints the packages that are not installed, one blank before each.
missing() {
    for package; do
        state=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null)
        case $state in
        ?i*) ;;
        *) printf ' %s' "$package" ;;
        esac
    done
}

# apt COMMAND...: runs apt-get; prints its output only if it fails.
apt() {
    log=$(mktemp)
    DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 --no-install-recommends "$@" >"$log" 2>&1 </dev/null
    status=$?
    [ $status -eq 0 ] || tail -n 5 "$log" >&2
    rm -f "$log"
    return $status
}

# install PACKAGE...: installs the packages. If apt does not know one, its lists may be old, so they
# are fetched once.
install() {
    if [ -z "$FETCHED" ] && ! apt-get -s --no-install-recommends install "$@" >/dev/null 2>&1; then
        FETCHED=yes
        apt update
    fi
    apt install "$@" && return
    [ -z "$FETCHED" ] || return
    FETCHED=yes
    apt update && apt install "$@"
}

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    echo "Not a Debian system; these packages are named there: $needed $optional"
    exit 0
fi

# Lists of names, which are split.
# shellcheck disable=SC2086
must=$(missing $needed)
# shellcheck disable=SC2086
may=$(missing $optional)
root=
[ "$(id -u)" -ne 0 ] || root=yes
# The lists are needed to know which packages are missing.
if [ "$must$may" ] && [ "$root" ] && [ -z "$FETCHED" ] && ! listed; then
    echo 'Fetching the lists of packages ...'
    apt update && FETCHED=yes exec "$0" "$@"
fi
# shellcheck disable=SC2086
without=$(unknown $may)
for package in $without; do
    may=$(echo "$may " | sed "s/ $package / /; s/ \$//")
done

# end: prints the packages that could not be installed.
end() {
    [ -z "$without" ] || echo "Going on without$without; what needs them is skipped, and told."
    exit 0
}
[ -n "$must$may" ] || end

if [ -z "$root" ]; then
    # shellcheck disable=SC2086
    tell $must $may
    if [ -n "$must" ]; then
        exit 1
    fi
    echo "Going on without; what needs them is skipped, and told."
    exit 0
fi

echo "Installing$must$may ... (a minute or more)"
# shellcheck disable=SC2086
install $must $may && end
if [ -n "$must" ]; then
    # shellcheck disable=SC2086
    install $must || {
        echo "packages.sh: cannot install$must" >&2
        exit 1
    }
fi
# A package that is not available does not prevent the others.
for package in $may; do
    install "$package" || without="$without $package"
done
end

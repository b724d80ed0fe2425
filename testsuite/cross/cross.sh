#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cross.sh TARGET: runs the tests that testsuite/cross/tests names with the compilers of that machine,
# under qemu, in $O/TARGET/testsuite; mlprof is this machine's. In the end it prints how many passed by
# kind, and names what is not tried there.  `make check-cross' runs it, with the environment of run.sh.

set -u
: "${SRC:?}" "${O:?}" "${CC:?}" "${MLPROF:?}" "${TESTS:=}"
target=$1
major=$($CC -dumpversion)
major=${major%%.*}
list=$SRC/testsuite/cross/tests

# The tools that read objects, by the names that the tests know.
tools=$O/$target/tools
mkdir -p "$tools"
for tool in addr2line nm objcopy objdump readelf size strip; do
    ln -sf "$(command -v "$target-$tool")" "$tools/$tool"
done
if command -v ld.lld >/dev/null; then
    ln -sf "$(command -v ld.lld)" "$tools/$target-ld.lld"
fi
for file in mlprof objdiff ccprof-verify obj; do
    ln -sfn "$O/$file" "$O/$target/$file"
done

# tests TARGET: the scripts that are run for it.
tests() {
    cpu=${1%%-*} awk '/^#/ || NF == 0 { next }
        $2 != "not" || ($3 != "all:" && index($3, ENVIRON["cpu"]) == 0) { print $1 }' "$list" |
        while read -r test; do
            echo "$SRC"/testsuite/*/"$test".test
        done
}

export PATH="$tools:$PATH" QEMU_LD_PREFIX="/usr/$target" TARGET="$target"
export O="$O/$target"
export PLUGIN="$O/ccprof.so"
export NATIVE_CC="$CC" NATIVE_MLPROF="$MLPROF" MLPROF="$SRC/testsuite/cross/mlprof.sh"
export CC="$target-gcc-$major" CXX="$target-g++-$major" FC="$target-gfortran-$major" GNATMAKE="$target-gnatmake-$major"
status=0
# Paths of tests have no blanks.
# shellcheck disable=SC2046
"$SRC/testsuite/run.sh" $(tests "$target") || status=1
if [ -z "$TESTS" ]; then
    echo
    for result in "$O/testsuite/.results/"*; do
        echo "$target $("$CC" -dumpfullversion) - $(basename "$result") $(cat "$result")"
    done | awk -f "$SRC/testsuite/compilers/table.awk"
    echo "Not tried on $target, under qemu:"
    cpu=${target%%-*} awk '$2 == "not" && ($3 == "all:" || index($3, ENVIRON["cpu"])) {
        sub(/ +not [^:]*: */, ": "); print "    " $0 }' "$list"
fi
exit $status

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# output=FOLDER/: each process has a file of its own there, however many there are, and whatever numbers
# they have.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

stub stub.s
"$CC" -O1 -I"$RT" "$RT/collected.c" stub.s -o dynamic
"$CC" -O1 -I"$RT" "$RT/collected.c" stub.s -static -L"$O/rt" -lccprof -o static

# files FOLDER NUMBER PROGRAM: so many data files are there, all whole and of that program, and nothing else; some of
# them are tried line by line.
files() {
    find "$1" -mindepth 1 >all
    grep "^$1/$3\\.[0-9]*\\.[0-9]*\\.mlmon\$" all >named || :
    same all named
    [ "$(wc -l <all)" = "$2" ] || fail "$1: $(wc -l <all) files, not $2"
    for line in "^module 0 .*/$3\$" '^end$'; do
        xargs grep -L "$line" <all >without || :
        same without /dev/null
    done
    head -n 20 all >some
    while read -r file; do
        awk -f "$RT/mlmon.awk" "$file" || fail "$file is not as mlmon.out(5) says"
    done <some
}

quiet() {
    [ ! -s err ] || fail "$(cat err)"
}

for form in dynamic static; do
    echo "$form: children, and children of these"
    rm -rf data
    run 0 env CCPROF=output=data/ ./$form fork 100
    quiet
    files data 201 $form
    # Each has the number of the process that wrote it.
    sed 's/.*\/[a-z]*\.\([0-9]*\)\..*/\1/' all | sort -u | wc -l >numbers
    [ "$(cat numbers)" = 201 ] || fail "$(cat numbers) numbers of processes"

    echo "$form: the same process, again and again"
    rm -rf data
    run 0 env CCPROF=rate=1000,output=data/ ./$form again 5
    quiet
    files data 6 $form
    sed 's/.*\/[a-z]*\.\([0-9]*\)\..*/\1/' all | sort -u | wc -l >numbers
    [ "$(cat numbers)" = 1 ] || fail "$(cat numbers) numbers of one process"

    echo "$form: the folder where the program was started"
    rm -rf data
    run 0 env CCPROF=output=data/ ./$form away
    quiet
    files data 1 $form
    # By placeholders, and by an absolute name; one that is there already is used.
    rm -rf data
    run 0 env CCPROF=output="$PWD/%e-%%/" ./$form away
    files "$form-%" 1 $form
    run 0 env CCPROF=output="$PWD/%e-%%/" ./$form away
    files "$form-%" 2 $form
    rm -r "$form-%"

    echo "$form: the folder is taken away meanwhile"
    mkdir data
    run 0 env CCPROF=output=data/ GONE=data ./$form clear
    quiet
    files data 1 $form
    rm -r data
done

echo 'the same number again'
if unshare -rpf true 2>/dev/null; then
    for round in 1 2 3 4 5 6 7 8 9 10; do
        echo "$round"
        run 0 env CCPROF=output=data/ unshare -rpf ./dynamic
        quiet
    done
    files data 10 dynamic
    sed 's/.*\/[a-z]*\.\([0-9]*\)\..*/\1/' all | sort -u >numbers
    [ "$(cat numbers)" = 1 ] || fail 'not one number for all'
    rm -r data
else
    leave_out 'numbers of processes that come again: unshare is of no use here'
fi

echo 'errors are a line, and harm nothing'
refused_here() {
    run 0 env CCPROF=output="$1" ./dynamic
    sed 's/dynamic\.[0-9]*\.[0-9]*\./dynamic.N./' err >got
    echo "ccprof: $2" >want
    same got want
}
refused_here none/data/ "$PWD/none/data/dynamic.N.mlmon: No such file or directory"
: >file
refused_here file/ "$PWD/file/dynamic.N.mlmon: Not a directory"
refused_here "$(printf %0256d 0)/" "$PWD/$(printf %0256d 0)/dynamic.N.mlmon: File name too long"
if [ "$(id -u)" != 0 ]; then
    mkdir shut
    chmod 555 shut
    refused_here shut/ "$PWD/shut/dynamic.N.mlmon: Permission denied"
    refused_here shut/data/ "$PWD/shut/data/dynamic.N.mlmon: Permission denied"
    chmod 755 shut
else
    leave_out 'a folder that is shut: root may write into each'
    refused_here /proc/data/ '/proc/data/dynamic.N.mlmon: No such file or directory'
fi
[ "$(find . -name '*.mlmon*')" = '' ] || fail "left behind: $(find . -name '*.mlmon*')"

echo 'names'
# As long as file systems allow, of characters of two bytes.
long=$(printf 'é%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)
long=x$long$long$long$long$long$long
cp dynamic "$long"
run 0 env CCPROF=output=data/ "./$long"
quiet
ls data >got
grep -q '^xé*\.[0-9]*\.[0-9]*\.mlmon$' got || LC_ALL=C.UTF-8 grep -q '^xé*\.[0-9]*\.[0-9]*\.mlmon$' got || fail "$(cat got)"
valid data/*
iconv -f UTF-8 -t UTF-8 got >/dev/null || fail "a character was cut: $(cat got)"
rm -r data

echo 'what configure scripts try'
cp dynamic conftest
run 0 env CCPROF=output=data/ ./conftest
quiet
[ ! -e data ] || fail 'conftest left a profile'

# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of the kind count. Sourced after testsuite/lib.sh.

# The tests use both.
# shellcheck disable=SC2034
COUNT=$SRC/testsuite/count
# shellcheck disable=SC2034
KIND=-fplugin-arg-ccprof-profile=count

# table PROGRAM FILE...: prints a line `NAME CALLS' for each function, sorted. Functions of system
# headers are left out if the program was compiled so.
table() {
    table_of -balance false -never "$@" | table_rows calls | sort
}

# counted WANT PROGRAM FILE...: the table is that in the file WANT.
counted() {
    sort "$1" >table.want
    shift
    table "$@" >table.got
    same table.got table.want
}

# calls_of NAME FILE CALLS: in the data FILE of ./prog the function NAME has so many calls; 0: or no row.
calls_of() {
    got=$(table ./prog "$2" | sed -n "s/^$1 //p")
    [ "${got:-0}" = "$3" ] || fail "$2: ${got:-0} calls of $1, not $3"
}

# many_functions N: prints the source of N functions, f1 and so on, and of the function many, which
# calls them.
many_functions() {
    echo 'static volatile int of_many;'
    seq -f '__attribute__((noinline)) static void f%g(void) { of_many++; }' "$1"
    echo 'void many(void); void many(void) {'
    seq -f 'f%g();' "$1"
    echo '}'
}

# in_shared_object SOURCE FLAG...: makes ./prog with all of its code in libshared.so, except the
# call of its main.
in_shared_object() {
    { echo 'int shared_main(int, char **);' && sed 's/^int main(/int shared_main(/' "$1"; } >shared.c
    shift
    pcc "$KIND" -O2 -fPIC -shared -pthread "$@" shared.c -o libshared.so
    echo 'int shared_main(int, char **); int main(int n, char **v) { return shared_main(n, v); }' >main.c
    "$CC" -O2 main.c -L. -lshared -Wl,-rpath,"$PWD" -o prog
}

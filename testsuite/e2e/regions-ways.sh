#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every way out of a region, in C and in C++, at several levels, shared and static: its call has
# ended or been left, and the next region is not inside of it; where the program ends the region is
# open.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/regions/regions.sh"

# way STATUS NAME: leaves the region so; the standard input: the paths.
way() {
    rm -f mlmon.out*
    want=$1
    got=0
    CCPROF=pause=3600000 ./prog "$2" >out 2>err || got=$?
    [ "$got" -eq "$want" ] || fail "$2: exit status $got, not $want: $(cat err)"
    hasnot err ccprof
    echo "$2"
    paths
}

# ways: what has ended or was left, and was open; see regions.awk for the numbers.
ways() {
    way 0 return <<'END'
next 1 0 0 0 0 1
way 1 0 0 1 1 1
way/inner 1 0 0 0 0 1
END
    way 0 goto <<'END'
next 1 0 0 0 0 1
way 1 0 0 1 1 1
way/inner 1 0 0 0 0 1
END
    way 0 loop <<'END'
next 1 0 0 0 0 1
way 4 0 0 4 4 1
way/inner 4 0 0 0 0 1
END
    way 0 forgotten <<'END'
next 1 0 0 0 0 1
way 1 0 0 1 1 1
way/pair 1 1 0 0 0 1
END
    way 0 longjmp <<'END'
before 1 0 0 6 24 1
before/next 3 0 0 0 0 1
before/way 3 3 0 3 18 1
before/way/deep 9 9 0 9 27 1
before/way/deep/pair 9 9 0 6 18 1
next 1 0 0 0 0 1
END
    # In a static program nobody sees sigsetjmp: what its own function has begun since is left
    # where that ends.
    if [ "$static" ]; then
        way 0 siglongjmp <<'END'
way 0 0 3 0 0 0
way/handler 6 3 0 0 0 1
way/next 4 0 0 0 0 1
END
    else
        way 0 siglongjmp <<'END'
next 4 0 0 0 0 1
way 3 3 0 6 6 1
way/handler 6 3 0 0 0 1
END
    fi
    way 0 buffers <<'END'
next 1 0 0 0 0 1
way 201 1 0 201 20300 1
way/next 1 0 0 0 0 1
END
    way 0 fork <<'END'
next 2 0 0 0 0 1
way 1 0 0 0 0 1
END
    mv mlmon.out.[1-9]* mlmon.out
    paths <<'END'
next 1 0 0 0 0 1
way 1 0 0 1 1 1
way/child 1 0 0 0 0 1
END
    # What is there where the process became another program, which says what it got.
    echo 'way 0 0 1 0 0 0' >open
    for exec in execve execvpe fexecve execveat; do
        way 3 $exec <open
        echo 'exits3: 1' | same - out
    done
    for exec in execv execvp; do
        way 3 $exec <open
        echo 'exits3:' | same - out
    done
    for exec in execl execlp; do
        way 3 $exec <open
        echo 'exits3 one two:' | same - out
    done
    way 3 execle <open
    echo 'exits3 one two: 1' | same - out
    # The same program again writes in place of it, as in another run.
    way 0 exec-itself </dev/null
    for goes_on in fails vfork fork-exec; do
        way 0 $goes_on <<'END'
next 1 0 0 0 0 1
way 1 0 0 0 0 1
END
        set -- mlmon.out*
        # A child that a sample came to before it became another program has written that.
        for file; do
            case $goes_on-$file in
            *-mlmon.out) ;;
            fork-exec-*) grep -q '^samples [1-9]' "$file" || fail "files: $*, and no samples in $file" ;;
            *) fail "files: $*" ;;
            esac
        done
    done
    for end in exit _exit quick_exit; do
        way 0 $end <open
    done
    way 134 abort <open
    way 143 signal <open
    way 139 crash <open
}

cat >exits3.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **vector)
{
    printf("%s", vector[0]);
    for (int i = 1; i < count; i++)
        printf(" %s", vector[i]);
    printf(":%s%s\n", getenv("CHECK") ? " " : "", getenv("CHECK") ? getenv("CHECK") : "");
    return 3;
}
END
"$CC" exits3.c -o exits3
echo 'no program' >none
chmod 755 none
export PATH="$PATH:$PWD"

# A language; whether it is static; how it is compiled.
while read -r language static flags; do
    static=${static#shared}
    # shellcheck disable=SC2086 # several flags
    set -- -pthread -I"$SRC/rt" $flags "$REGIONS/ways.c" ${static:+-static -L"$O/rt" -lccprof}
    echo "$language $*"
    if [ "$language" = C ]; then
        pcc "$@" -o prog
    else
        pcxx -x c++ "$@" -o prog
    fi
    ways
    if [ "$language" = C++ ]; then
        way 0 exception <<'END'
next 1 0 0 0 0 1
way 1 0 0 1 2 1
way/inner 1 0 0 1 1 1
way/inner/pair 1 1 0 0 0 1
END
    fi
    # Where what is on the stack is unwound, a region in C++ ends; in C it is left, by the thread.
    left=1
    [ "$language" = C ] || left=0
    way 0 pthread_exit <<END
next 1 0 0 0 0 1
way 1 $left 0 1 1 1
way/pair 1 1 0 0 0 1
END
    way 0 pthread_cancel <<END
next 1 0 0 0 0 1
way 1 $left 0 0 0 1
END
    way 0 main-exit <<END
way 1 $left 0 0 0 1
END
done <<'END'
C shared -O0
C shared -O2 -D_FORTIFY_SOURCE=2
C static -O3
C++ shared -O0
C++ shared -O2 -D_FORTIFY_SOURCE=2
C++ static -O3
END

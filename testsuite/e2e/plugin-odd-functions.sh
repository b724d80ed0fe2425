#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of unusual form; a weak function that a strong one replaces; a large unit.
. "$SRC/testsuite/plugin/plugin.sh"
need objdump

case $("$CC" -dumpmachine) in
x86_64*) ;;
*) skip "the assembly is x86-64's" ;;
esac
cp "$SOURCES/odd.c" .
for options in -O0 -O1 -O2 '-O3 -g' '-O2 -ffunction-sections' '-Os -fno-toplevel-reorder -fPIC'; do
    echo "$options"
    # shellcheck disable=SC2086
    same_code "$CC" $options -gno-record-gcc-switches odd.c
    "$CC" -z execstack ccprof.o -o program
    ./program
    charged program 0x1000001 bare bare
    charged program 0x1000003 in_user in_user
    charged program 0x1000005 in_code in_code
    charged program 0x1000007 in_code in_code
    charged program 0x1000009 in_code_too in_code_too
    charged program 0x100000b hot hot
    charged program 0x100000d cold cold
    charged program 0x100000f labelled labelled
    charged program 0x1000011 original original
    charged program 0x1000013 kept kept
    charged program 0x1000015 early early
    charged program 0x1000017 outer.inner
    charged program 0x1000019 jump.inner jump.inner
    charged program 0x100001b jump jump
    charged program 0x100001d deep0 deepest
    [ "$(head -n 1 where | grep -o ' < ' | wc -l)" -eq 31 ] || fail "not 31 calls: $(cat where)"
done

# A weak function stays in the program when a strong one replaces it: each has its own tables.
cat >weak.c <<'END'
__attribute__((weak)) int chosen(int x) { return x * 0x2345671; }
int user(int x) { return chosen(x); }
END
cat >strong.c <<'END'
int chosen(int x) { return x * 0x2345673; }
int user(int);
int main(int argc, char **argv) { (void)argv; return user(argc) == 1; }
END
pcc -O2 -c weak.c
pcc -O2 -c strong.c
"$CC" -r -nostdlib strong.o weak.o -o both.o
for objects in "weak.o strong.o" "strong.o weak.o" both.o; do
    # shellcheck disable=SC2086
    "$CC" $objects -o program
    ./program
    charged program 0x2345671 chosen
    has where ': chosen weak.c:1:'
    charged program 0x2345673 chosen
    has where ': chosen strong.c:1:'
done

# 10,000 lines, and 300 copies inlined in one function.
awk 'BEGIN {
    print "int sink;\nstatic inline __attribute__((always_inline)) int f(int x) { return x * 0x2345671; }"
    for (i = 0; i < 2000; i++)
        printf "int f%d(int x)\n{\n    sink = x;\n    return x + %d;\n}\n", i, i
    print "int all(int x)\n{"
    for (i = 0; i < 300; i++)
        printf "    sink += f(sink + %d);\n", i + 1
    print "    return f(x);\n}\nint main(void) { return 0; }"
}' >large.c
pcc -O1 large.c -o program
./program
charged program 0x2345671 f all
[ "$(sort -u -k 6 where | wc -l)" -eq 301 ] || fail "not 301 calls: $(wc -l <where)"
awk '{ print $6 }' where | sort -u | sed 's/:[0-9]*$//; s/.*://' | sort -n | sed -n '1p;$p' >lines
printf '10005\n10305\n' >want
same lines want

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The comparer of the same-code tests sees each kind of difference, and none where
# an object has only things of ccprof more.
. "$SRC/testsuite/lib.sh"
need readelf objcopy

objdiff=$BIN/objdiff

cat >a.c <<'END'
extern int there (int);
int data[4] = {1, 2, 3, 4};
int *pointer = &data[1];
static int twice (int x) { return x * 2; }
int here (int x) { return there (twice (x)) + data[x & 3]; }
END

# differs OBJECT PATTERN
differs() {
    run 1 "$objdiff" a.o "$1"
    has out "$2"
}

# field OBJECT SECTION: offset and size of the section in the file, in decimal.
field() {
    readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\] *//' |
        awk -v s="$2" '$1 == s { print $4, $5 }' |
        { read -r offset size && echo $((0x$offset)) $((0x$size)); }
}

# mutate SECTION OFFSET: a copy of a.o, b.o, with one bit of that byte turned.
mutate() {
    cp a.o b.o
    # shellcheck disable=SC2046
    set -- $(field a.o "$1") "$2"
    at=$(($1 + $3))
    byte=$(od -An -tu1 -j $at -N 1 b.o)
    # shellcheck disable=SC2059
    printf "\\$(printf %03o $((byte ^ 1)))" | dd of=b.o bs=1 seek=$at conv=notrunc 2>/dev/null
}

"$CC" -O2 -c a.c -o a.o
run 0 "$objdiff" a.o a.o

mutate .text 3
differs b.o '^\.text: contents differ at 0x3$'
mutate .eh_frame 20
differs b.o '^\.eh_frame: contents differ at 0x14$'
mutate .data 4
differs b.o '^\.data: contents differ at 0x4$'
# A relocation: r_offset, the type and symbol in r_info, r_addend; 24 bytes each.
mutate .rela.text 0
differs b.o '^\.text: relocation differs'
mutate .rela.text 8
differs b.o '^\.text: relocation differs'
mutate .rela.text 12
differs b.o '^\.text: relocation differs'
mutate .rela.text 16
differs b.o '^\.text: relocation differs'

# The size, value and binding of the symbol `here`.
row=$(readelf -sW a.o | awk '$8 == "here" { print $1 + 0 }')
mutate .symtab $((row * 24 + 16))
differs b.o '^symbols: here differs'
mutate .symtab $((row * 24 + 8))
differs b.o '^symbols: here differs'

"$CC" -O1 -c a.c -o b.o
differs b.o '^\.text: '
"$CC" -O2 -fno-asynchronous-unwind-tables -c a.c -o b.o
differs b.o '^\.eh_frame: only without ccprof'
"$CC" -O2 -ffunction-sections -c a.c -o b.o
differs b.o '^\.text\.here: only with ccprof'
objcopy --set-section-flags .data=alloc,readonly,data a.o b.o
differs b.o '^\.data: flags'
objcopy --redefine-sym there=their a.o b.o
differs b.o '^symbols: there without ccprof, their with it'
objcopy --add-symbol extra=.text:0,global a.o b.o
differs b.o '^symbols: '

# Labels that are symbols, as an assembler for riscv64 makes them: they count where a relocation names
# them, by their places and not by their numbers.
# labels OBJECT ASSEMBLY N...: with the symbols label_N as the local labels .LN.
labels() {
    object=$1 text=$2
    shift 2
    echo "$text" >labels.s
    for n; do
        echo ".globl label_$n" >>labels.s
    done
    "$CC" -c labels.s -o "$object"
    for n; do
        objcopy --redefine-sym "label_$n=.L$n" "$object"
        objcopy --localize-symbol=".L$n" "$object"
    done
}
labels plain.o '.text; nop; label_5: nop; .data; .quad label_5, 0' 5
readelf -rW plain.o >out
has out ' \.L5 + 0$'
labels b.o '.text; nop; label_6: label_7: nop; .data; .quad label_7, 0' 6 7
run 0 "$objdiff" plain.o b.o
labels b.o '.text; nop; nop; label_5: .data; .quad label_5, 0' 5
run 1 "$objdiff" plain.o b.o
has out '^\.data: relocation differs at 0x0$'
labels b.o '.text; nop; nop; .section .text.more, "ax"; nop; label_5: .data; .quad label_5, 0' 5
run 1 "$objdiff" plain.o b.o
has out '^\.data: relocation differs at 0x0$'

# Constants of which the linker keeps one of each: by what they are, not by where they stand.
# constants OBJECT FIRST SECOND NAMED: two of them, and addresses of some.
constants() {
    printf '%s\n' '.section .rodata.cst8, "aM", @progbits, 8' ".LC0: .quad $2" ".LC1: .quad $3" ".data; .quad $4" >constants.s
    "$CC" -c constants.s -o "$1"
}
constants plain.o 11 12 .LC0,.LC1
constants b.o 12 11 .LC1,.LC0
run 1 "$objdiff" plain.o b.o
[ "$(cat out)" = '.rodata.cst8: contents differ at 0x0' ] || fail "constants at other places: $(cat out)"
constants b.o 11 13 .LC0,.LC1
run 1 "$objdiff" plain.o b.o
has out '^\.data: relocation differs at 0x8$'
constants b.o 11 12 .LC0,.LC1+4
run 1 "$objdiff" plain.o b.o
has out '^\.data: relocation differs at 0x8$'

# ccprof's own: not a difference, whatever it holds.
cat >own.s <<'END'
    .section .ccprof.code,"",@progbits
    .quad 1
    .section .text.unlikely.attach,"axG",@progbits,ccprof_attach,comdat
    .weak ccprof_attach
ccprof_attach:
    call dlopen@PLT
    .section .init_array,"awG",@init_array,ccprof_attach,comdat
    .quad ccprof_attach
END
"$CC" -O2 -S a.c -o a.s
cat a.s own.s >b.s
"$CC" -c b.s -o b.o
run 0 "$objdiff" a.o b.o
# The same, but the constructor's pointer stands outside the group.
sed 's/"awG",@init_array,ccprof_attach,comdat/"aw",@init_array/' own.s | cat a.s - >b.s
"$CC" -c b.s -o b.o
differs b.o '^\.init_array: only with ccprof'

echo text >b.o
run 2 "$objdiff" a.o b.o
run 2 "$objdiff" a.o missing.o
has err 'missing.o: No such file'

# SPDX-License-Identifier: GPL-3.0-or-later
# A program without libc whose counts are known by hand, for instructions-judges.test; the
# labels name the instructions that the test asks for.
    .globl _start, once, loop, branch, copy, copy_one, copy_none, saved, restored, again, back
_start:
once:
    movl $1000, %ecx
loop:
    decl %ecx
branch:
    jnz loop
    leaq buffer(%rip), %rdi
    leaq buffer(%rip), %rsi
    movl $100, %ecx
copy:
    rep movsb
    movl $1, %ecx
copy_one:
    rep stosb
    xorl %ecx, %ecx
copy_none:
    rep stosb
# The flag of single steps must not be seen.
saved:
    pushfq
    popq %rax
    testl $0x100, %eax
    jnz wrong
    pushfq
restored:
    popfq
# getppid, 7 times.
    movl $7, %ebx
again:
    movl $110, %eax
    syscall
    decl %ebx
back:
    jnz again
    xorl %edi, %edi
    jmp exit
wrong:
    movl $1, %edi
exit:
    movl $60, %eax
    syscall

    .bss
buffer:
    .skip 200
    .section .note.GNU-stack, "", @progbits

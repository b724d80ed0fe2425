/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* The events of machine instructions of all processors. Names use the syntax of the GNU
   assembler, which generated the bytes. The events are those that the manuals
   describe. */

#include "mlprof/elf/events.h"
#include "testsuite/unit/make_elf.h"
#include "testsuite/unit/tests.h"

#include <elf.h>

#define START MAKE_ELF_CODE

struct expected {
    const char *name, *bytes, *events;
};

static const struct expected x86_64[] = {
    {"mov (%rsp),%eax", "8b 04 24", "load 4"},
    {"mov %eax,(%rsp)", "89 04 24", "store 4"},
    {"mov %eax,%ebx", "89 c3", ""},
    {"addl $1,(%rsp)", "83 04 24 01", "load 4, store 4"},
    {"cmp %eax,(%rsp)", "39 04 24", "load 4"},
    {"lea 1(%rax),%edx", "8d 50 01", ""},
    {"push %rbp", "55", "store 8"},
    {"pop %rbp", "5d", "load 8"},
    {"push (%rax)", "ff 30", "load 8, store 8"},
    {"pop (%rax)", "8f 00", "load 8, store 8"},
    {"pushf", "9c", "store 8"},
    {"leave", "c9", "load 8"},
    {"enter $16,$0", "c8 10 00 00", "store 8"},
    {"enter $16,$3", "c8 10 00 03", "2 loads 16, 4 stores 32"},
    {"movabs 0x807060504030201,%al", "a0 01 02 03 04 05 06 07 08", "load 1"},
    {"bts %eax,(%rax)", "0f ab 00", "load 4, store 4"},
    {"bt %eax,(%rax)", "0f a3 00", "load 4"},
    {"sete (%rax)", "0f 94 00", "store 1"},
    {"cmove (%rax),%eax", "0f 44 00", "load 4"},
    {"xchg %eax,(%rax)", "87 00", "load 4, store 4"},
    {"lock cmpxchg %ebx,(%rax)", "f0 0f b1 18", "load 4, store 4"},
    {"lock cmpxchg16b (%rax)", "f0 48 0f c7 08", "load 16, store 16"},
    {"movsb", "a4", "load 1, store 1"},
    {"rep movsq", "f3 48 a5", "load 8, store 8, repeats"},
    {"repz cmpsb", "f3 a6", "2 loads 2, repeats"},
    {"rep stosl", "f3 ab", "store 4, repeats"},
    {"lods (%rsi),%rax", "48 ad", "load 8"},
    {"xlat", "d7", "load 1"},
    {"nop", "90", "padding"},
    {"nopw (%rax)", "66 0f 1f 00", "padding"},
    {"xchg %ax,%ax", "66 90", "padding"},
    {"endbr64", "f3 0f 1e fa", ""},
    {"pause", "f3 90", ""},
    {"prefetcht0 (%rax)", "0f 18 08", ""},
    {"prefetchw (%rax)", "0f 0d 08", ""},
    {"clflush (%rax)", "0f ae 38", ""},
    {"ud2", "0f 0b", ""},
    {"hlt", "f4", ""},
    {"int3", "cc", ""},
    {"syscall", "0f 05", "system"},
    {"int $0x80", "cd 80", "system"},
    {"je .+0x10", "74 0e", "branch conditional to 0x10"},
    {"jne .-0x100", "0f 85 fa fe ff ff", "branch conditional to -0x100"},
    {"jrcxz .+0x10", "e3 0e", "branch conditional to 0x10"},
    {"xbegin .+0x10", "c7 f8 0a 00 00 00", "branch conditional to 0x10"},
    {"xend", "0f 01 d5", ""},
    {"xabort $1", "c6 f8 01", ""},
    {"jmp .+0x200", "e9 fb 01 00 00", "branch to 0x200"},
    {"call .-0x200", "e8 fb fd ff ff", "branch call to -0x200, store 8"},
    {"call *%rax", "ff d0", "branch indirect call, store 8"},
    {"call *0x200(%rip)", "ff 15 00 02 00 00", "branch indirect call, load 8, store 8"},
    {"jmp *%rax", "ff e0", "branch indirect"},
    {"jmp *0x200(%rip)", "ff 25 00 02 00 00", "branch indirect, load 8"},
    {"ret", "c3", "branch return, load 8"},
    {"repz ret", "f3 c3", "branch return, load 8"},
    {"div %ecx", "f7 f1", "division"},
    {"idivq (%rax)", "48 f7 38", "division, load 8"},
    {"divsd (%rax),%xmm1", "f2 0f 5e 08", "division, load 8"},
    {"vdivpd (%rax),%ymm1,%ymm2", "c5 f5 5e 10", "division, load 32, vector 256"},
    {"sqrtsd %xmm1,%xmm1", "f2 0f 51 c9", ""},
    {"fdivs (%rax)", "d8 30", "division, load 4"},
    {"fldt (%rax)", "db 28", "load 10"},
    {"fstpl (%rax)", "dd 18", "store 8"},
    {"fildll (%rax)", "df 28", "load 8"},
    {"fnstcw (%rax)", "d9 38", "store 2"},
    {"addsd (%rax),%xmm1", "f2 0f 58 08", "load 8"},
    {"movsd %xmm1,(%rax)", "f2 0f 11 08", "store 8"},
    {"cvtsi2sd %rax,%xmm1", "f2 48 0f 2a c8", ""},
    {"cvttss2si (%rax),%eax", "f3 0f 2c 00", "load 4"},
    {"movq (%rax),%xmm1", "f3 0f 7e 08", "load 8"},
    {"movq (%rax),%mm1", "0f 6f 08", "load 8, vector 64"},
    {"movd %xmm1,%eax", "66 0f 7e c8", ""},
    {"paddb %mm1,%mm2", "0f fc d1", "vector 64"},
    {"cvtpd2pi (%rax),%mm1", "66 0f 2d 08", "load 16, vector 128"},
    {"movaps (%rax),%xmm1", "0f 28 08", "load 16, vector 128"},
    {"movhps %xmm1,(%rax)", "0f 17 08", "store 8, vector 128"},
    {"cvtps2pd (%rax),%xmm1", "0f 5a 08", "load 8, vector 128"},
    {"pabsd %xmm1,%xmm2", "66 0f 38 1e d1", "vector 128"},
    {"packssdw (%rax),%xmm1", "66 0f 6b 08", "load 16, vector 128"},
    {"pinsrq $1,(%rax),%xmm1", "66 48 0f 3a 22 08 01", "load 8, vector 128"},
    {"vzeroupper", "c5 f8 77", ""},
    {"vbroadcastsd (%rax),%ymm1", "c4 e2 7d 19 08", "load 8, vector 256"},
    {"vmaskmovps (%rax),%ymm1,%ymm2", "c4 e2 75 2c 10", "load 32, vector 256"},
    {"vmaskmovps %ymm2,%ymm1,(%rax)", "c4 e2 75 2e 10", "store 32, vector 256"},
    {"vcvtpd2psy (%rax),%xmm1", "c5 fd 5a 08", "load 32, vector 256"},
    {"vcvtpd2ps (%rax){1to4},%xmm1", "62 f1 fd 38 5a 08", "load 8, vector 256"},
    {"vaddpd (%rax){1to8},%zmm2,%zmm1", "62 f1 ed 58 58 08", "load 8, vector 512"},
    {"vaddpd (%rax),%zmm2,%zmm1", "62 f1 ed 48 58 08", "load 64, vector 512"},
    {"vmovdqu8 %zmm2,(%rax){%k1}", "62 f1 7f 49 7f 10", "store 64, vector 512"},
    {"vfpclasspdz $1,(%rax),%k1", "62 f3 fd 48 66 08 01", "load 64, vector 512"},
    {"vgatherdpd %ymm3,(%rax,%xmm1,8),%ymm2", "c4 e2 e5 92 14 c8",
     "4 loads 32, vector 256"},
    {"vgatherqps %xmm3,(%rax,%xmm1,8),%xmm2", "c4 e2 61 93 14 c8",
     "2 loads 8, vector 128"},
    {"vgatherdps (%rax,%zmm1,8),%zmm2{%k1}", "62 f2 7d 49 92 14 c8",
     "16 loads 64, vector 512"},
    {"vpgatherqd (%rax,%zmm1,8),%ymm2{%k1}", "62 f2 7d 49 91 14 c8",
     "8 loads 32, vector 512"},
    {"vpgatherdq (%rax,%ymm1,8),%zmm2{%k1}", "62 f2 fd 49 90 14 c8",
     "8 loads 64, vector 512"},
    {"vpscatterdd %zmm2,(%rax,%zmm1,8){%k1}", "62 f2 7d 49 a0 14 c8",
     "16 stores 64, vector 512"},
    {"vgatherpf0dps (%rax,%zmm1,8){%k1}", "62 f2 7d 49 c6 0c c8", ""},
    {"kmovq (%rax),%k1", "c4 e1 f8 90 08", "load 8"},
    {"andn (%rax),%eax,%ebx", "c4 e2 78 f2 18", "load 4"},
    {"(push %es, which does not exist in 64-bit mode)", "06", "unknown"},
};

static const struct expected aarch64[] = {
    {"ldr w1, [x2]", "41 00 40 b9", "load 4"},
    {"ldr x1, [x2, x3, lsl #3]", "41 78 63 f8", "load 8"},
    {"ldrsw x1, [x2], #4", "41 44 80 b8", "load 4"},
    {"ldrb w1, [x2, #1]", "41 04 40 39", "load 1"},
    {"ldurh w1, [x2, #-1]", "41 f0 5f 78", "load 2"},
    {"str wzr, [x2]", "5f 00 00 b9", "store 4"},
    {"strb w1, [x2, #1]!", "41 1c 00 38", "store 1"},
    {"ldr d1, [x2]", "41 00 40 fd", "load 8"},
    {"ldr q1, [x2]", "41 00 c0 3d", "load 16, vector 128"},
    {"str q1, [x2, x3]", "41 68 a3 3c", "store 16, vector 128"},
    {"str h1, [x2]", "41 00 00 7d", "store 2"},
    {"ldr x1, .+0x10", "81 00 00 58", "load 8"},
    {"ldrsw x1, .+0x10", "81 00 00 98", "load 4"},
    {"ldr q1, .+0x10", "81 00 00 9c", "load 16, vector 128"},
    {"prfm pldl1keep, [x2]", "40 00 80 f9", ""},
    {"prfm pldl1keep, .+0x10", "80 00 00 d8", ""},
    {"ldp x1, x2, [sp], #16", "e1 0b c1 a8", "2 loads 16"},
    {"stp w1, w2, [sp, #8]", "e1 0b 01 29", "2 stores 8"},
    {"stp d8, d9, [sp, #-16]!", "e8 27 bf 6d", "2 stores 16"},
    {"ldp q1, q2, [x2]", "41 08 40 ad", "2 loads 32, vector 128"},
    {"ldpsw x1, x2, [x3]", "61 08 40 69", "2 loads 8"},
    {"ldnp x1, x2, [x3]", "61 08 40 a8", "2 loads 16"},
    {"ldaxr w1, [x2]", "41 fc 5f 88", "load 4"},
    {"stlxrb w3, w1, [x2]", "41 fc 03 08", "store 1"},
    {"ldxp x1, x2, [x3]", "61 08 7f c8", "2 loads 16"},
    {"stxp w4, w1, w2, [x3]", "61 08 24 88", "2 stores 8"},
    {"ldar x1, [x2]", "41 fc df c8", "load 8"},
    {"stlrh w1, [x2]", "41 fc 9f 48", "store 2"},
    {"cas w1, w2, [x3]", "62 7c a1 88", "load 4, store 4"},
    {"casp x2, x3, x4, x5, [x6]", "c4 7c 22 48", "2 loads 16, 2 stores 16"},
    {"ldadd x1, x2, [x3]", "62 00 21 f8", "load 8, store 8"},
    {"swpb w1, w2, [x3]", "62 80 21 38", "load 1, store 1"},
    {"stset w1, [x3]", "7f 30 21 b8", "load 4, store 4"},
    {"ldapr w1, [x3]", "61 c0 bf b8", "load 4"},
    {"ldapurb w1, [x3, #1]", "61 10 40 19", "load 1"},
    {"stlur x1, [x3, #1]", "61 10 00 d9", "store 8"},
    {"ldraa x1, [x3]", "61 04 20 f8", "load 8"},
    {"ld1 {v1.16b}, [x2]", "41 70 40 4c", "load 16, vector 128"},
    {"ld1 {v1.8b-v4.8b}, [x2]", "41 20 40 0c", "4 loads 32, vector 64"},
    {"st2 {v1.4s, v2.4s}, [x2], #32", "41 88 9f 4c", "2 stores 32, vector 128"},
    {"ld3 {v1.8h-v3.8h}, [x2]", "41 44 40 4c", "3 loads 48, vector 128"},
    {"ld4 {v1.s-v4.s}[1], [x2]", "41 b0 60 0d", "4 loads 16, vector 128"},
    {"st1 {v1.d}[1], [x2]", "41 84 00 4d", "store 8, vector 128"},
    {"ld2r {v1.8b, v2.8b}, [x2]", "41 c0 60 0d", "2 loads 2, vector 64"},
    {"dc zva, x1", "21 74 0b d5", "store 0"},
    {"cpyfp [x1]!, [x2]!, x3!", "61 04 02 19", "load 0, store 0, repeats"},
    {"setp [x1]!, x2!, x3", "41 04 c3 19", "store 0, repeats"},
    {"b .+0x100", "40 00 00 14", "branch to 0x100"},
    {"bl .-0x100", "c0 ff ff 97", "branch call to -0x100"},
    {"b.ne .+0x10", "81 00 00 54", "branch conditional to 0x10"},
    {"b.al .+0x10", "8e 00 00 54", "branch to 0x10"},
    {"cbz x1, .+0x10", "81 00 00 b4", "branch conditional to 0x10"},
    {"tbnz w1, #3, .-0x10", "81 ff 1f 37", "branch conditional to -0x10"},
    {"br x1", "20 00 1f d6", "branch indirect"},
    {"blr x1", "20 00 3f d6", "branch indirect call"},
    {"blraaz x1", "3f 08 3f d6", "branch indirect call"},
    {"ret", "c0 03 5f d6", "branch return"},
    {"retaa", "ff 0b 5f d6", "branch return"},
    {"svc #0", "01 00 00 d4", "system"},
    {"brk #1", "20 00 20 d4", ""},
    {"udf #0", "00 00 00 00", ""},
    {"nop", "1f 20 03 d5", "padding"},
    {"bti c", "5f 24 03 d5", ""},
    {"yield", "3f 20 03 d5", ""},
    {"add x1, x2, #1", "41 04 00 91", ""},
    {"madd x1, x2, x3, x4", "41 10 03 9b", ""},
    {"udiv w1, w2, w3", "41 08 c3 1a", "division"},
    {"sdiv x1, x2, x3", "41 0c c3 9a", "division"},
    {"fdiv d1, d2, d3", "41 18 63 1e", "division"},
    {"fdiv v1.2d, v2.2d, v3.2d", "41 fc 63 6e", "division, vector 128"},
    {"fdiv v1.4h, v2.4h, v3.4h", "41 3c 43 2e", "division, vector 64"},
    {"fadd d1, d2, d3", "41 28 63 1e", ""},
    {"fmadd s1, s2, s3, s4", "41 10 03 1f", ""},
    {"fsqrt d1, d2", "41 c0 61 1e", ""},
    {"scvtf d1, x2", "41 00 62 9e", ""},
    {"fmov d1, x2", "41 00 67 9e", ""},
    {"add d1, d2, d3", "41 84 e3 5e", ""},
    {"add v1.2s, v2.2s, v3.2s", "41 84 a3 0e", "vector 64"},
    {"add v1.2d, v2.2d, v3.2d", "41 84 e3 4e", "vector 128"},
    {"movi d1, #0", "01 e4 00 2f", ""},
    {"movi v1.2d, #0", "01 e4 00 6f", "vector 128"},
    {"mov v1.d[1], x2", "41 1c 18 4e", "vector 128"},
    {"mov x2, v1.d[1]", "22 3c 18 4e", "vector 128"},
    {"umov w2, v1.h[1]", "22 3c 06 0e", "vector 128"},
    {"mov d1, v2.d[1]", "41 04 18 5e", ""},
    {"dup v1.2s, w2", "41 0c 04 0e", "vector 64"},
    {"xtn v1.8b, v2.8h", "41 28 21 0e", "vector 128"},
    {"sxtl v1.8h, v2.8b", "41 a4 08 0f", "vector 128"},
    {"saddw v1.2d, v1.2d, v2.2s", "21 10 a2 0e", "vector 128"},
    {"smull v1.4s, v2.4h, v3.h[1]", "41 a0 53 0f", "vector 128"},
    {"fmla v1.2s, v2.2s, v3.s[1]", "41 10 a3 0f", "vector 64"},
    {"shrn v1.8b, v2.8h, #4", "41 84 0c 0f", "vector 128"},
    {"shl v1.8b, v2.8b, #4", "41 54 0c 0f", "vector 64"},
    {"tbl v1.8b, {v2.16b}, v3.8b", "41 00 03 0e", "vector 128"},
    {"addp d1, v2.2d", "41 b8 f1 5e", "vector 128"},
    {"faddp s1, v2.2s", "41 d8 30 7e", "vector 64"},
    {"aese v1.16b, v2.16b", "41 48 28 4e", "vector 128"},
    {"sha1c q1, s2, v3.4s", "41 00 03 5e", "vector 128"},
    {"sha1h s1, s2", "41 08 28 5e", ""},
    {"sha512h q1, q2, v3.2d", "41 80 63 ce", "vector 128"},
    {"add z1.s, z2.s, z3.s", "41 00 a3 04", "scalable"},
    {"ld1d {z1.d}, p0/z, [x1]", "21 a0 e0 a5", "load 0, scalable"},
    {"ld1w {z1.d}, p0/z, [x1, z2.d]", "21 c0 42 c5", "load 0, scalable"},
    {"st1b {z1.b}, p0, [x1]", "21 e0 00 e4", "store 0, scalable"},
    {"prfd pldl1keep, p0, [x1]", "20 60 c0 85", "scalable"},
    {"udiv z1.s, p0/m, z1.s, z2.s", "41 00 95 04", "division, scalable"},
    {"fdiv z1.d, p0/m, z1.d, z2.d", "41 80 cd 65", "division, scalable"},
    {"(no instruction)", "00 00 00 02", "unknown"},
    {"(load of a pair with an unallocated size)", "00 00 40 e9", "unknown"},
};

static const struct expected riscv64[] = {
    {"lb a0,1(a1)", "03 85 15 00", "load 1"},
    {"lhu a0,2(a1)", "03 d5 25 00", "load 2"},
    {"lw a0,2047(a1)", "03 a5 f5 7f", "load 4"},
    {"ld a0,1000(a1)", "03 b5 85 3e", "load 8"},
    {"flw fa0,4(a1)", "07 a5 45 00", "load 4"},
    {"fld fa0,2000(a1)", "07 b5 05 7d", "load 8"},
    {"sb a0,1(a1)", "a3 80 a5 00", "store 1"},
    {"sd a0,1000(a1)", "23 b4 a5 3e", "store 8"},
    {"fsw fa0,4(a1)", "27 a2 a5 00", "store 4"},
    {"lr.w a0,(a1)", "2f a5 05 10", "load 4"},
    {"sc.d a0,a2,(a1)", "2f b5 c5 18", "store 8"},
    {"amoadd.w a0,a2,(a1)", "2f a5 c5 00", "load 4, store 4"},
    {"amoswap.d a0,a2,(a1)", "2f b5 c5 08", "load 8, store 8"},
    {"fence", "0f 00 f0 0f", ""},
    {"cbo.zero (a1)", "0f a0 45 00", "store 0"},
    {"c.lw a0,4(a1)", "c8 41", "load 4"},
    {"c.ld a0,8(a1)", "88 65", "load 8"},
    {"c.fld fa0,8(a1)", "88 25", "load 8"},
    {"c.sw a0,4(a1)", "c8 c1", "store 4"},
    {"c.sd a0,8(a1)", "88 e5", "store 8"},
    {"c.fsd fa0,8(a1)", "88 a5", "store 8"},
    {"c.lwsp a0,4(sp)", "12 45", "load 4"},
    {"c.ldsp ra,8(sp)", "a2 60", "load 8"},
    {"c.fldsp fa0,8(sp)", "22 25", "load 8"},
    {"c.swsp a0,4(sp)", "2a c2", "store 4"},
    {"c.sdsp ra,8(sp)", "06 e4", "store 8"},
    {"c.fsdsp fa0,8(sp)", "2a a4", "store 8"},
    {"c.addi4spn a0,sp,16", "08 08", ""},
    {"c.addi a0,1", "05 05", ""},
    {"c.li a0,1", "05 45", ""},
    {"c.mv a0,a1", "2e 85", ""},
    {"c.nop", "01 00", "padding"},
    {"nop", "13 00 00 00", "padding"},
    {"jal ra,.+0x1000", "ef 10 00 00", "branch call to 0x1000"},
    {"jal x0,.-0x1000", "6f f0 0f 80", "branch to -0x1000"},
    {"jal t0,.+0x100", "ef 02 00 10", "branch call to 0x100"},
    {"jal t0,.+0x55554", "ef 52 45 55", "branch call to 0x55554"},
    {"jalr ra,4(a0)", "e7 00 45 00", "branch indirect call"},
    {"jalr x0,4(a0)", "67 00 45 00", "branch indirect"},
    {"jalr x0,0(t0)", "67 80 02 00", "branch return"},
    {"jalr t1,0(t3)", "67 03 0e 00", "branch indirect"},
    {"c.j .-0x10", "c5 bf", "branch to -0x10"},
    {"c.j .+0x7fe", "fd af", "branch to 0x7fe"},
    {"c.j .+0x2a4", "55 a4", "branch to 0x2a4"},
    {"c.jr a0", "02 85", "branch indirect"},
    {"c.jr ra", "82 80", "branch return"},
    {"c.jalr a0", "02 95", "branch indirect call"},
    {"c.beqz a0,.+0x10", "01 c9", "branch conditional to 0x10"},
    {"c.bnez a0,.-0x100", "01 f1", "branch conditional to -0x100"},
    {"c.bnez a0,.+0x44", "31 e1", "branch conditional to 0x44"},
    {"beq a0,a1,.+0x800", "e3 00 b5 00", "branch conditional to 0x800"},
    {"bgeu a0,a1,.-0x1000", "63 70 b5 80", "branch conditional to -0x1000"},
    {"blt a0,a1,.+0x554", "63 4a b5 54", "branch conditional to 0x554"},
    {"mret", "73 00 20 30", "branch return"},
    {"ecall", "73 00 00 00", "system"},
    {"ebreak", "73 00 10 00", ""},
    {"c.ebreak", "02 90", ""},
    {"csrr a0,cycle", "73 25 00 c0", ""},
    {"div a0,a1,a2", "33 c5 c5 02", "division"},
    {"remuw a0,a1,a2", "3b f5 c5 02", "division"},
    {"mul a0,a1,a2", "33 85 c5 02", ""},
    {"fdiv.d fa0,fa1,fa2", "53 f5 c5 1a", "division"},
    {"fsqrt.d fa0,fa1", "53 f5 05 5a", ""},
    {"fmadd.s fa0,fa1,fa2,fa3", "43 f5 c5 68", ""},
    {"auipc a0,1", "17 15 00 00", ""},
    {"lui a0,16", "37 05 01 00", ""},
    {"addiw a0,a0,1000", "1b 05 85 3e", ""},
    {"vsetvli a0,a1,e32,m1,ta,ma", "57 f5 05 0d", ""},
    {"vadd.vv v1,v2,v3", "d7 80 21 02", "scalable"},
    {"vle32.v v1,(a0)", "87 60 05 02", "load 0, scalable"},
    {"vluxei32.v v1,(a0),v2", "87 60 25 06", "load 0, scalable"},
    {"vse64.v v1,(a0)", "a7 70 05 02", "store 0, scalable"},
    {"vdiv.vv v1,v2,v3", "d7 a0 21 86", "division, scalable"},
    {"vfdiv.vf v1,v2,fa0", "d7 50 25 82", "division, scalable"},
    {"vfrdiv.vf v1,v2,fa0", "d7 50 25 86", "division, scalable"},
    {"(no instruction)", "00 00", "unknown"},
    {"(load with an unallocated size)", "03 f5 05 00", "unknown"},
    {"(compressed jump to register 0)", "02 80", "unknown"},
};

static const struct processor {
    int machine;
    const struct expected *list;
    size_t count;
} processors[] = {
    {EM_X86_64, x86_64, LENGTH(x86_64)},
    {EM_AARCH64, aarch64, LENGTH(aarch64)},
    {EM_RISCV, riscv64, LENGTH(riscv64)},
};

/* Writes a file with the code that TEXT gives in hexadecimal digits, and opens it. Stores
   the size of the code in *SIZE. */
static struct elffile *open_code(int machine, const char *text, size_t *size)
{
    free(make_bytes(text, size));
    make_elf("code", &(struct make_elf){.machine = machine, .code = text});
    struct elffile *events = events_open("code");
    ck_assert_ptr_nonnull(events);
    return events;
}

/* Appends to TEXT, after a comma if it is not empty. */
static void append(char *text, const char *word)
{
    strcat(strcat(text, *text ? ", " : ""), word);
}

static void append_accesses(char *text, const char *word, unsigned count, unsigned bytes)
{
    char part[40];
    if (count == 1)
        snprintf(part, sizeof part, "%s %u", word, bytes);
    else
        snprintf(part, sizeof part, "%u %ss %u", count, word, bytes);
    if (count || bytes)
        append(text, part);
}

static void describe_branch(char *text, const struct events_insn *insn)
{
    char part[40];
    strcat(text, insn->branch ? "branch" : "");
    strcat(text, insn->conditional ? " conditional" : "");
    strcat(text, insn->indirect ? " indirect" : "");
    strcat(text, insn->call ? " call" : "");
    strcat(text, insn->returns ? " return" : "");
    long long distance = (long long)(insn->target - insn->address);
    snprintf(part, sizeof part, " to %s0x%llx", distance < 0 ? "-" : "",
             distance < 0 ? -distance : distance);
    strcat(text, insn->target ? part : "");
}

static const char *describe(const struct events_insn *insn)
{
    static char text[200];
    char vector[40];
    *text = 0;
    describe_branch(text, insn);
    if (insn->division)
        append(text, "division");
    append_accesses(text, "load", insn->loads, insn->load_bytes);
    append_accesses(text, "store", insn->stores, insn->store_bytes);
    snprintf(vector, sizeof vector, "vector %u", (unsigned)insn->vector);
    if (insn->vector)
        append(text, vector);
    if (insn->scalable)
        append(text, "scalable");
    if (insn->repeats)
        append(text, "repeats");
    if (insn->system)
        append(text, "system");
    if (insn->padding)
        append(text, "padding");
    if (insn->unknown)
        append(text, "unknown");
    return text;
}

/* All instructions of the list, one after the other. */
TEST_ROWS(what_each_counts, processors)
{
    static char text[100 * 200];
    const struct processor *processor = &processors[_i];
    size_t size;
    for (size_t i = 0; i < processor->count; i++)
        strcat(strcat(text, processor->list[i].bytes), " ");
    struct elffile *events = open_code(processor->machine, text, &size);
    struct events_code code = events_read(events, START, START + size);
    uint64_t address = START;
    for (size_t i = 0; i < processor->count; i++) {
        const struct expected *expected = &processor->list[i];
        ck_assert_uint_lt(i, code.count);
        const struct events_insn *insn = &code.list[i];
        ck_assert_msg(insn->address == address, "%s: begins elsewhere", expected->name);
        ck_assert_msg(insn->size == (strlen(expected->bytes) + 1) / 3, "%s: size %u",
                      expected->name, (unsigned)insn->size);
        ck_assert_msg(strcmp(describe(insn), expected->events) == 0, "%s: %s, not %s",
                      expected->name, describe(insn), expected->events);
        address += insn->size;
    }
    ck_assert_uint_eq(code.count, processor->count);
    free(code.list);
    elffile_close(events);
}

/* Conditional branches, indirect jumps and indirect calls are predicted; direct jumps,
   direct calls and returns are not counted. */
TEST(mispredictable)
{
    size_t size;
    struct elffile *events =
        open_code(EM_X86_64, "74 10 ff e0 ff d0 eb 10 e8 00 00 00 00 c3 90", &size);
    struct events_code code = events_read(events, START, START + size);
    ck_assert_uint_eq(code.count, 7);
    for (size_t i = 0; i < code.count; i++)
        ck_assert_int_eq(events_mispredictable(&code.list[i]), i < 3);
    free(code.list);
    elffile_close(events);
}

/* A conditional branch over a jump, at the end of the code. */
static const struct {
    int machine;
    const char *code;
    bool far;
} ends[] = {
    {EM_RISCV, "63 04 05 00 6f 10 00 00", true},        /* beqz a0,.+8; j .+0x1000 */
    {EM_RISCV, "63 04 05 00 ef 10 00 00", false},       /* a call */
    {EM_RISCV, "63 06 05 00 6f 10 00 00", false},       /* beqz a0,.+12 */
    {EM_RISCV, "63 04 05 00 6f 10 00 00 01 00", false}, /* something follows */
    {EM_RISCV, "6f 10 00 00", false},
    {EM_AARCH64, "40 00 00 54 00 04 00 14", true},  /* b.eq .+8; b .+0x1000 */
    {EM_AARCH64, "40 00 00 54 00 04 00 94", false}, /* a call */
    {EM_X86_64, "74 05 e9 00 10 00 00", true},      /* je .+7; jmp .+0x1005 */
    {EM_X86_64, "74 02 ff e0", false},              /* an indirect jump */
    {EM_X86_64, "74 02 74 10", false},
    {EM_X86_64, "", false},
};

TEST_ROWS(far_conditions, ends)
{
    size_t size;
    struct elffile *events = open_code(ends[_i].machine, ends[_i].code, &size);
    struct events_code code = events_read(events, START, START + size);
    ck_assert_int_eq(events_ends_far(&code), ends[_i].far);
    free(code.list);
    elffile_close(events);
}

/* How often each instruction of a block is executed. ? marks instructions whose
   executions depend on a condition inside the block. */
static const struct {
    const char *code, *times;
} walks[] = {
    {"90 90 74 10", "1 1 1"},
    {"75 fe 90", "1 1"},                       /* 1: jne 1b; nop */
    {"74 01 90 90", "1 1? 1"},                 /* je 1f; nop; 1: nop */
    {"74 00 90", "1 1"},                       /* je 1f; 1: nop */
    {"74 01 90", "1 1?"},                      /* je 1f; nop; 1: */
    {"74 03 90 eb 01 90 90", "1 1? 1? 1? 1"},  /* je 1f; nop; jmp 2f; 1: nop; 2: nop */
    {"eb 01 90 90", "1 0 1"},                  /* jmp 1f; nop; 1: nop */
    {"90 eb fd 90", "1 1 0"},                  /* 1: nop; jmp 1b; nop */
    {"74 10 90 75 10", "1 1? 1?"},             /* asm goto with two jumps */
    {"74 02 eb 40 90", "1 1? 1?"},             /* je 1f; jmp elsewhere; 1: nop */
    {"c3 cc", "1 0"},                          /* ret; int3 */
    {"ff e0 cc", "1 0"},                       /* jmp *%rax; int3 */
    {"e8 00 00 00 00 58 90", "1 1 1"},         /* call 1f; 1: pop %rax; nop */
    {"e8 02 00 00 00 eb 01 c3 90", "1 1 1 1"}, /* call 1f; jmp 2f; 1: ret; 2: nop */
    /* call 1f; call 1f; jmp 2f; 1: push %rax; pop %rax; ret; 2: */
    {"e8 07 00 00 00 e8 02 00 00 00 eb 03 50 58 c3", "1 1 1 2 2 2"},
    /* call 1f; jmp 2f; 1: sub $16,%rsp; add $16,%rsp; ret; 2: */
    {"e8 02 00 00 00 eb 09 48 83 ec 10 48 83 c4 10 c3", "1 1 1 1 1"},
    /* call 1f; jmp 2f; 1: leave; ret; 2: nop: the stack is not known. */
    {"e8 02 00 00 00 eb 02 c9 c3 90", "1 1? 1 1 1?"},
    /* The inline thunk of a call: jmp 3f; 1: call 2f; pause; lfence; jmp .-5; 2: mov
       %rax,(%rsp); ret; 3: call 1b. */
    {"eb 11 e8 07 00 00 00 f3 90 0f ae e8 eb f9 48 89 04 24 c3 e8 ea ff ff ff 90",
     "1 1 0 0 0 1 1 1 1"},
    /* The inline thunk of a return: call 1f; pause; lfence; jmp .-5; 1: lea 8(%rsp),%rsp;
       ret. */
    {"e8 07 00 00 00 f3 90 0f ae e8 eb f9 48 8d 64 24 08 c3", "1 0 0 0 1 1"},
    /* A conditional branch over a jump, at the end. */
    {"90 74 05 e9 00 10 00 00", "1 1 1"},
    {"", ""},
};

TEST_ROWS(jumps_inside, walks)
{
    char text[200] = "";
    size_t size;
    struct elffile *events = open_code(EM_X86_64, walks[_i].code, &size);
    struct events_code code = events_read(events, START, START + size);
    struct events_pass *passes = events_walk(&code);
    for (size_t i = 0; i < code.count; i++)
        sprintf(text + strlen(text), "%s%u%s", i ? " " : "", passes[i].times,
                passes[i].perhaps ? "?" : "");
    ck_assert_str_eq(text, walks[_i].times);
    free(passes);
    free(code.list);
    elffile_close(events);
}

/* An instruction that crosses the end of the code or of the range is unknown. Bytes
   outside of the section are never read. */
static const struct {
    int machine;
    const char *code;
    uint64_t start, end; /* offsets */
    const char *expected;
} ranges[] = {
    {EM_X86_64, "b8 01 02 03 04", 0, 100, "5 "},
    {EM_X86_64, "b8 01 02 03 04", 0, 4, "1? 2 1? "},
    {EM_X86_64, "b8 01 02 03", 0, 100, "1? 2 1? "},
    {EM_X86_64, "b8 01 02 03 04", 5, 6, ""},
    {EM_X86_64, "b8 01 02 03 04", (uint64_t)-1, 5, ""},
    {EM_X86_64, "b8 01 02 03 04", 2, 2, ""},
    {EM_X86_64, "b8 01 02 03 04", 3, 2, ""},
    {EM_X86_64, "90 66 66", 0, 3, "1 1? 1? "},
    {EM_AARCH64, "1f 20 03 d5 1f 20 03", 0, 100, "4 3? "},
    {EM_AARCH64, "1f 20 03 d5 1f 20 03 d5", 4, 6, "2? "},
    {EM_AARCH64, "ff ff ff ff 1f 20 03 d5", 0, 8, "4? 4 "},
    {EM_RISCV, "01 00 13 00 00", 0, 100, "2 2? 1? "},
    {EM_RISCV, "01 00 13 00 00 00", 0, 3, "2 1? "},
    /* An instruction of 48 bits, and an undefined instruction. */
    {EM_RISCV, "1f 00 00 00 00 00 01 00", 0, 8, "2? 2? 2? 2 "},
    {EM_RISCV, "0b 00 00 00 01 00", 0, 6, "4? 2 "},
};

TEST_ROWS(where_code_ends, ranges)
{
    size_t size;
    char text[200] = "", part[40];
    struct elffile *events = open_code(ranges[_i].machine, ranges[_i].code, &size);
    struct events_code code =
        events_read(events, START + ranges[_i].start, START + ranges[_i].end);
    for (size_t i = 0; i < code.count; i++) {
        const struct events_insn *insn = &code.list[i];
        snprintf(part, sizeof part, "%u%s ", (unsigned)insn->size,
                 insn->unknown ? "?" : "");
        strcat(text, part);
        if (insn->unknown)
            ck_assert_str_eq(describe(insn), "unknown");
    }
    ck_assert_str_eq(text, ranges[_i].expected);
    free(code.list);
    elffile_close(events);
}

/* Random bytes: each byte belongs to one entry. */
TEST_ROWS(random_bytes, processors)
{
    static char text[3 * 20000 + 1];
    size_t size;
    srandom(50);
    for (size_t i = 0; i < 20000; i++)
        sprintf(text + 3 * i, "%02lx ", random() & 255);
    struct elffile *events = open_code(processors[_i].machine, text, &size);
    struct events_code code = events_read(events, START, START + size);
    uint64_t address = START;
    for (size_t i = 0; i < code.count; i++) {
        ck_assert_uint_eq(code.list[i].address, address);
        ck_assert_uint_gt(code.list[i].size, 0);
        address += code.list[i].size;
    }
    ck_assert_uint_eq(address, START + size);
    free(code.list);
    elffile_close(events);
}

TEST(files_that_are_refused)
{
    static const struct make_elf files[] = {
        {.machine = EM_X86_64, .class = ELFCLASS32, .code = "90"},
        {.machine = EM_AARCH64, .order = ELFDATA2MSB, .code = "1f 20 03 d5"},
        {.machine = EM_RISCV, .class = ELFCLASS32, .code = "01 00"},
        {.machine = EM_S390, .order = ELFDATA2MSB, .code = "07 00"},
        {.machine = EM_PPC64, .code = "00 00 00 60"},
    };
    for (size_t i = 0; i < LENGTH(files); i++) {
        make_elf("code", &files[i]);
        ck_assert_ptr_null(events_open("code"));
    }
    ck_assert_ptr_null(events_open("nowhere"));
    ck_assert_ptr_null(events_open("."));
    FILE *file = fopen("text", "w");
    fputs("no ELF file", file);
    fclose(file);
    ck_assert_ptr_null(events_open("text"));
    elffile_close(NULL);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Calls in quiet functions (watch.h) on x86-64. The region's address is pushed, so that
// no register is needed. The red zone and the flags are not in use where this code is
// inserted. The runtime's functions preserve the floating-point and vector registers
// (rt/ccprof.h); all other registers are saved here.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/assembly.h"
#include "plugin/watch/watch.h"
#include "rt/ccprof.h"

static bool is_used;

bool quiet_is_possible(void)
{
    return ix86_cmodel != CM_LARGE && ix86_cmodel != CM_LARGE_PIC && !TARGET_X32;
}

char *quiet_text(unsigned region, bool enters, bool cfi)
{
    char push[80];
    bool is_intel = ASSEMBLER_DIALECT != 0;

    is_used = true;
    snprintf(push, sizeof push, "pushq\t" WATCHED_LABEL "+16(%%rip)\n", region);
    return concat(is_intel ? "\t.att_syntax prefix\n\t" : "\t", push,
                  cfi ? "\t.cfi_adjust_cfa_offset 8\n" : "", "\tcall\tccprof_watch_",
                  enters ? "enter" : "end", "\n\tleaq\t8(%rsp), %rsp",
                  cfi ? "\n\t.cfi_adjust_cfa_offset -8" : "",
                  is_intel ? "\n\t.intel_syntax noprefix" : "", NULL);
}

static const char text[] =
    "\t.pushsection .text.ccprof_watch,\"axG\",@progbits,ccprof_watch_@NAME@,comdat\n"
    "\t.att_syntax prefix\n"
    "\t.weak\tccprof_watch_@NAME@\n"
    "\t.hidden\tccprof_watch_@NAME@, ccprof_attach_api\n"
    "\t.type\tccprof_watch_@NAME@, @function\n"
    "ccprof_watch_@NAME@:\n"
    "\t.cfi_startproc\n"
    "\tpushq\t%rax\n"
    "\t.cfi_adjust_cfa_offset 8\n"
    "\tmovq\tccprof_attach_api(%rip), %rax\n"
    "\ttestq\t%rax, %rax\n"
    "\tje\t1f\n"
    "\tcmpq\t$@LAST@, (%rax)\n"
    "\tjbe\t1f\n"
    "\tpushq\t%rbp\n"
    "\t.cfi_adjust_cfa_offset 8\n"
    "\t.cfi_offset %rbp, -24\n"
    "\tmovq\t%rsp, %rbp\n"
    "\t.cfi_def_cfa_register %rbp\n"
    "\tpushq\t%rcx\n"
    "\tpushq\t%rdx\n"
    "\tpushq\t%rsi\n"
    "\tpushq\t%rdi\n"
    "\tpushq\t%r8\n"
    "\tpushq\t%r9\n"
    "\tpushq\t%r10\n"
    "\tpushq\t%r11\n"
    "\tandq\t$-16, %rsp\n"
    "\tmovq\t24(%rbp), %rdi\n"
    "\tmovq\t16(%rbp), %rsi\n"
    "\tdecq\t%rsi\n"
    "\tcall\t*@FIELD@(%rax)\n"
    "\tleaq\t-64(%rbp), %rsp\n"
    "\tpopq\t%r11\n"
    "\tpopq\t%r10\n"
    "\tpopq\t%r9\n"
    "\tpopq\t%r8\n"
    "\tpopq\t%rdi\n"
    "\tpopq\t%rsi\n"
    "\tpopq\t%rdx\n"
    "\tpopq\t%rcx\n"
    "\tpopq\t%rbp\n"
    "\t.cfi_def_cfa %rsp, 16\n"
    "\t.cfi_restore %rbp\n"
    "1:\tpopq\t%rax\n"
    "\t.cfi_adjust_cfa_offset -8\n"
    "\tret\n"
    "\t.cfi_endproc\n"
    "\t.size\tccprof_watch_@NAME@, .-ccprof_watch_@NAME@\n"
    "@DIALECT@"
    "\t.popsection\n";

static void emit_quiet_text(const char *name, size_t field)
{
    char offset[20], last[20];

    snprintf(offset, sizeof offset, "%zu", field);
    snprintf(last, sizeof last, "%zu", offsetof(struct ccprof_api, region_enter));
    const struct assembly_token tokens[] = {
        {"@NAME@", name},
        {"@FIELD@", offset},
        {"@LAST@", last},
        {"@DIALECT@", ASSEMBLER_DIALECT != 0 ? "\t.intel_syntax noprefix\n" : ""}};
    assembly_text(text, tokens, ARRAY_SIZE(tokens));
}

void quiet_emit(void)
{
    if (!is_used)
        return;
    emit_quiet_text("enter", offsetof(struct ccprof_api, region_enter));
    emit_quiet_text("end", offsetof(struct ccprof_api, region_end));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of machine instructions: accesses to memory, branches, divisions and vector
   operands of one execution of an instruction. A number of executions times these
   numbers gives the counts of a program. Decodes x86-64, AArch64 and RISC-V with 64
   bits.

   The events follow callgrind, with two exceptions. If an instruction reads and then
   writes the same operand, it counts as a load and a store; callgrind counts only a
   store. If an instruction repeats itself (rep movsb), one repetition counts; callgrind
   counts all.

   Accesses count as the architecture describes them, whether or not a condition or a mask
   prevents them at run time. So a masked load counts with the full width. Implicit
   accesses to the stack count: push, pop, call and return. Prefetches, address
   computations, cache maintenance and no-operations count no access. */

#ifndef MLPROF_EVENTS_H
#define MLPROF_EVENTS_H

#include "mlprof/elf/elffile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Changes of the stack, known for x86-64 only. */
struct events_stack {
    int16_t moved;     /* bytes that are added to the stack pointer; calls, returns: 0 */
    bool unknown : 1;  /* the stack pointer is moved by an unknown amount */
    bool replaces : 1; /* the word at the stack pointer is written; not by call, push, pop
                        */
};

struct events_insn {
    uint64_t address;
    uint64_t target; /* of a direct jump or call; 0: none */
    /* Number of accesses to memory and their bytes. A gather, a scatter, and an
       instruction that loads or stores two registers have several accesses. */
    uint16_t load_bytes, store_bytes;
    uint8_t loads, stores;
    uint8_t size; /* in bytes */
    struct events_stack stack;
    /* Width in bits of the widest vector operand, if the instruction computes with packed
       data or moves them: 64, 128, 256 or 512. 0: no vector operand, or only its lowest
       element is used (x86-64: addsd, movq), or the width is unknown. */
    uint16_t vector;
    bool unknown : 1; /* the bytes are no instruction; all other facts are 0 */
    /* Any change of control flow: jumps, calls, returns. Traps and system calls are not
       branches. */
    bool branch : 1;
    bool conditional : 1; /* a branch that may be not taken */
    bool indirect : 1;    /* a jump or call with a target that is not constant */
    bool call : 1;
    bool returns : 1;  /* a branch to the caller */
    bool division : 1; /* integer or floating-point, also of vectors; no square root */
    bool system : 1;   /* a system call */
    bool padding : 1;  /* a no-operation */
    /* The instruction repeats itself an unknown number of times (x86-64: prefix rep). Its
       accesses are those of one repetition. */
    bool repeats : 1;
    /* An instruction for vectors or predicates of SVE, SME or RVV, with a width that only
       the processor knows. A load or store of vectors counts as one access. Its bytes are
       unknown and are 0. */
    bool scalable : 1;
};

/* Returns whether the processor must predict the direction or the target: conditional
   branches, indirect jumps and indirect calls. Callgrind calls these events Bc and Bi.
   Returns are excluded, because processors predict them nearly without failure from a
   stack of return addresses. */
static inline bool events_mispredictable(const struct events_insn *insn)
{
    return insn->conditional || insn->indirect;
}

struct events_code {
    struct events_insn *list; /* in the order of addresses; freed by free */
    size_t count;
};

/* Opens a file, which elffile_close closes. Returns NULL if the file is missing or is for
   another processor. */
struct elffile *events_open(const char *path);

/* Returns the instructions from START to END of a file of events_open. The result may be
   empty. If bytes are not an instruction, each byte (x86-64), word (AArch64), or word or
   half-word (RISC-V) is an entry of its own. */
struct events_code events_read(const struct elffile *file, uint64_t start, uint64_t end);

/* How one execution of a block executes one of its instructions. */
struct events_pass {
    uint8_t times; /* 0 if jumps inside the block always skip it */
    bool perhaps;  /* a condition inside the block decides */
};

/* Follows the jumps inside a block, which only asm statements and some instructions of
   GCC have. Returns an entry for each instruction, freed by free. A loop inside the block
   has one iteration. */
struct events_pass *events_walk(const struct events_code *code);

/* Returns whether the code ends with a condition that jumps over an unconditional jump.
   GCC (AArch64) and the assembler (RISC-V) write this pair for a condition whose target
   is too far away for one instruction. */
bool events_ends_far(const struct events_code *code);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes the machine instructions of an executable or shared object: where they begin,
   where they lead, and how long they take at least.  Only the files insns*.c know the
   disassembler, which is Zydis.  */

#ifndef MLPROF_INSNS_H
#define MLPROF_INSNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where control goes after an instruction.  */
enum insns_transfer {
    INSNS_NEXT,   /* to the next instruction */
    INSNS_BRANCH, /* to the next instruction or to another */
    INSNS_JUMP,   /* to another instruction */
    INSNS_CALL,   /* to another function, and then perhaps to the next instruction */
    INSNS_RETURN, /* to the caller */
    INSNS_UNKNOWN /* not known, or the bytes are no instruction */
};

struct insn {
    uint64_t address;
    uint64_t target; /* of a jump or call to a constant address; otherwise 0 */
    /* The address of the word that holds the target of an indirect jump or call;
       otherwise 0.  */
    uint64_t slot;
    uint64_t refers; /* the address that the instruction puts into register TO; 0: none */
    uint8_t to,
        /* Numbers of registers, from 1.  The instruction copies FROM, or REFERS, to TO;
           0: it does not.  */
        from;
    /* Neither TARGET nor SLOT is known, and it may be the jump of a `switch'.  */
    bool table;
    enum insns_transfer transfer;
    unsigned cycles; /* from operands to result, if loads hit the nearest cache */
    bool memory;     /* it loads or stores an operand in memory */
    bool stores;     /* it stores the operand and does not load it */
    /* With a conditional jump behind it, the processor makes one operation of both.  */
    bool joins;
};

struct insns_code {
    struct insn *list; /* by address; to be freed */
    size_t count;
};

struct insns;

/* NULL if the file is missing, or if it is for another processor than x86-64.  */
struct insns *insns_open(const char *path);

/* INSNS may be NULL.  */
void insns_close(struct insns *insns);

/* Reads the instructions from START to END; there may be none.  */
struct insns_code insns_read(struct insns *insns, uint64_t start, uint64_t end);

/* The address that instructions before the call, number CALL in CODE, put into the first
   argument, without a jump or call between.  If the argument is copied from a register
   that functions preserve, the only address that CODE, a whole function, puts into this
   register. 0: not known.  */
uint64_t insns_first_argument(const struct insns_code *code, size_t call);

/* Writes the instruction at ADDRESS into TEXT of SIZE bytes, in AT&T's syntax as GCC and
   objdump have it, or `.byte 0xHH' if there is none.  */
void insns_text(const struct insns *insns, uint64_t address, char *text, size_t size);

#endif

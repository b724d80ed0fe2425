/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes the machine instructions of an executable or shared object: where they begin,
   where they lead, and how long they take at least.  No other module knows a processor or
   its disassembler, which is Zydis.  */

#ifndef MLPROF_INSNS_H
#define MLPROF_INSNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where control goes behind an instruction.  */
enum insns_transfer {
    INSNS_NEXT,   /* the next one */
    INSNS_BRANCH, /* the next one or another */
    INSNS_JUMP,   /* another */
    INSNS_CALL,   /* another, and then the next one perhaps */
    INSNS_RETURN, /* another, of the caller */
    INSNS_UNKNOWN /* not known, or it is no instruction */
};

struct insn {
    uint64_t address;
    uint64_t target; /* of a jump or call that says it; 0 */
    uint64_t slot;   /* of one that does not: the address of the word that says it; 0 */
    uint64_t refers; /* the address that it puts into TO; 0 */
    uint8_t to,
        from;   /* numbers of registers, from 1: it copies FROM, or REFERS, to TO; 0 */
    bool table; /* neither is known, and it may be a jump of a `switch' */
    enum insns_transfer transfer;
    unsigned cycles; /* from its operands to its result, what it loads being near */
    bool memory;     /* it loads or stores an operand */
    bool stores;     /* and does not load it */
    bool joins;      /* with a conditional jump behind it, to one operation */
};

struct insns_code {
    struct insn *list; /* by address; to be freed */
    size_t count;
};

struct insns;

/* NULL if there is no such file any more, or it is for a processor of which nothing is
   known here: x86-64 is.  */
struct insns *insns_open(const char *path);

/* INSNS may be NULL.  */
void insns_close(struct insns *insns);

/* Reads the instructions from START to END, which may be none.  */
struct insns_code insns_read(struct insns *insns, uint64_t start, uint64_t end);

/* The address that the instructions before number CALL make its first argument, without a
   call or jump between; or, behind those, the only address that CODE, a whole function,
   puts into the register that it comes from, if functions keep that one; 0: not known. */
uint64_t insns_first_argument(const struct insns_code *code, size_t call);

/* Writes the instruction at ADDRESS into TEXT of SIZE bytes, in AT&T's syntax as GCC and
   objdump have it; `.byte 0xHH' what is none.  */
void insns_text(const struct insns *insns, uint64_t address, char *text, size_t size);

#endif

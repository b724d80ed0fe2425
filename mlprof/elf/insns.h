/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes the machine instructions of an executable or shared object: their addresses,
   their successors, and their latencies. Only insns.c and events-x86_64.c use the
   disassembler, Zydis. */

#ifndef MLPROF_INSNS_H
#define MLPROF_INSNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where execution continues after an instruction. */
enum insns_transfer {
    INSNS_NEXT,   /* at the next instruction */
    INSNS_BRANCH, /* at the next instruction or at the jump's target */
    INSNS_JUMP,   /* at the jump's target */
    INSNS_CALL,   /* in another function, then perhaps at the next instruction */
    INSNS_RETURN, /* in the caller */
    INSNS_UNKNOWN /* unknown, or the bytes are not an instruction */
};

struct insn {
    uint64_t address;
    uint64_t target; /* constant target of a jump or call; 0: none */
    /* The address of the word in memory that holds the target of an indirect jump or
       call; 0: none. */
    uint64_t slot;
    uint64_t refers; /* address that is written to register TO; 0: none */
    /* Registers, numbered from 1. The instruction copies register FROM, or the address
       REFERS, to register TO; 0: no such copy. */
    uint8_t to, from;
    /* Whether this is an indirect jump without a known TARGET or SLOT. Such a jump may
       belong to a `switch'. */
    bool table;
    enum insns_transfer transfer;
    unsigned cycles; /* latency if loads hit the first-level cache */
    bool memory;     /* loads or stores a memory operand */
    bool stores;     /* stores the operand without loading it */
    /* The processor fuses this instruction with a following conditional jump. */
    bool joins;
};

struct insns_code {
    struct insn *list; /* in the order of addresses; freed by free */
    size_t count;
};

struct insns;

/* Opens a file. Returns NULL if the file is missing or is not for x86-64. */
struct insns *insns_open(const char *path);

/* Closes INSNS, which may be NULL. */
void insns_close(struct insns *insns);

/* Returns the instructions from START to END. The result may be empty. */
struct insns_code insns_read(struct insns *insns, uint64_t start, uint64_t end);

/* Returns the address that the call passes as its first argument, or 0 if it is
   unknown. CALL is the number of the call in CODE. The instructions before the call
   are searched, up to the next jump or call. If the argument is copied from a register
   that called functions preserve, the result is the only address that CODE writes to
   this register; CODE must be a whole function. */
uint64_t insns_first_argument(const struct insns_code *code, size_t call);

/* Returns a name for ADDRESS, the target of a jump or call, or of DATA; or NULL if it has
   none. insns_text frees it. */
typedef char *insns_name(void *context, uint64_t address, bool data);

/* Returns the instruction at ADDRESS as objdump writes it, in AT&T syntax, or
   `.byte 0xHH' if it cannot be decoded. Addresses are written as NAME (which may be NULL)
   names them; it is called with CONTEXT. The caller frees the result. */
char *insns_text(const struct insns *insns, uint64_t address, insns_name *name,
                 void *context);

#endif

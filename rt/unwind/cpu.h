/* SPDX-License-Identifier: MIT */
/* Hides what differs between processors from the unwinder: one file cpu-NAME.c for each,
   NAME as in the first word of `gcc -dumpmachine'.  */

#ifndef CCPROF_CPU_H
#define CCPROF_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* Registers as DWARF numbers them, from 0 on; what is behind these is not needed to
   find a caller.  */
#define CCPROF_CPU_REGISTERS 33

struct ccprof_cpu {
    unsigned registers;     /* how many there are, CCPROF_CPU_REGISTERS at most */
    unsigned stack_pointer; /* its number */
    uint64_t code;          /* the bits of a return address that are an address */
};

extern const struct ccprof_cpu ccprof_cpu;

/* The registers at the moment when a signal came; the return address need not be
   among them.  Async-signal-safe.  */
void ccprof_cpu_registers(const void *context, uint64_t *registers);

/* The program counter at which a signal came.  CONTEXT is the third argument of
   its handler.  Async-signal-safe.  */
uint64_t ccprof_cpu_pc(const void *context);

/* A register behind those, of which the length of vectors can be told: GCC writes frames
   with vectors of a length that only the processor knows as so many times its value.
   Returns false if there is no such register, or the processor has no such vectors.
   Async-signal-safe.  */
bool ccprof_cpu_vector_register(uint64_t number, uint64_t *value);

struct ccprof_safe_read;

/* Undoes a call that has just been made, to where nothing is: the registers and *PC are
   as behind it.  Returns false if that is not possible.  Async-signal-safe.  */
bool ccprof_cpu_undo_call(uint64_t *registers, struct ccprof_safe_read *readable,
                          uint64_t *pc);

/* Goes from the end of a signal's handler to what it interrupted, where PC, to which the
   handler returns, is the kernel's code that ends it and may have no tables: the
   registers and *PC are as when the signal came.  Returns false if it is no such code.
   Async-signal-safe.  */
bool ccprof_cpu_leave_signal(uint64_t *registers, struct ccprof_safe_read *readable,
                             uint64_t *pc);

/* Whether the signal came at a system call: the program counter is at the instruction
   (it is to be repeated) or behind it.  Code need not be readable; then it did not.
   Async-signal-safe.  */
bool ccprof_cpu_is_at_call(const void *context);

/* Whether the signal interrupted a system call that returns EINTR for it: the program
   counter is behind the instruction.  Async-signal-safe.  */
bool ccprof_cpu_is_interrupted_call(const void *context);

/* Whether a dynamic relocation of this type (R_*_JUMP_SLOT, R_*_GLOB_DAT and
   their like) stores the plain address of its symbol in a slot of 8 bytes.  */
bool ccprof_cpu_is_slot(uint32_t type);

#endif

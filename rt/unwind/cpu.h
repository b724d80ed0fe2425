/* SPDX-License-Identifier: MIT */
/* Hides the differences between processors from the unwinder.  Each processor has a file
   cpu-NAME.c, where NAME is the first word of `gcc -dumpmachine'.  All functions but
   is_slot are async-signal-safe.  */

#ifndef CCPROF_CPU_H
#define CCPROF_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* Registers have their DWARF numbers, from 0 on.  Registers with higher numbers are not
   needed to find a caller.  */
#define CCPROF_CPU_REGISTERS 33

struct ccprof_cpu {
    unsigned registers;     /* number of registers, CCPROF_CPU_REGISTERS at most */
    unsigned stack_pointer; /* number of the stack pointer */
    unsigned frame_pointer; /* and of the frame pointer, where there is one */
    uint64_t code; /* mask of the bits of a return address that are the address */
};

extern const struct ccprof_cpu ccprof_cpu;

/* Copies the registers that the signal interrupted to REGISTERS.  The program counter is
   among them only where DWARF numbers it.  */
void ccprof_cpu_registers(const void *context, uint64_t *registers);

/* Returns the program counter that the signal interrupted.  CONTEXT is the third argument
   of the signal's handler.  */
uint64_t ccprof_cpu_pc(const void *context);

/* Copies the registers that its caller has behind the call, as far as a function must
   leave them as they were, and the stack pointer, to REGISTERS.  Returns the address
   behind the call.  */
uint64_t ccprof_cpu_caller(uint64_t *registers);

/* Gives the value of a register, with a number above those of struct ccprof_cpu, that
   tells how long the processor's vectors are: GCC describes frames that hold vectors by
   multiples of this value.  Returns false if NUMBER is no such register, or if the
   processor has no such vectors.  */
bool ccprof_cpu_vector_register(uint64_t number, uint64_t *value);

struct ccprof_safe_read;

/* Undoes a call to an address that holds no code: sets *PC and the registers to what they
   would be after the call's return.  Returns false if the stack is not readable.  */
bool ccprof_cpu_undo_call(uint64_t *registers, struct ccprof_safe_read *readable,
                          uint64_t *pc);

/* Steps from a signal's handler to the code that the signal interrupted, where *PC, the
   handler's return address, is the kernel's code that ends a handler and may have no
   unwind tables.  Sets the registers and *PC to what they were when the signal came.
   Returns false if other code is at *PC.  */
bool ccprof_cpu_leave_signal(uint64_t *registers, struct ccprof_safe_read *readable,
                             uint64_t *pc);

/* A system call.  */
struct ccprof_cpu_call {
    uint64_t at; /* an address in the instruction */
    int number;  /* not from 0 to CCPROF_KERNEL_CALLS_MOST: not known */
    /* The first two arguments, set where the number may be unknown.  */
    uint64_t argument[2];
};

/* Fills *CALL with the system call at which the signal came: the program counter is at
   the instruction, which will be repeated, or behind the instruction.  Returns false if
   there is none, or if the code is not readable.  */
bool ccprof_cpu_find_call(const void *context, struct ccprof_cpu_call *call);

/* Returns whether the signal interrupted a system call that then returns EINTR: the
   program counter is behind the instruction.  */
bool ccprof_cpu_is_interrupted_call(const void *context);

/* Returns whether a dynamic relocation of this type (R_*_JUMP_SLOT, R_*_GLOB_DAT and the
   like) with this addend stores the plain address of its symbol in a slot of 8 bytes.  */
bool ccprof_cpu_is_slot(uint32_t type, int64_t addend);

/* Recognizes the instructions that the plugin writes to store into the field
   (plugin/field/field.h), for the SIGPROF handler.  Each processor that has such
   stores has a file store-NAME.c; the others have store-none.c.  */

/* Returns whether the signal came inside a store into the field, or right before one;
   *SITE is then the site that the store writes.  OFFSET is the distance of the field from
   the thread pointer.  A thread that waits, for instance behind a call, is at the
   instruction that it will execute next, not at the one before.  Returns false if the
   code is not readable.  Async-signal-safe.  */
bool ccprof_store_interrupted(const void *context, intptr_t offset, uint64_t *site);

#endif

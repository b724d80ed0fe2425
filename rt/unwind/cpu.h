/* SPDX-License-Identifier: MIT */
/* Hides the differences between processors from the unwinder and the rest of the
   runtime. Each processor has a file cpu-NAME.c, where NAME is the first word of `gcc
   -dumpmachine'. All functions except ccprof_cpu_is_slot are async-signal-safe. */

#ifndef CCPROF_CPU_H
#define CCPROF_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* Registers are numbered as in DWARF, from 0 on. Registers with higher numbers are
   not needed to find a caller. */
#define CCPROF_CPU_REGISTERS 33

struct ccprof_cpu {
    unsigned registers;     /* number of registers, at most CCPROF_CPU_REGISTERS */
    unsigned stack_pointer; /* number of the stack pointer */
    unsigned frame_pointer; /* number of the frame pointer, if there is one */
    uint64_t code;          /* mask for the address bits of a return address */
};

extern const struct ccprof_cpu ccprof_cpu;

/* Copies the registers that the signal interrupted to REGISTERS. They include the
   program counter only if DWARF has a number for it. */
void ccprof_cpu_registers(const void *context, uint64_t *registers);

/* Returns the program counter that the signal interrupted. CONTEXT is the third
   argument of the signal handler. */
uint64_t ccprof_cpu_pc(const void *context);

/* Copies its caller's registers after the call to REGISTERS: the stack pointer and the
   registers that a function must preserve. Returns the address after the call. */
uint64_t ccprof_cpu_caller(uint64_t *registers);

/* NUMBER is above the numbers of the registers in struct ccprof_cpu. If it is the
   number of the register that gives the length of the processor's vectors, stores the
   value of this register. GCC describes frames that contain vectors with multiples of
   this value. Returns false if NUMBER is no such register, or if the processor has no
   such vectors. */
bool ccprof_cpu_vector_register(uint64_t number, uint64_t *value);

struct ccprof_safe_read;

/* Undoes a call of an address without code: sets *PC and the registers to their values
   after the return of the call. Returns false if the stack is not readable. */
bool ccprof_cpu_undo_call(uint64_t *registers, struct ccprof_safe_read *readable,
                          uint64_t *pc);

/* Steps from a signal handler to the code that the signal interrupted, if *PC, the
   handler's return address, is the kernel's code that ends a handler. This code may
   have no unwind tables. Sets the registers and *PC to their values when the signal
   arrived. Returns false if there is other code at *PC. */
bool ccprof_cpu_leave_signal(uint64_t *registers, struct ccprof_safe_read *readable,
                             uint64_t *pc);

/* A system call. */
struct ccprof_cpu_call {
    uint64_t address; /* address in the instruction */
    int number;       /* not from 0 to CCPROF_KERNEL_CALLS_MOST: unknown */
    /* The first two arguments; set only for processors on which NUMBER may be unknown. */
    uint64_t argument[2];
};

/* Fills *CALL with the system call during which the signal arrived. The program
   counter is either at the instruction, which will be repeated, or after it. Returns
   false if there is no system call, or if the code is not readable. */
bool ccprof_cpu_find_call(const void *context, struct ccprof_cpu_call *call);

/* Returns whether the signal interrupted a system call that will return EINTR. The
   program counter is after the instruction. */
bool ccprof_cpu_is_interrupted_call(const void *context);

/* Returns whether a dynamic relocation of this type (R_*_JUMP_SLOT, R_*_GLOB_DAT and
   similar) with this addend stores the plain address of its symbol in a slot of 8
   bytes. */
bool ccprof_cpu_is_slot(uint32_t type, int64_t addend);

/* The function below recognizes the instructions that the plugin generates to store
   into the field (plugin/field/field.h). A processor with such stores has a
   file store-NAME.c; the others use store-none.c. */

/* Returns whether the signal arrived within a store into the field, or just before a
   store; if so, sets *SITE to the site that will be stored. OFFSET is the distance of
   the field from the thread pointer. A waiting thread, for example after a call, is
   at the instruction that it will execute next, not at the previous one. Returns
   false if the code is not readable. Async-signal-safe; called by the SIGPROF
   handler. */
bool ccprof_store_interrupted(const void *context, intptr_t offset, uint64_t *site);

#endif

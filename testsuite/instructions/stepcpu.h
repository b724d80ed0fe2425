// SPDX-License-Identifier: GPL-3.0-or-later
// The processor, for stepcount.c: registers of a stopped thread, and the instructions
// that need care when a program is stepped. There is one file stepcpu-NAME.c for each
// processor. Owns no data.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { STEPCPU_BYTES = 16 }; // the longest instruction, and a bit more

// What an instruction needs.
typedef enum StepClass {
    STEP_UNKNOWN,     // not looked at yet
    STEP_PLAIN,       // nothing
    STEP_REPEAT,      // one step is one iteration
    STEP_SYSCALL,     // it may change the map of the memory
    STEP_SAVES_FLAGS, // it writes the flag that steps the thread into memory
} StepClass;

// The class of the instruction in the STEPCPU_BYTES bytes at CODE.
StepClass stepcpu_class(const unsigned char *code);

// The program counter of a stopped thread.
uint64_t stepcpu_pc(pid_t thread);

// A step of a thread ended with the si_code CODE of a SIGTRAP. SYSCALL says whether the
// instruction was a system call.
bool stepcpu_is_step(int code, bool syscall);

// The si_code CODE of a SIGTRAP says that a breakpoint instruction was executed.
bool stepcpu_is_breakpoint(int code);

// Returns the address of the instruction that was executed between FROM and PC, given
// the si_code CODE of the stop: a system call that the kernel restarts is executed at
// an address that the thread had already passed.
uint64_t stepcpu_executed(uint64_t from, uint64_t pc, int code);

// The address at which the thread continues if FROM is not an instruction but a call of
// the kernel (the page [vsyscall]) that one step executes together with the next
// instruction; otherwise 0. The thread has not yet executed FROM.
uint64_t stepcpu_beyond(pid_t thread, uint64_t from);

// The number of iterations that a thread is going to make with its instruction, of the
// class STEP_REPEAT, is not 0.
bool stepcpu_repeats(pid_t thread);

// stepcpu_call and what follows it work, so that stepcount -q does.
bool stepcpu_can_call(void);

// Has a stopped thread execute a system call, and puts its registers back. OUTSIDE is an
// address of code where the instruction can be put meanwhile. Signals that come meanwhile
// are sent again.
void stepcpu_call(pid_t thread, uint64_t outside, long number, uint64_t a, uint64_t b,
                  uint64_t c);

// A thread has stopped at the start of a system call. If the call starts threads,
// processes or programs or moves memory, the kernel skips it. Returns the number of the
// skipped call, or 0.
long stepcpu_skip(pid_t thread);

// A thread has stopped at the end of the call NUMBER that was skipped: it stands before
// the call again, and executes it with its next step. Returns the address.
uint64_t stepcpu_again(pid_t thread, long number);

// The system call that a thread has just ended may have changed the map of the memory.
bool stepcpu_mapped(pid_t thread);

// Clears the flag that a thread has just written into its memory with an instruction of
// the class STEP_SAVES_FLAGS.
void stepcpu_hide_step(pid_t thread);

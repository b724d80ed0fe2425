/* SPDX-License-Identifier: MIT */
/* Searches for the return of a function without unwind tables. Owns no data.
   Async-signal-safe. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "rt/unwind/guess.h"
#include "rt/unwind/unwind.h"

#pragma weak _dl_find_object

/* Maximum number of instructions. */
#define GUESS_MOST 8192

static bool guess_module(uint64_t pc, struct dl_find_object *module)
{
    return _dl_find_object && _dl_find_object((void *)(uintptr_t)pc, module) == 0;
}

/* Records a jump. Returns false if the search was there before, or is too long. */
static bool guess_jump(struct ccprof_guess *guess, uint64_t target)
{
    for (unsigned i = 0; i < guess->jumps; i++)
        if (guess->jump[i] == target)
            return false;
    if (guess->jumps == CCPROF_GUESS_JUMPS)
        return false;
    guess->jump[guess->jumps++] = target;
    guess->now.pc = target;
    return true;
}

/* Keeps a branch to PC for later, as the one to take first or last. */
static void guess_branch(struct ccprof_guess *guess, uint64_t pc, bool first)
{
    struct ccprof_guess_state *to = guess->branch;

    if (guess->branches == CCPROF_GUESS_BRANCHES)
        return;
    if (first)
        to += guess->branches;
    else
        memmove(to + 1, to, guess->branches * sizeof *to);
    guess->branches++;
    *to = guess->now;
    to->pc = pc;
}

/* Returns whether the function has returned to a caller. */
static bool guess_returns(const struct ccprof_guess *guess)
{
    struct dl_find_object module;
    uint64_t stack = guess->now.registers[ccprof_cpu.stack_pointer];

    return stack - guess->stack < CCPROF_GUESS_ABOVE &&
           (guess->now.slot != 0 || guess->exact) &&
           guess_module(guess->target - 1, &module) &&
           ccprof_guess_is_after_call(guess->readable, guess->target);
}

bool ccprof_guess_caller(struct ccprof_guess *guess, const uint64_t *registers,
                         uint64_t pc, bool *jumped)
{
    struct dl_find_object module;
    struct ccprof_unwind_function function;
    enum ccprof_guess_next next;

    if (!guess_module(pc, &module))
        return false;
    const uint64_t low = (uintptr_t)module.dlfo_map_start;
    const uint64_t size = (uintptr_t)module.dlfo_map_end - low;
    guess->now = (struct ccprof_guess_state){.pc = pc};
    memcpy(guess->now.registers, registers, sizeof guess->now.registers);
    guess->stack = registers[ccprof_cpu.stack_pointer];
    guess->branches = guess->jumps = 0;
    *jumped = false;
    for (unsigned i = 0; i < GUESS_MOST; i++) {
        next = guess->now.pc - low < size ? ccprof_guess_run(guess) : CCPROF_GUESS_END;
        if (next == CCPROF_GUESS_ON)
            continue;
        if (next == CCPROF_GUESS_BRANCH) {
            guess_branch(guess, guess->target, true);
            continue;
        }
        *jumped =
            next == CCPROF_GUESS_JUMP && ccprof_unwind_find(guess->target, &function);
        if (*jumped || (next == CCPROF_GUESS_RETURN && guess_returns(guess))) {
            guess->now.pc = guess->target;
            return true;
        }
        if (next == CCPROF_GUESS_JUMP && guess_jump(guess, guess->target))
            continue;
        /* Behind a jump by a table there is often the code to which it jumps. */
        if (next == CCPROF_GUESS_UNKNOWN)
            guess_branch(guess, guess->now.pc, false);
        do {
            if (guess->branches == 0)
                return false;
            guess->now = guess->branch[--guess->branches];
        } while (!guess_jump(guess, guess->now.pc));
    }
    return false;
}

/* SPDX-License-Identifier: MIT */
/* The RISC-V version of guess.h: the caller of code that has not stored its return
   address is in ra, and the stack pointer is taken to be the caller's. Owns no data.
   Async-signal-safe. */

#include "rt/unwind/guess.h"
#include "rt/unwind/unwind.h"

enum { RA = 1, T0 = 5 };

/* After a call, ra points to the code itself, which has no tables. */
enum ccprof_guess_next ccprof_guess_run(struct ccprof_guess *guess)
{
    struct ccprof_unwind_function function;

    guess->target = guess->now.registers[RA];
    return ccprof_unwind_find(guess->target - 1, &function) ? CCPROF_GUESS_RETURN
                                                            : CCPROF_GUESS_END;
}

/* Calls are jal and jalr that store to ra or t0, and c.jalr. */
bool ccprof_guess_is_after_call(struct ccprof_safe_read *readable, uint64_t address)
{
    uint64_t word;

    if (address % 2 != 0 || !ccprof_safe_read(readable, address - sizeof word, &word))
        return false;
    const uint32_t code = (uint32_t)(word >> 32), link = code >> 7 & 31;
    if ((code >> 16 & 0xf07f) == 0x9002 && code >> 23 != 0x9002 >> 7)
        return true;
    return (link == RA || link == T0) &&
           ((code & 0x7f) == 0x6f || (code & 0x707f) == 0x0067);
}

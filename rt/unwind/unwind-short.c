/* SPDX-License-Identifier: MIT */
/* Keeps the rules of a walk in short form, so that each frame of a recursion does not
   compute the rules again.  Owns nothing.  Called by the SIGPROF handler.  */

#include <stddef.h>

#include "rt/unwind/unwind.h"

/* A hash: calls are at least a few bytes long, and lie close together.  */
static unsigned short_place(uint64_t pc, unsigned places)
{
    return (unsigned)((pc ^ pc >> 5 ^ pc >> 10) % places);
}

/* Returns where the rules for PC are, or would be.  */
static struct ccprof_unwind_short *short_at(struct ccprof_unwind *unwind, uint64_t pc)
{
    return unwind->many ? &unwind->many[short_place(pc, CCPROF_UNWIND_MANY)]
                        : &unwind->shorts[short_place(pc, CCPROF_UNWIND_SHORTS)];
}

const struct ccprof_unwind_short *ccprof_unwind_short_find(struct ccprof_unwind *unwind,
                                                           uint64_t pc)
{
    const struct ccprof_unwind_short *is = short_at(unwind, pc);
    return is->pc == pc && is->walk == unwind->walk ? is : NULL;
}

static bool short_fits(int64_t value)
{
    return value == (int32_t)value;
}

/* Adds the rule of register NUMBER; returns false if the short form cannot express the
   rule.  */
static bool short_save(struct ccprof_unwind_short *to,
                       const struct ccprof_unwind_rules *rules, unsigned number)
{
    switch ((enum ccprof_unwind_how)rules->how[number]) {
    case CCPROF_UNWIND_SAME:
    case CCPROF_UNWIND_UNDEFINED:
        return number != to->return_register;
    case CCPROF_UNWIND_SAVED:
        if (to->saves == CCPROF_UNWIND_SAVES || number == ccprof_cpu.stack_pointer ||
            !short_fits(rules->value[number]))
            return false;
        if (number == to->return_register)
            to->return_offset = (int32_t)rules->value[number];
        to->number[to->saves] = (uint8_t)number;
        to->offset[to->saves++] = (int32_t)rules->value[number];
        return true;
    default:
        return false;
    }
}

const struct ccprof_unwind_short *
ccprof_unwind_short_keep(struct ccprof_unwind *unwind,
                         const struct ccprof_unwind_function *function, uint64_t pc)
{
    const struct ccprof_unwind_rules *rules = &unwind->rules;
    struct ccprof_unwind_short *to = short_at(unwind, pc);

    to->walk = 0;
    to->saves = 0;
    to->return_register = (uint8_t)function->return_register;
    if (function->is_signal || rules->frame_expression ||
        !short_fits(rules->frame_offset) ||
        rules->how[ccprof_cpu.stack_pointer] != CCPROF_UNWIND_SAME)
        return NULL;
    for (unsigned i = 0; i < ccprof_cpu.registers; i++)
        if (!short_save(to, rules, i))
            return NULL;
    to->frame_register = rules->frame_register;
    to->frame_offset = (int32_t)rules->frame_offset;
    to->pc = pc;
    to->walk = unwind->walk;
    return to;
}

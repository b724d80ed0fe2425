/* SPDX-License-Identifier: MIT */
/* Steps from frame to frame with unwind rules. Keeps the rules of a walk in short
   form, so that they are not computed again for each frame of a recursion. Owns no
   data. Called by the SIGPROF handler, by walks of the heap and for chains of calls.
   The constructor also calls ccprof_unwind_knows. */

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "rt/format.h"
#include "rt/unwind/unwind.h"

_Atomic bool ccprof_unwind_guesses;

/* A hash for the addresses of calls. A call is at least a few bytes long, and most
   calls are close together. */
static unsigned short_place(uint64_t pc, unsigned places)
{
    return (unsigned)((pc ^ pc >> 5 ^ pc >> 10) % places);
}

/* Returns the entry for the rules at PC. */
static struct ccprof_unwind_short *short_at(struct ccprof_unwind *unwind, uint64_t pc)
{
    return unwind->many ? &unwind->many[short_place(pc, CCPROF_UNWIND_MANY)]
                        : &unwind->shorts[short_place(pc, CCPROF_UNWIND_SHORTS)];
}

const struct ccprof_unwind_short *ccprof_unwind_short_find(struct ccprof_unwind *unwind,
                                                           uint64_t pc)
{
    const struct ccprof_unwind_short *rules = short_at(unwind, pc);
    return rules->pc == pc && rules->walk == unwind->walk ? rules : NULL;
}

static bool short_fits(int64_t value)
{
    return value == (int32_t)value;
}

/* Adds the rule of register NUMBER. Returns false if the short form cannot express
   the rule. */
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

/* Stores unwind->rules as the short rules for PC, and returns them. Returns null if
   the short form cannot express them. */
static const struct ccprof_unwind_short *
short_keep(struct ccprof_unwind *unwind, const struct ccprof_unwind_function *function,
           uint64_t pc)
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

bool ccprof_unwind_knows(uint64_t pc)
{
    struct ccprof_unwind_function function;
    return ccprof_unwind_find(pc, &function);
}

static void unwind_forget_rules(struct ccprof_unwind *unwind)
{
    unwind->walk += unwind->walk == UINT32_MAX ? 2 : 1;
}

void ccprof_unwind_start_at_call(struct ccprof_unwind *unwind, uint64_t pc, bool keep)
{
    if (!keep)
        unwind_forget_rules(unwind);
    unwind->pc = pc & ccprof_cpu.code;
    unwind->exact = false;
    unwind->broken = false;
    unwind->slot = 0;
}

void ccprof_unwind_start(struct ccprof_unwind *unwind, const void *context)
{
    unwind_forget_rules(unwind);
    memset(&unwind->readable, 0, sizeof unwind->readable);
    ccprof_cpu_registers(context, unwind->registers);
    unwind->pc = ccprof_cpu_pc(context);
    unwind->exact = true;
    unwind->broken = false;
    unwind->slot = 0;
}

/* Ends the walk at the outermost frame. */
static bool unwind_end(struct ccprof_unwind *unwind)
{
    unwind->broken = false;
    return false;
}

/* Computes the canonical frame address, which is the caller's stack pointer after the
   call has returned. */
static bool unwind_frame(struct ccprof_unwind *unwind, uint64_t *frame)
{
    const struct ccprof_unwind_rules *rules = &unwind->rules;

    if (rules->frame_expression)
        return ccprof_unwind_expression(
            unwind, (const uint8_t *)(uintptr_t)rules->frame_offset, false, frame);
    *frame = unwind->registers[rules->frame_register] + (uint64_t)rules->frame_offset;
    return true;
}

static bool unwind_register(struct ccprof_unwind *unwind, unsigned number, uint64_t frame,
                            uint64_t *to)
{
    int64_t value = unwind->rules.value[number];
    uint64_t address = frame;

    switch ((enum ccprof_unwind_how)unwind->rules.how[number]) {
    case CCPROF_UNWIND_SAME:
    case CCPROF_UNWIND_UNDEFINED:
        *to = unwind->registers[number];
        return true;
    case CCPROF_UNWIND_SAVED:
        return ccprof_safe_read(&unwind->readable, frame + (uint64_t)value, to);
    case CCPROF_UNWIND_OFFSET:
        *to = frame + (uint64_t)value;
        return true;
    case CCPROF_UNWIND_REGISTER:
        *to = (uint64_t)value < CCPROF_CPU_REGISTERS ? unwind->registers[value] : 0;
        return true;
    case CCPROF_UNWIND_SAVED_EXPR:
        return ccprof_unwind_expression(unwind, (const uint8_t *)(uintptr_t)value, true,
                                        &address) &&
               ccprof_safe_read(&unwind->readable, address, to);
    case CCPROF_UNWIND_EXPR:
        *to = frame;
        return ccprof_unwind_expression(unwind, (const uint8_t *)(uintptr_t)value, true,
                                        to);
    }
    return false;
}

/* Returns whether FRAME is a plausible caller's frame: stacks grow downwards, so a
   caller's frame has a higher address. */
static bool unwind_grows(const struct ccprof_unwind *unwind, uint64_t frame)
{
    uint64_t stack = unwind->registers[ccprof_cpu.stack_pointer];
    return frame > stack || (frame == stack && unwind->exact);
}

static bool unwind_step_short(struct ccprof_unwind *unwind,
                              const struct ccprof_unwind_short *rules)
{
    uint64_t frame =
        unwind->registers[rules->frame_register] + (uint64_t)(int64_t)rules->frame_offset;
    uint64_t saved[CCPROF_UNWIND_SAVES];

    if (!unwind_grows(unwind, frame))
        return false;
    for (unsigned i = 0; i < rules->saves; i++)
        if (!ccprof_safe_read(&unwind->readable,
                              frame + (uint64_t)(int64_t)rules->offset[i], &saved[i]))
            return false;
    for (unsigned i = 0; i < rules->saves; i++)
        unwind->registers[rules->number[i]] = saved[i];
    unwind->registers[ccprof_cpu.stack_pointer] = frame;
    unwind->slot = frame + (uint64_t)(int64_t)rules->return_offset;
    unwind->pc = unwind->registers[rules->return_register] & ccprof_cpu.code;
    unwind->exact = false;
    return unwind->pc != 0 || unwind_end(unwind);
}

static uint64_t unwind_return_slot(const struct ccprof_unwind *unwind,
                                   const struct ccprof_unwind_function *function,
                                   uint64_t frame)
{
    unsigned number = function->return_register;
    return unwind->rules.how[number] == CCPROF_UNWIND_SAVED
               ? frame + (uint64_t)unwind->rules.value[number]
               : 0;
}

/* Steps with unwind->rules. */
static bool unwind_step_long(struct ccprof_unwind *unwind,
                             const struct ccprof_unwind_function *function)
{
    uint64_t caller[CCPROF_CPU_REGISTERS], frame;

    /* An undefined return address marks the outermost frame. */
    if (unwind->rules.how[function->return_register] == CCPROF_UNWIND_UNDEFINED)
        return unwind_end(unwind);
    if (!unwind_frame(unwind, &frame))
        return false;
    /* A signal handler may run on another stack. */
    if (!function->is_signal && !unwind_grows(unwind, frame))
        return false;
    for (unsigned i = 0; i < ccprof_cpu.registers; i++)
        if (!unwind_register(unwind, i, frame, &caller[i]))
            return false;
    unwind->pc = caller[function->return_register] & ccprof_cpu.code;
    unwind->exact = function->is_signal;
    unwind->slot = unwind_return_slot(unwind, function, frame);
    if (unwind->rules.how[ccprof_cpu.stack_pointer] == CCPROF_UNWIND_SAME)
        caller[ccprof_cpu.stack_pointer] = frame;
    memcpy(unwind->registers, caller, ccprof_cpu.registers * sizeof *caller);
    return unwind->pc != 0 || unwind_end(unwind);
}

static bool unwind_leave_signal(struct ccprof_unwind *unwind)
{
    if (!ccprof_cpu_leave_signal(unwind->registers, &unwind->readable, &unwind->pc))
        return false;
    unwind->exact = true;
    unwind->slot = 0;
    return true;
}

/* Returns whether the frame at PC, which has no unwind tables, is the outermost one.
   In a context made by makecontext, the return address is the first instruction of a
   function, and no call precedes this instruction. */
static bool unwind_is_start(const struct ccprof_unwind *unwind, uint64_t pc)
{
    struct ccprof_unwind_function function;

    return ccprof_unwind_is_loader(pc) ||
           (!unwind->exact && ccprof_unwind_find(unwind->pc, &function) &&
            function.start == unwind->pc);
}

/* The stack pointer of a mark is between those of the frames around it. */
static void unwind_set_mark(struct ccprof_unwind *unwind)
{
    unwind->guessed_pc = unwind->pc;
    unwind->guessed_slot = unwind->slot;
    unwind->pc = CCPROF_POINT_GUESSED;
    unwind->exact = true;
    unwind->slot = 0;
    unwind->registers[ccprof_cpu.stack_pointer]--;
    atomic_store_explicit(&ccprof_unwind_guesses, true, memory_order_relaxed);
}

static bool unwind_leave_mark(struct ccprof_unwind *unwind)
{
    if (!unwind->exact || unwind->pc != CCPROF_POINT_GUESSED)
        return false;
    unwind->pc = unwind->guessed_pc;
    unwind->exact = false;
    unwind->slot = unwind->guessed_slot;
    unwind->registers[ccprof_cpu.stack_pointer]++;
    return true;
}

/* Steps from code without unwind tables. */
static bool unwind_guess(struct ccprof_unwind *unwind)
{
    struct ccprof_guess *guess = &unwind->guess;
    bool jumped;

    guess->readable = &unwind->readable;
    guess->exact = unwind->exact;
    if (!ccprof_guess_caller(guess, unwind->registers, unwind->pc, &jumped))
        return false;
    memcpy(unwind->registers, guess->now.registers, sizeof unwind->registers);
    unwind->pc = guess->now.pc;
    unwind->slot = guess->now.slot;
    unwind->exact = jumped;
    /* The code has tables, so this goes no deeper. */
    if (jumped && !ccprof_unwind_step(unwind))
        return false;
    unwind->pc &= ccprof_cpu.code;
    if (unwind->marks)
        unwind_set_mark(unwind);
    return true;
}

bool ccprof_unwind_step(struct ccprof_unwind *unwind)
{
    if (unwind_leave_mark(unwind))
        return true;

    uint64_t pc = unwind->exact ? unwind->pc : unwind->pc - 1;
    const struct ccprof_unwind_short *rules = ccprof_unwind_short_find(unwind, pc);
    struct ccprof_unwind_function function;

    unwind->broken = true;
    if (!rules) {
        if (!ccprof_unwind_find(pc, &function)) {
            if (unwind_leave_signal(unwind))
                return true;
            return unwind_is_start(unwind, pc) ? unwind_end(unwind)
                                               : unwind_guess(unwind);
        }
        if (!ccprof_unwind_rules(unwind, &function, pc))
            return false;
        rules = short_keep(unwind, &function, pc);
    }
    return rules ? unwind_step_short(unwind, rules) : unwind_step_long(unwind, &function);
}

bool ccprof_unwind_undo_call(struct ccprof_unwind *unwind)
{
    uint64_t pc;

    if (ccprof_unwind_knows(unwind->pc) ||
        !ccprof_cpu_undo_call(unwind->registers, &unwind->readable, &pc) ||
        !ccprof_unwind_knows(pc - 1))
        return false;
    unwind->pc = pc;
    unwind->exact = false;
    unwind->slot = 0;
    return true;
}

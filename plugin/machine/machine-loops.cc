// SPDX-License-Identifier: GPL-3.0-or-later
// In a short loop an addition in memory would take longer than the loop's own work: each
// one waits for the one before. A register that the loop does not use counts faster. Such
// a register may hold a value for later, which the red zone keeps during the loop.

#include "plugin/gcc/compat.h"
#include "plugin/count/blocks.h"
#include "plugin/machine/machine.h"

// A counter is put into a register if it is executed this many times for each execution
// of the code around the loop.
#define WORTHWHILE      1.5
#define WORTHWHILE_LENT 3.0

// Counters of threads that the program ends can be read at any call, and a system call
// of an asm statement can end the program. With -fnon-call-exceptions any access can
// leave the function.
static bool is_quiet(basic_block bb)
{
    rtx_insn *insn;

    FOR_BB_INSNS (bb, insn)
        if (CALL_P(insn) || can_throw_external(insn) ||
            (NONDEBUG_INSN_P(insn) && volatile_insn_p(PATTERN(insn)) &&
             asm_noperands(PATTERN(insn)) >= 0))
            return false;
    return true;
}

// Adds the block's part to LOOP, the properties of GCC's LOOP.
static void add_block_to_loop(struct machine_loop *machine, const class loop *loop,
                              basic_block bb, const struct frequencies *frequencies)
{
    edge e;
    edge_iterator ei;

    machine->quiet &= is_quiet(bb);
    FOR_EACH_EDGE (e, ei, bb->succs)
        if (!flow_bb_inside_loop_p(loop, e->dest)) {
            machine->quiet &= machine_can_place(e);
            machine->crossings += frequencies_of_edge(frequencies, e);
        }
    FOR_EACH_EDGE (e, ei, bb->preds)
        if (!flow_bb_inside_loop_p(loop, e->src)) {
            machine->quiet &= machine_can_place(e);
            machine->crossings += frequencies_of_edge(frequencies, e);
        }
}

// An asm statement may use the stack without a word.
static bool uses_stack(basic_block *body, unsigned count)
{
    rtx_insn *insn;

    for (unsigned b = 0; b < count; b++)
        FOR_BB_INSNS (body[b], insn)
            if (NONDEBUG_INSN_P(insn) &&
                (machine_uses_stack(insn) || asm_noperands(PATTERN(insn)) >= 0))
                return true;
    return false;
}

void machine_loops_find(vec<machine_loop> *loops, const vec<machine_unused> &unused,
                        const struct frequencies *frequencies)
{
    if (!current_loops)
        return;
    uint64_t lendable = machine_code_slots() ? machine_lendable() : 0;
    loops->safe_grow_cleared(number_of_loops(cfun), true);
    for (unsigned i = 1; i < loops->length(); i++) {
        class loop *loop = get_loop(cfun, i);
        if (!loop)
            continue;
        struct machine_loop *machine = &(*loops)[i];
        basic_block *body = get_loop_body(loop);
        *machine = {true, {~(uint64_t)0, lendable}, 0, 0};
        for (unsigned b = 0; b < loop->num_nodes; b++) {
            add_block_to_loop(machine, loop, body[b], frequencies);
            machine->unused.untouched &= unused[body[b]->index].untouched;
            machine->unused.idle &= unused[body[b]->index].idle;
        }
        if (uses_stack(body, loop->num_nodes))
            machine->unused.idle = 0;
        free(body);
    }
}

static bool is_candidate(const vec<machine_loop> &loops, const class loop *loop)
{
    return loop && loop->num && loops.length() && loops[loop->num].quiet &&
           (loops[loop->num].unused.untouched || loops[loop->num].unused.idle);
}

bool machine_loops_has_register(const vec<machine_loop> &loops, const class loop *loop)
{
    return is_candidate(loops, loop);
}

// The register is no longer free in LOOP, nor in the loops around it and inside it.
static void reserve_register(vec<machine_loop> *loops, class loop *loop, uint64_t reg)
{
    (*loops)[loop->num].reserved |= reg;
    for (unsigned i = 1; i < loops->length(); i++) {
        class loop *other = get_loop(cfun, i);
        if (other && (other == loop || flow_loop_nested_p(loop, other) ||
                      flow_loop_nested_p(other, loop))) {
            (*loops)[i].unused.untouched &= ~reg;
            (*loops)[i].unused.idle &= ~reg;
        }
    }
}

// Returns the place for the value of one of REGISTERS, and sets REG to the register.
// Returns -1 if there is none.
static int find_slot(struct machine_slots *slots, uint64_t registers, unsigned *reg)
{
    for (unsigned i = 0; i < slots->registers.length(); i++)
        if (registers >> slots->registers[i] & 1) {
            *reg = slots->registers[i];
            return i;
        }
    if (!registers || slots->registers.length() == slots->count)
        return -1;
    *reg = ctz_hwi(registers);
    slots->registers.safe_push(*reg);
    return slots->registers.length() - 1;
}

class loop *machine_loops_take(vec<machine_loop> *loops, struct machine_slots *slots,
                               class loop *loop, double frequency, unsigned *reg,
                               int *slot)
{
    class loop *chosen = NULL, *lent = NULL;

    for (; is_candidate(*loops, loop); loop = loop_outer(loop)) {
        const struct machine_loop *machine = &(*loops)[loop->num];
        if (machine->unused.untouched && frequency > WORTHWHILE * machine->crossings)
            chosen = loop;
        if (machine->unused.idle && frequency > WORTHWHILE_LENT * machine->crossings)
            lent = loop;
    }
    *slot = -1;
    if (chosen)
        *reg = ctz_hwi((*loops)[chosen->num].unused.untouched);
    else if (lent &&
             (*slot = find_slot(slots, (*loops)[lent->num].unused.idle, reg)) >= 0)
        chosen = lent;
    else
        return NULL;
    reserve_register(loops, chosen, (uint64_t)1 << *reg);
    return chosen;
}

uint64_t machine_loops_reserved(const vec<machine_loop> &loops, class loop *loop)
{
    uint64_t reserved = 0;

    for (; loops.length() && loop && loop->num; loop = loop_outer(loop))
        reserved |= loops[loop->num].reserved;
    return reserved;
}

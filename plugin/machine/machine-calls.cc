// SPDX-License-Identifier: GPL-3.0-or-later
// Inclusive instructions (argument `stack'). The thread's total is exact at vertex 0: at
// the start of a function, at its ends, at landing pads, and at each call that may not
// return. At other calls the same amount is missing before and behind the call. So at
// these places code can take differences of the total.
//
// A function with calls has a pair for itself, and one for each call (rt/format.h). A
// pair is open from the start of the function to its end, or during the call, and only
// the outermost activation changes it: recursion counts once. An open pair has the stack
// pointer, so the end of the same activation is recognized. Where control arrives by an
// exception or a longjmp, the runtime closes the pairs of what was left: their stack
// pointers are lower.

#include "plugin/gcc/compat.h"
#include "plugin/count/storage.h"
#include "plugin/count/threadword.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/options.h"
#include "plugin/inclusive/inclusive-inside.h"
#include "plugin/inclusive/inclusive.h"
#include "plugin/machine/machine.h"
#include "plugin/machine/machine_calls.h"

#define PAIRS MACHINE_PAIRS

namespace
{
struct found_call {
    rtx_insn *insn;
    size_t edge, next; // of the graph: the call's own, and the one behind it
    struct machine_free before, behind;
    rtx target; // of an indirect call: the operand with the address; or null
    bool returns, twice;
};

struct found_end {
    rtx_insn *insn;
    size_t edge;
    struct machine_free free;
};
} // namespace

static struct {
    auto_vec<found_call> calls;
    auto_vec<found_end> ends;
} found;

// How many pairs each function of the unit has, by number in the name of its pairs.
static auto_vec<unsigned> functions;
static bool any;

// Returns true if the call may execute code with counters.
static bool leads_to_code(const rtx_insn *call)
{
    if (SIBLING_CALL_P(call) || machine_is_morestack(call))
        return false;
    rtx symbol = XEXP(XEXP(get_call_rtx_from(call), 0), 0);
    if (GET_CODE(symbol) != SYMBOL_REF)
        return true;
    tree callee = SYMBOL_REF_DECL(symbol);
    // Functions of GCC's runtime (__tls_get_addr, __udivti3) have no declaration.
    return callee && TREE_CODE(callee) == FUNCTION_DECL && !leaf_is_function(callee);
}

// Returns the operand of an indirect call, or null.
static rtx target_of(const rtx_insn *call)
{
    rtx target = XEXP(XEXP(get_call_rtx_from(call), 0), 0);
    return (REG_P(target) || MEM_P(target)) && GET_MODE(target) == word_mode ? target
                                                                             : NULL_RTX;
}

static bool returns_twice(const rtx_insn *call)
{
    return find_reg_note(call, REG_SETJMP, NULL_RTX);
}

// Notes the calls and ends of BB. LIVE is for the registers that hold a value.
static void find_in_block(const struct machine_graph *graph, basic_block bb, bitmap live)
{
    auto_bitmap behind;
    auto_vec<size_t> edges; // of the insns, by their order
    unsigned i = graph->first[bb->index];
    rtx_insn *insn;

    bitmap_copy(live, DF_LR_OUT(bb));
    df_simulate_initialize_backwards(bb, live);
    while (i + 1 < graph->blocks.length() && graph->blocks[i + 1].bb == bb)
        i++;
    size_t next = machine_graph_falls(graph, bb);
    FOR_BB_INSNS_REVERSE (bb, insn) {
        bitmap_copy(behind, live);
        df_simulate_one_insn_backwards(bb, insn, live);
        if (!walk_makes_code(insn))
            continue;
        const struct machine_block *block = &graph->blocks[i];
        if (JUMP_P(insn) ? returnjump_p(insn) : SIBLING_CALL_P(insn))
            found.ends.safe_push(
                {insn, block->number, machine_free_at(live, graph->usable)});
        else if (CALL_P(insn) && (leads_to_code(insn) || returns_twice(insn)))
            found.calls.safe_push(
                {insn, block->number, insn == block->last ? next : block->number,
                 machine_free_at(live, graph->usable),
                 machine_free_at(behind, graph->usable), target_of(insn),
                 !find_reg_note(insn, REG_NORETURN, NULL_RTX), returns_twice(insn)});
        next = block->number;
        if (insn == block->first && i > graph->first[bb->index])
            i--;
    }
}

static bool check_possible(void)
{
    static bool is_reported;

    if (machine_calls_are_possible())
        return true;
    if (!is_reported)
        error(
            "ccprof: %<stack%> with %<profile=instructions%> is not possible here: only "
            "on x86-64, without %<-mcmodel=large%> and %<-fsplit-stack%>");
    is_reported = true;
    return false;
}

void machine_calls_find(const struct machine_graph *graph)
{
    auto_bitmap live;
    basic_block bb;

    found.calls.truncate(0);
    found.ends.truncate(0);
    if (!options_adds_inclusive_instructions() || !check_possible())
        return;
    FOR_EACH_BB_FN (bb, cfun)
        find_in_block(graph, bb, live);
}

static void name_pair(char *name, size_t size, unsigned pair)
{
    snprintf(name, size, PAIRS "%u+%u", functions.length() - 1,
             pair * (unsigned)sizeof(struct ccprof_pair));
}

static rtx_insn *make_step(enum machine_step step, unsigned pair,
                           const struct machine_free *free_there, size_t edge)
{
    char name[40];

    name_pair(name, sizeof name, pair);
    rtx_insn *code = machine_make_code(machine_calls_code(step, name, free_there));
    for (rtx_insn *insn = code; insn; insn = NEXT_INSN(insn))
        machine_segments_own(insn, edge);
    return code;
}

// Puts a label without code behind the call.
static unsigned mark_return(rtx_insn *call, size_t edge, unsigned pair)
{
    unsigned label = CODE_LABEL_NUMBER(gen_label_rtx());
    char *text = xasprintf("%sL%u:", LOCAL_LABEL_PREFIX, label);
    rtx_insn *code = machine_make_code({text, 0, false});

    machine_segments_own(code, edge);
    machine_segments_call(code, label, pair);
    emit_insn_after_setloc(code, call, INSN_LOCATION(call));
    return label;
}

// Puts code before the call that pushes the address that is called, and tells the
// runtime.
static void tell_target(const struct found_call *call, unsigned pair)
{
    location_t location = INSN_LOCATION(call->insn);
    rtx place = gen_rtx_MEM(word_mode, gen_rtx_PRE_DEC(Pmode, stack_pointer_rtx));
    rtx_insn *push = emit_insn_before_setloc(gen_rtx_SET(place, copy_rtx(call->target)),
                                             call->insn, location);

    machine_describe_move(push, -UNITS_PER_WORD);
    machine_segments_own(push, call->edge);
    emit_insn_before_setloc(
        make_step(MACHINE_STEP_TARGET, pair, &call->before, call->edge), call->insn,
        location);
}

// The step behind a call must directly follow it, and the one before it must directly
// precede it. Other code at these places is there already.
static void wrap_call(const struct found_call *call, unsigned pair)
{
    size_t next = call->next == MACHINE_NO_EDGE ? call->edge : call->next;
    location_t location = INSN_LOCATION(call->insn);

    if (call->twice) {
        emit_insn_after_setloc(make_step(MACHINE_STEP_AGAIN, pair, &call->behind, next),
                               call->insn, location);
        return;
    }
    if (call->target)
        tell_target(call, pair);
    emit_insn_before_setloc(make_step(MACHINE_STEP_OPEN, pair, &call->before, call->edge),
                            call->insn, location);
    if (call->returns && call->target)
        emit_insn_after_setloc(make_step(MACHINE_STEP_BACK, pair, &call->behind, next),
                               call->insn, location);
    if (call->returns)
        emit_insn_after_setloc(make_step(MACHINE_STEP_CLOSE, pair, &call->behind, next),
                               call->insn, location);
    mark_return(call->insn, next, pair);
}

// Returns true if control may arrive at the block by an exception, or by a longjmp or a
// goto from another function.
static bool is_landing(basic_block bb)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds)
        if (e->flags & EDGE_EH ||
            (e->flags & EDGE_ABNORMAL && e->flags & EDGE_ABNORMAL_CALL))
            return true;
    return false;
}

static void put_at_start(const struct machine_graph *graph, basic_block bb,
                         enum machine_step step)
{
    struct machine_free free_there = machine_free_at(DF_LR_IN(bb), graph->usable);
    size_t edge = graph->blocks[graph->first[bb->index]].number;
    rtx_insn *after = bb_note(bb), *first = graph->blocks[graph->first[bb->index]].first;

    if (first && machine_must_stay_first(first))
        after = first;
    emit_insn_after_setloc(make_step(step, CCPROF_CALLS_FUNCTION, &free_there, edge),
                           after, UNKNOWN_LOCATION);
}

void machine_calls_insert(const struct machine_graph *graph)
{
    unsigned count = CCPROF_CALLS_FIRST;
    basic_block bb, first = ENTRY_BLOCK_PTR_FOR_FN(cfun)->next_bb;

    any |= options_adds_inclusive_instructions();
    if (!found.calls.length())
        return;
    functions.safe_push(0);
    machine_segments_pairs(functions.length() - 1);
    for (const found_call &call : found.calls)
        wrap_call(&call, call.twice ? CCPROF_CALLS_FUNCTION : count++);
    for (const found_end &end : found.ends)
        emit_insn_before_setloc(
            make_step(MACHINE_STEP_END, CCPROF_CALLS_FUNCTION, &end.free, end.edge),
            end.insn, INSN_LOCATION(end.insn));
    FOR_EACH_BB_FN (bb, cfun)
        if (bb != first && is_landing(bb))
            put_at_start(graph, bb, MACHINE_STEP_ARRIVE);
    put_at_start(graph, first, MACHINE_STEP_BEGIN);
    functions.last() = count;
}

// The bounds of the stack are not known before the runtime sets them, so HIGH begins with
// all bits set.
static void emit_word(void)
{
    char *values = xstrdup("0,0");

    if (threadword_is_placed()) {
        inclusive_emit_word();
        return;
    }
    for (size_t i = 0; i < sizeof(struct ccprof_stack_thread) / 8; i++) {
        bool high = i == offsetof(struct ccprof_stack_thread, high) / 8;
        char *more = concat(values, high ? ",-1" : ",0", NULL);
        free(values);
        values = more;
    }
    threadword_emit(MACHINE_WORD,
                    sizeof(struct ccprof_stack_word) + sizeof(struct ccprof_stack_thread),
                    values);
    storage_emit_note(CCPROF_SECTION_PAIRS, CCPROF_NOTE_PAIRS_OWN,
                      MACHINE_WORD "_offset-.", "ccprof_attach_none-.");
    free(values);
}

// Writes the pairs of all functions, at least one, so that the linker makes the symbols
// of the section.
void machine_calls_emit(const char *)
{
    if (!any)
        return;
    emit_word();
    assembly_push_section(CCPROF_SECTION_PAIRS, "aw", "progbits", "");
    assembly_line(".balign", "8");
    if (!functions.length())
        assembly_line(".zero", "%u", (unsigned)sizeof(struct ccprof_pair));
    for (unsigned i = 0; i < functions.length(); i++) {
        char label[40];
        snprintf(label, sizeof label, PAIRS "%u", i);
        assembly_line(".8byte", "0,%llu", CCPROF_CALLS_MARK + functions[i]);
        assembly_label(label);
        assembly_line(".zero", "%u", functions[i] * (unsigned)sizeof(struct ccprof_pair));
    }
    assembly_pop_section();
    if (functions.length())
        machine_calls_emit_steps();
}

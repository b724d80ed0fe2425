// SPDX-License-Identifier: GPL-3.0-or-later
// The RTL pass behind the last one that moves insns, while there is still a CFG.  Each
// insn wants the site of its local stack in the field.  Forward data flow says what the
// field holds; where that is another one a store is put before the insn, or on the edges
// into a loop whose insns all want the same.  (The problem is that of GCC's
// mode-switching.cc.)

#include "compat.h"
#include "field.h"
#include "callback.h"
#include "field_store.h"
#include "charge.h"
#include "label.h"
#include "options.h"
#include "passes.h"
#include "points.h"
#include "scopes.h"
#include "sites.h"
#include "threadword.h"
#include "walk.h"

// What the field holds, or is to hold: the number of a site, or one of these.
enum { CALLERS = 0, UNSURE = -1, ANYTHING = -2 };

// A set of registers, by number.
typedef uint64_t registers;

struct insn {
    int wanted;     // ANYTHING: nothing in particular
    registers free; // before it
};

// A basic block.
struct block {
    bool passes;          // no insn wants or changes anything
    bool supplied;        // the edges into it bring what it wants
    int wanted;           // at its start, whichever way is taken from there
    int at_start, at_end; // what the field holds
};

static struct insn *insns;   // by uid
static int insn_count;       // what has a higher uid is a store
static struct block *blocks; // by index
static int at_return;        // what a call of this function leaves
static registers usable;     // for stores, where they are free
static bool any_store;       // in this compilation

// Whether somebody else may have a function of that name; then calls are not what they
// seem.
static bool is_replaceable(const_tree function)
{
    return !decl_binds_to_current_def_p(function);
}

static bool is_self_call(const_tree callee)
{
    return callee == current_function_decl && !is_replaceable(callee);
}

// What the program may have its own of.
static bool is_allocation(const_tree callee)
{
    return DECL_IS_MALLOC(callee) || fndecl_built_in_p(callee, BUILT_IN_FREE) ||
           fndecl_built_in_p(callee, BUILT_IN_REALLOC) ||
           DECL_IS_OPERATOR_NEW_P(callee) || DECL_IS_OPERATOR_DELETE_P(callee);
}

// Whether what is called is known to run nothing that stores.
static bool is_harmless(const_tree callee)
{
    const int flags = flags_from_decl_or_type(callee);
    cgraph_node *node = cgraph_node::get(callee);

    return flags & ECF_LEAF && !(flags & ECF_RETURNS_TWICE) && !is_allocation(callee) &&
           !(node && node->definition) &&
           (fndecl_built_in_p(callee) || DECL_IN_SYSTEM_HEADER(callee));
}

// Whether what is called stores its own site before it does anything.
static bool stores_first(tree callee)
{
    cgraph_node *node = cgraph_node::get(callee);

    return node && node->definition && !is_replaceable(callee) &&
           !lookup_attribute("naked", DECL_ATTRIBUTES(callee)) &&
           points_source(&label_unit, callee);
}

// Whether a processor is never found at the insn: it is done by renaming a register, or
// in no time beside others.
static bool takes_no_time(const rtx_insn *insn)
{
    const_rtx set = single_set(insn);

    if (JUMP_P(insn))
        return simplejump_p(insn);
    if (!set || !REG_P(SET_DEST(set)))
        return false;
    const_rtx from = SET_SRC(set);
    return REG_P(from) || CONST_INT_P(from) ||
           from == CONST0_RTX(GET_MODE(SET_DEST(set)));
}

// Whether the insn takes a cycle at most, and waits for nothing but registers: integers
// that are added, compared and the like, what is on the stack, and branches.
static bool is_light(const rtx_insn *insn)
{
    const_rtx set = single_set(insn);
    subrtx_iterator::array_type array;

    if (JUMP_P(insn))
        return any_condjump_p(insn);
    if (!NONJUMP_INSN_P(insn) || !set)
        return false;
    FOR_EACH_SUBRTX(iter, array, PATTERN(insn), NONCONST)
    {
        const_rtx x = *iter;
        if (MEM_P(x) && !may_be_sp_based_p(const_cast<rtx>(x)))
            return false;
        if (x != set && GET_MODE(x) != VOIDmode && !SCALAR_INT_MODE_P(GET_MODE(x)) &&
            GET_MODE_CLASS(GET_MODE(x)) != MODE_CC)
            return false;
        enum rtx_code code = GET_CODE(x);
        if (code == MULT || code == DIV || code == UDIV || code == MOD || code == UMOD ||
            code == ASM_OPERANDS || code == UNSPEC_VOLATILE)
            return false;
    }
    return true;
}

// Nothing is stored for the sake of an epilogue: the caller soon will.
static bool wants_nothing(const rtx_insn *insn)
{
    if (!walk_makes_code(insn) || epilogue_contains(insn) || returnjump_p(insn) ||
        takes_no_time(insn))
        return true;
    if (!CALL_P(insn))
        return false;
    tree callee = get_call_fndecl(insn);
    return SIBLING_CALL_P(insn) || (callee && stores_first(callee));
}

static bool is_first(basic_block bb)
{
    return single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun)) == bb;
}

// Before it nothing is stored yet.
static const rtx_insn *first_insn(basic_block bb)
{
    rtx_insn *insn;

    if (is_first(bb) && callback_is_current())
        FOR_BB_INSNS(bb, insn)
    if (callback_saves(insn))
        return NEXT_INSN(insn);
    return BB_HEAD(bb);
}

// An insn of a block that wants something.
struct wish {
    const rtx_insn *insn;
    int wanted;
    bool light;
};

static int *wanted_of(const rtx_insn *insn)
{
    return &insns[INSN_UID(insn)].wanted;
}

static void find_wishes(basic_block bb, auto_vec<wish> *wishes)
{
    struct walk walk = {};
    // A function, and what is behind a call, is seen even if it is short.
    bool ends = false, unsure = is_first(bb);
    bool begun = false;
    int present = ANYTHING;
    const rtx_insn *first = first_insn(bb);
    rtx_insn *insn;

    points_start_block(bb->index);
    FOR_BB_INSNS(bb, insn)
    {
        begun |= insn == first;
        ends |= callback_restores(insn);
        *wanted_of(insn) = ANYTHING;
        if (!walk_makes_code(insn))
            continue;
        location_t location = walk_location(&walk, insn);
        if (location)
            present = (int)sites_find(scopes_at(location), UNKNOWN_LOCATION);
        if (!begun || ends || present == ANYTHING)
            continue;
        if (!wants_nothing(insn)) {
            wishes->safe_push({insn, present, !unsure && is_light(insn)});
            unsure = false;
        }
        unsure |= CALL_P(insn);
    }
}

// Short runs of light insns are not worth a store each.
#define SHORT_RUN 2

// Where the run of the same wish ends that starts at I.
static unsigned run_end(const auto_vec<wish> &wishes, unsigned i)
{
    unsigned end = i;

    while (end < wishes.length() && wishes[end].wanted == wishes[i].wanted)
        end++;
    return end;
}

static bool is_short(const auto_vec<wish> &wishes, unsigned i, unsigned end)
{
    if (end - i > SHORT_RUN)
        return false;
    for (; i < end; i++)
        if (!wishes[i].light)
            return false;
    return true;
}

// What most of them want.
static int most_wanted(const auto_vec<wish> &wishes, unsigned from, unsigned end)
{
    int most = ANYTHING;
    unsigned most_count = 0;

    for (unsigned i = from; i < end; i++) {
        unsigned count = 0;
        for (unsigned j = i; j < end; j++)
            count += wishes[j].wanted == wishes[i].wanted;
        if (count > most_count) {
            most = wishes[i].wanted;
            most_count = count;
        }
    }
    return most;
}

static void set_wanted(const auto_vec<wish> &wishes, unsigned from, unsigned end,
                       int wanted)
{
    for (unsigned i = from; i < end; i++)
        *wanted_of(wishes[i].insn) = wanted;
}

// The scheduler mixes the insns of different copies.  Short runs one behind the other
// want what most of them do, or nothing, if all of them together are short.
static void settle(const auto_vec<wish> &wishes)
{
    unsigned i = 0;

    while (i < wishes.length()) {
        unsigned end = run_end(wishes, i), next = end;
        int wanted = wishes[i].wanted;
        if (is_short(wishes, i, end)) {
            while (next < wishes.length() &&
                   is_short(wishes, next, run_end(wishes, next)))
                next = run_end(wishes, next);
            wanted = next - i > SHORT_RUN ? most_wanted(wishes, i, next) : ANYTHING;
        }
        set_wanted(wishes, i, next, wanted);
        i = next;
    }
}

static void find_wants(basic_block bb)
{
    auto_vec<wish> wishes;

    find_wishes(bb, &wishes);
    settle(wishes);
}

static int held_after(const rtx_insn *insn, int held)
{
    if (!CALL_P(insn))
        return held;
    tree callee = get_call_fndecl(insn);
    if (callee && is_self_call(callee))
        return callback_is_current() ? held : at_return;
    return callee && is_harmless(callee) ? held : UNSURE;
}

static int held_at_end(basic_block bb, int held)
{
    rtx_insn *insn;

    FOR_BB_INSNS(bb, insn)
    {
        int wanted = insns[INSN_UID(insn)].wanted;
        held = held_after(insn, wanted == ANYTHING ? held : wanted);
    }
    return held;
}

static int meet(int a, int b)
{
    if (a == ANYTHING || a == b)
        return b;
    return b == ANYTHING ? a : UNSURE;
}

// A call may have ended by another way than a return.
static int held_on(edge e)
{
    return e->flags & EDGE_COMPLEX && !(e->flags & EDGE_SIBCALL)
               ? UNSURE
               : blocks[e->src->index].at_end;
}

static int held_before(basic_block bb)
{
    int held = ANYTHING;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE(e, ei, bb->preds)
    held = meet(held, held_on(e));
    return held;
}

// Whether anything changed.
static bool hold_once(const int *order, int count)
{
    bool changed = false;

    for (int i = 0; i < count; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
        struct block *block = &blocks[bb->index];
        block->at_start = block->supplied ? block->wanted : held_before(bb);
        int at_end = held_at_end(bb, block->at_start);
        changed |= at_end != block->at_end;
        block->at_end = at_end;
    }
    int now = held_before(EXIT_BLOCK_PTR_FOR_FN(cfun));
    changed |= now != at_return;
    at_return = now;
    return changed;
}

// Forward: what the field holds at the ends of each block.
static void hold(const int *order, int count)
{
    basic_block bb;

    FOR_EACH_BB_FN(bb, cfun)
    blocks[bb->index].at_end = ANYTHING;
    blocks[ENTRY_BLOCK].at_end = CALLERS;
    at_return = ANYTHING;
    while (hold_once(order, count))
        ;
}

static int wanted_first(basic_block bb, bool *passes)
{
    rtx_insn *insn;

    FOR_BB_INSNS(bb, insn)
    {
        if (insns[INSN_UID(insn)].wanted != ANYTHING)
            return insns[INSN_UID(insn)].wanted;
        if (CALL_P(insn))
            return ANYTHING;
    }
    *passes = true;
    return ANYTHING;
}

static int wanted_behind(basic_block bb)
{
    int wanted = ANYTHING;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE(e, ei, bb->succs)
    {
        int there = blocks[e->dest->index].wanted;
        if (e->flags & EDGE_COMPLEX || there < 0)
            return ANYTHING;
        wanted = meet(wanted, there);
    }
    return wanted == UNSURE ? ANYTHING : wanted;
}

// Backward: what is wanted at the start of each block before anything else is.
static void want(const int *order, int count)
{
    bool changed = true;

    blocks[EXIT_BLOCK].wanted = ANYTHING;
    for (int i = 0; i < count; i++) {
        struct block *block = &blocks[order[i]];
        block->wanted = wanted_first(BASIC_BLOCK_FOR_FN(cfun, order[i]), &block->passes);
    }
    while (changed) {
        changed = false;
        for (int i = count; i-- > 0;) {
            struct block *block = &blocks[order[i]];
            if (!block->passes || block->wanted != ANYTHING)
                continue;
            block->wanted = wanted_behind(BASIC_BLOCK_FOR_FN(cfun, order[i]));
            changed |= block->wanted != ANYTHING;
        }
    }
}

static bool can_store_on(edge e)
{
    return !(e->flags & (EDGE_COMPLEX | EDGE_CROSSING)) &&
           (e->flags & EDGE_FALLTHRU || single_succ_p(e->src));
}

// Whether stores on the edges into the block are fewer than in the block: it is the start
// of a loop, say.
static bool is_worth_supplying(basic_block bb)
{
    const struct block *block = &blocks[bb->index];
    profile_count stores = profile_count::zero();
    edge e;
    edge_iterator ei;

    if (block->supplied || block->wanted < 0 || block->at_start == block->wanted ||
        !bb->count.initialized_p())
        return false;
    FOR_EACH_EDGE(e, ei, bb->preds)
    {
        if (held_on(e) == block->wanted)
            continue;
        if (!can_store_on(e))
            return false;
        stores += e->count();
    }
    return stores < bb->count.apply_scale(9, 10);
}

static bool supply_some(const int *order, int count)
{
    bool any = false;

    for (int i = 0; i < count; i++)
        if (is_worth_supplying(BASIC_BLOCK_FOR_FN(cfun, order[i])))
            any = blocks[order[i]].supplied = true;
    return any;
}

// Those of general use that the function may change without saying so.
static registers usable_registers(void)
{
    registers usable = 0;

    for (unsigned r = 0; r < FIRST_PSEUDO_REGISTER && r < 64; r++)
        if (TEST_HARD_REG_BIT(reg_class_contents[GENERAL_REGS], r) && !fixed_regs[r] &&
            !global_regs[r] && crtl->abi->clobbers_full_reg_p(r))
            usable |= (registers)1 << r;
    return usable;
}

static registers find_free(const_bitmap live)
{
    registers free = usable;

    for (unsigned r = 0; r < 64; r++)
        if (free >> r & 1 && bitmap_bit_p(live, r))
            free &= ~((registers)1 << r);
    return free;
}

static void find_registers_in(basic_block bb, bitmap live)
{
    rtx_insn *insn;

    bitmap_copy(live, DF_LR_OUT(bb));
    df_simulate_initialize_backwards(bb, live);
    FOR_BB_INSNS_REVERSE(bb, insn)
    {
        df_simulate_one_insn_backwards(bb, insn, live);
        insns[INSN_UID(insn)].free = find_free(live);
    }
}

// What registers hold that our own insns have loaded: the number of a site, or SLOT.
enum { SLOT = -1 };
static int loaded[64]; // 0: nothing

static void forget_registers(registers which)
{
    for (unsigned r = 0; r < 64; r++)
        if (which >> r & 1)
            loaded[r] = 0;
}

static void forget_set_by(const rtx_insn *insn)
{
    HARD_REG_SET set;

    if (!NONDEBUG_INSN_P(insn))
        return;
    if (CALL_P(insn)) {
        forget_registers(~(registers)0);
        return;
    }
    find_all_hard_reg_sets(insn, &set, true);
    for (unsigned r = 0; r < 64; r++)
        if (TEST_HARD_REG_BIT(set, r))
            loaded[r] = 0;
}

static int register_with(int what)
{
    for (int r = 0; r < 64; r++)
        if (usable >> r & 1 && loaded[r] == what)
            return r;
    return -1;
}

// One of FREE, if possible one that holds nothing.
static int choose_register(registers free)
{
    int chosen = -1;

    for (unsigned i = 0; i < FIRST_PSEUDO_REGISTER; i++) {
        int r = reg_alloc_order[i];
        if (r >= 64 || !(free >> r & 1) || (chosen >= 0 && loaded[r]))
            continue;
        chosen = r;
        if (!loaded[r])
            break;
    }
    return chosen;
}

// Emits what loads it, if no register holds it yet.  Gives -1 if no register is free.
static int load(int what, registers *free)
{
    int r = register_with(what);

    if (r < 0) {
        r = choose_register(*free);
        if (r < 0)
            return -1;
        emit_insn(what == SLOT ? field_store_load_slot((unsigned)r)
                               : field_store_load_site((unsigned)r, (unsigned)what));
        loaded[r] = what;
    }
    *free &= ~((registers)1 << r);
    return r;
}

// SITE may be 0.  Gives NULL if there are too few free registers.
static rtx_insn *make_store(int site, registers free)
{
    int slot_register = 0, site_register = 0;

    start_sequence();
    if (field_store_needs_slot())
        slot_register = load(SLOT, &free);
    if (site && field_store_needs_site())
        site_register = load(site, &free);
    if (slot_register >= 0 && site_register >= 0)
        emit_insn(field_store_pattern((unsigned)site, (unsigned)site_register,
                                      (unsigned)slot_register));
    rtx_insn *made = get_insns();
    end_sequence();
    if (slot_register < 0 || site_register < 0)
        return NULL;
    any_store = true;
    return made;
}

static void store_before(rtx_insn *insn, rtx_insn *store)
{
    emit_insn_before_setloc(store, insn, charge_original(INSN_LOCATION(insn)));
}

// Where no register is free the next insn wants the same, most likely.
static void store_in_block(basic_block bb)
{
    int held = blocks[bb->index].at_start;
    rtx_insn *insn;

    forget_registers(~(registers)0);
    FOR_BB_INSNS(bb, insn)
    {
        if (INSN_UID(insn) >= insn_count)
            continue;
        const struct insn *known = &insns[INSN_UID(insn)];
        if (known->wanted != ANYTHING && known->wanted != held)
            if (rtx_insn *store = make_store(known->wanted, known->free)) {
                store_before(insn, store);
                held = known->wanted;
            }
        forget_set_by(insn);
        held = held_after(insn, held);
    }
}

static void store_on_edges(basic_block bb)
{
    const struct block *block = &blocks[bb->index];
    edge e;
    edge_iterator ei;

    if (!block->supplied)
        return;
    FOR_EACH_EDGE(e, ei, bb->preds)
    {
        if (held_on(e) == block->wanted)
            continue;
        forget_registers(~(registers)0);
        if (rtx_insn *store = make_store(block->wanted, find_free(DF_LR_IN(bb))))
            insert_insn_on_edge(store, e);
    }
}

static void lower_function(void)
{
    int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
    int count = pre_and_rev_post_order_compute_fn(cfun, NULL, order, false);
    auto_bitmap live;
    basic_block bb;

    usable = usable_registers();
    insn_count = get_max_uid();
    insns = XCNEWVEC(struct insn, insn_count);
    blocks = XCNEWVEC(struct block, last_basic_block_for_fn(cfun));
    df_clear_flags(DF_LR_RUN_DCE);
    df_insn_rescan_all();
    df_analyze();
    FOR_EACH_BB_FN(bb, cfun)
    {
        find_wants(bb);
        find_registers_in(bb, live);
    }
    want(order, count);
    do
        hold(order, count);
    while (supply_some(order, count));
    FOR_EACH_BB_FN(bb, cfun)
    store_on_edges(bb);
    FOR_EACH_BB_FN(bb, cfun)
    store_in_block(bb);
    commit_edge_insertions();
    free(blocks);
    free(insns);
    free(order);
}

// These save every register that they change, and it is too late for that.
static bool keeps_registers(const_tree function)
{
    const_tree type = TREE_TYPE(function);

    for (const char *name : {"naked", "interrupt", "no_caller_saved_registers"})
        if (lookup_attribute(name, DECL_ATTRIBUTES(function)) ||
            lookup_attribute(name, TYPE_ATTRIBUTES(type)))
            return true;
    return false;
}

static const pass_data field_data = {
    RTL_PASS, "ccprof_field", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};

class field_pass : public rtl_opt_pass
{
  public:
    field_pass() : rtl_opt_pass(field_data, g)
    {
    }

    unsigned int execute(function *fun) final override
    {
        if (scopes_root() && !keeps_registers(fun->decl))
            lower_function();
        if (!options_measures(CCPROF_KINDS_LABELLED))
            label_give_back_locations();
        return 0;
    }
};

opt_pass *passes_make_field(void)
{
    return new field_pass;
}

static void emit_note(void)
{
    fprintf(asm_out_file,
            "\t.pushsection\t.note." FIELD_STORE_WORD ",\"%s\"," TYPE_OPERAND_FMT
            "," FIELD_STORE_WORD
            ",comdat\n\t.balign\t4\n\t.4byte\t%u,%u,%d\n\t.asciz\t\"" CCPROF_NOTE_NAME
            "\"\n\t.balign\t4\n\t.4byte\t%d\n\t.4byte\t" FIELD_STORE_OFFSET
            "-.\n\t.popsection\n",
            HAVE_GAS_SHF_GNU_RETAIN ? "aGR" : "aG", "note",
            (unsigned)sizeof CCPROF_NOTE_NAME, (unsigned)sizeof(struct ccprof_field_note),
            CCPROF_NOTE_FIELD, CCPROF_ATTACH_VERSION);
}

void field_emit(void)
{
    if (!any_store)
        return;
    threadword_emit(FIELD_STORE_WORD, 8, NULL);
    emit_note();
}

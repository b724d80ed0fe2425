// SPDX-License-Identifier: GPL-3.0-or-later
// Makes callbacks save the field at their start and restore it at their end.
//
// A function counts as a callback
//
//   - if a function or a table of the unit takes its address,
//   - if it is a virtual method and a base class of a library has virtual methods, or
//   - if only other units use it and it looks like a callback.
//
// A callback restores the field before a return and before a tail call. So the function
// that it calls in tail position must be a callback too.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/sources.h"
#include "plugin/count/threadword.h"
#include "plugin/field/field.h"

static hash_set<tree> *callbacks;
static tree word; // the variable of the field in GIMPLE code, or its place (threadword.h)
static function *current; // the last function that saves the field

static const struct ggc_root_tab roots[] = {
    {&word, 1, sizeof word, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

// Returns true for the types of signal handlers: void f(int) and void f(int, siginfo_t *,
// void *).
static bool looks_like_handler(const_tree function)
{
    const_tree type = TREE_TYPE(function);
    tree argument = TYPE_ARG_TYPES(type);
    int pointers = 0;

    if (!VOID_TYPE_P(TREE_TYPE(type)) || !argument ||
        TYPE_MAIN_VARIANT(TREE_VALUE(argument)) != integer_type_node)
        return false;
    for (argument = TREE_CHAIN(argument); argument && argument != void_list_node;
         argument = TREE_CHAIN(argument))
        if (!POINTER_TYPE_P(TREE_VALUE(argument)))
            return false;
        else
            pointers++;
    return pointers == 0 || pointers == 2;
}

// Returns true for types that callbacks of C libraries often have: f(void *), f(const
// void *, const void *).
static bool takes_anything(const_tree function)
{
    for (tree argument = TYPE_ARG_TYPES(TREE_TYPE(function));
         argument && argument != void_list_node; argument = TREE_CHAIN(argument)) {
        const_tree type = TREE_VALUE(argument);
        if (POINTER_TYPE_P(type) && VOID_TYPE_P(TREE_TYPE(type)))
            return true;
    }
    return false;
}

static bool has_address_taken(cgraph_node *node)
{
    ipa_ref *ref;

    for (unsigned i = 0; node->iterate_referring(i, ref); i++)
        if (ref->use == IPA_REF_ADDR)
            return true;
    return node->used_from_other_partition && node->address_taken;
}

// Returns true if a base class with virtual functions belongs to a library.
static bool has_library_base(const_tree binfo)
{
    tree base;

    for (unsigned i = 0; BINFO_BASE_ITERATE(const_cast<tree>(binfo), i, base); i++) {
        const_tree type = BINFO_TYPE(base), name = TYPE_NAME(type);
        if (TYPE_BINFO(type) && BINFO_VTABLE(TYPE_BINFO(type)) && name && DECL_P(name) &&
            DECL_IN_SYSTEM_HEADER(name))
            return true;
        if (has_library_base(base))
            return true;
    }
    return false;
}

static bool may_be_callback(cgraph_node *node)
{
    const_tree owner = DECL_CONTEXT(node->decl);

    if (DECL_VIRTUAL_P(node->decl))
        return owner && TYPE_P(owner) && TYPE_BINFO(owner) &&
               has_library_base(TYPE_BINFO(owner));
    return has_address_taken(node) ||
           (node->externally_visible && !node->callers &&
            (looks_like_handler(node->decl) || takes_anything(node->decl)));
}

// Returns the body of the node, or NULL if the node has no body.
static function *body_of(cgraph_node *node)
{
    while (node->clone_of)
        node = node->clone_of;
    if (in_lto_p && node->definition && !node->alias && !node->thunk)
        node->get_untransformed_body();
    function *body = DECL_STRUCT_FUNCTION(node->decl);
    return body && body->cfg && gimple_in_ssa_p(body) ? body : NULL;
}

static void add_callback(cgraph_node *node, auto_vec<cgraph_node *> *added)
{
    if (node->definition && !callbacks->add(node->decl))
        added->safe_push(node);
}

// Adds the functions that the node, or a function inlined into it, may call in tail
// position.
static void add_tail_calls(cgraph_node *node, auto_vec<cgraph_node *> *added)
{
    function *body = body_of(node);
    auto_vec<cgraph_node *> inlined;

    if (!body)
        return;
    push_cfun(body);
    tailcall_find();
    for (cgraph_edge *e = node->callees; e; e = e->next_callee)
        if (e->call_stmt && tailcall_is(e->call_stmt)) {
            if (e->inline_failed)
                add_callback(e->callee->ultimate_alias_target(), added);
            else
                inlined.safe_push(e->callee);
        }
    tailcall_forget();
    pop_cfun();
    for (cgraph_node *callee : inlined)
        add_tail_calls(callee, added);
}

static void find_callbacks(void *, void *)
{
    auto_vec<cgraph_node *> added;
    cgraph_node *node;

    callbacks = new hash_set<tree>;
    FOR_EACH_DEFINED_FUNCTION (node)
        if (may_be_callback(node))
            add_callback(node, &added);
    while (!added.is_empty())
        add_tail_calls(added.pop(), &added);
}

void callback_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                      const_cast<ggc_root_tab *>(roots));
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, find_callbacks, NULL);
}

static tree field_word(void)
{
    if (word)
        return word;
    if (threadword_is_placed())
        return word = threadword_declare_place(FIELD_STORE_WORD);
    word = threadword_declare(FIELD_STORE_WORD,
                              build_qualified_type(ptr_type_node, TYPE_QUAL_VOLATILE));
    TREE_THIS_VOLATILE(word) = 1;
    TREE_SIDE_EFFECTS(word) = 1;
    return word;
}

// Returns true if the field must be restored before the statement. Code after a tail call
// is never reached. Before a tail call through a pointer the field is not restored,
// because the callee may not be a callback.
static bool is_end(const gimple *stmt)
{
    const gcall *call = dyn_cast<const gcall *>(stmt);

    return gimple_code(stmt) == GIMPLE_RETURN ||
           (call && gimple_call_tail_p(call) && gimple_call_fndecl(call));
}

static gimple *make_restore(tree saved)
{
    return threadword_is_placed() ? threadword_store_shared(field_word(), saved)
                                  : gimple_build_assign(field_word(), saved);
}

static tree make_save(gimple_seq *statements)
{
    if (threadword_is_placed())
        return threadword_load_shared(statements, field_word(), ptr_type_node);
    tree saved = make_temp_ssa_name(ptr_type_node, NULL, FIELD_STORE_WORD);
    gimple_seq_add_stmt(statements, gimple_build_assign(saved, field_word()));
    return saved;
}

// Returns an empty asm that other code does not cross. If insns are scheduled before
// register allocation, as on aarch64, much of the function's own work would otherwise
// move before the load or after the restore.
static gimple *make_fence(void)
{
    gasm *fence = gimple_build_asm_vec("", NULL, NULL, NULL, NULL);

    gimple_asm_set_volatile(fence, true);
    return fence;
}

static void restore_before(basic_block bb, tree saved)
{
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        if (!is_end(gsi_stmt(gsi)))
            continue;
        if (flag_schedule_insns)
            gsi_insert_before(&gsi, make_fence(), GSI_SAME_STMT);
        gsi_insert_before(&gsi, make_restore(saved), GSI_SAME_STMT);
    }
}

// Returns the previous value of the field.
static tree save_field(void)
{
    gimple_seq statements = NULL;
    tree saved = make_save(&statements);

    if (flag_schedule_insns)
        gimple_seq_add_stmt(&statements, make_fence());
    gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
                                     statements);
    return saved;
}

static void save_and_restore(function *fun)
{
    const tree saved = save_field();
    basic_block bb;

    FOR_EACH_BB_FN (bb, fun)
        restore_before(bb, saved);
    current = fun;
}

bool callback_is_current(void)
{
    return current == cfun;
}

static bool is_word(const_rtx x)
{
    return MEM_P(x) && word && MEM_EXPR(x) == word;
}

// Returns true if the insn is a statement of threadword.h that accesses the place of the
// word. If RESTORES is set, it must be a statement that stores, otherwise a statement
// that loads. All operands of a load are members of the place; the last operand of a
// store is not.
static bool is_placed(const rtx_insn *insn, bool restores)
{
    const_rtx code = extract_asm_operands(PATTERN(const_cast<rtx_insn *>(insn)));

    if (!code || !threadword_is_placed() || !word)
        return false;
    const rtvec inputs = ASM_OPERANDS_INPUT_VEC(code);
    const int count = GET_NUM_ELEM(inputs);
    if (!count || !MEM_P(RTVEC_ELT(inputs, 0)))
        return false;
    const_tree place = MEM_EXPR(RTVEC_ELT(inputs, 0));
    return place && get_base_address(const_cast<tree>(place)) == word &&
           restores == !MEM_P(RTVEC_ELT(inputs, count - 1));
}

bool callback_saves(const rtx_insn *insn)
{
    const_rtx set = NONJUMP_INSN_P(insn) ? single_set(insn) : NULL;
    return (set && is_word(SET_SRC(set))) ||
           (NONJUMP_INSN_P(insn) && is_placed(insn, false));
}

bool callback_restores(const rtx_insn *insn)
{
    const_rtx set = NONJUMP_INSN_P(insn) ? single_set(insn) : NULL;
    return (set && is_word(SET_DEST(set))) ||
           (NONJUMP_INSN_P(insn) && is_placed(insn, true));
}

static void execute_callback(function *fun)
{
    current = NULL;
    if (callbacks && callbacks->contains(fun->decl) && sources_of(fun->decl) &&
        !filter_forbids_code(fun->decl))
        save_and_restore(fun);
}

opt_pass *passes_make_callback(void)
{
    return pass_make("ccprof_callback", PASS_SSA_MEMORY, execute_callback);
}

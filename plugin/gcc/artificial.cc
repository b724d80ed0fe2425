// SPDX-License-Identifier: GPL-3.0-or-later
// Builds artificial declarations, marks, carriers and asm statements.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/artificial.h"

static tree build_artificial(enum tree_code code, const char *name, tree type)
{
    tree decl =
        build_decl(BUILTINS_LOCATION, code, get_identifier(name + (*name == '*')), type);

    SET_DECL_ASSEMBLER_NAME(decl, get_identifier(name));
    DECL_ARTIFICIAL(decl) = 1;
    DECL_IGNORED_P(decl) = 1;
    return decl;
}

tree artificial_variable(const char *name, tree type)
{
    tree variable = build_artificial(VAR_DECL, name, type);

    TREE_STATIC(variable) = 1;
    TREE_USED(variable) = 1;
    return variable;
}

tree artificial_external(const char *name, tree type)
{
    tree variable = build_artificial(VAR_DECL, name, type);

    DECL_EXTERNAL(variable) = 1;
    return variable;
}

tree artificial_function(const char *name, tree type)
{
    tree function = build_artificial(FUNCTION_DECL, name, type);

    TREE_PUBLIC(function) = 1;
    DECL_EXTERNAL(function) = 1;
    TREE_NOTHROW(function) = 1;
    artificial_hide(function);
    return function;
}

void artificial_hide(tree decl)
{
    DECL_VISIBILITY(decl) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(decl) = 1;
}

// The constraints of the two operands of a mark: a register, and a constant that the
// linker knows.
#define VALUE    "r"
#define VARIABLE "i"

static void push_input(vec<tree, va_gc> **inputs, const char *constraint, tree operand)
{
    tree name = build_string(strlen(constraint) + 1, constraint);

    vec_safe_push(*inputs, build_tree_list(build_tree_list(NULL_TREE, name), operand));
}

gasm *asmmark_make(const char *text, tree value, tree variable)
{
    vec<tree, va_gc> *inputs = NULL;

    if (value)
        push_input(&inputs, VALUE, value);
    if (variable)
        push_input(&inputs, VARIABLE, build_fold_addr_expr(variable));
    gasm *mark = gimple_build_asm_vec(text, inputs, NULL, NULL, NULL);
    gimple_asm_set_volatile(mark, true);
    return mark;
}

static tree input_of(const gasm *mark, const char *constraint)
{
    for (unsigned i = 0; i < gimple_asm_ninputs(mark); i++) {
        tree input = gimple_asm_input_op(mark, i);
        tree name = TREE_VALUE(TREE_PURPOSE(input));
        if (!strcmp(TREE_STRING_POINTER(name), constraint))
            return TREE_VALUE(input);
    }
    return NULL_TREE;
}

tree asmmark_value(const gasm *mark)
{
    return input_of(mark, VALUE);
}

tree asmmark_variable(const gasm *mark)
{
    tree address = input_of(mark, VARIABLE);
    return address ? TREE_OPERAND(address, 0) : NULL_TREE;
}

gimple_stmt_iterator asmmark_branch(gasm *mark, tree_code code, tree value)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(mark);
    tree variable = asmmark_variable(mark);
    tree loaded = make_ssa_name(TREE_TYPE(variable));
    basic_block before = gimple_bb(mark);
    gimple *branch = gimple_build_cond(code, loaded, value, NULL, NULL);

    gsi_insert_before(&gsi, gimple_build_assign(loaded, variable), GSI_SAME_STMT);
    gsi_insert_before(&gsi, branch, GSI_SAME_STMT);
    edge others = split_block(before, branch);
    basic_block block = create_empty_bb(before);
    edge taken = make_edge(before, block, EDGE_TRUE_VALUE);
    make_single_succ_edge(block, others->dest, EDGE_FALLTHRU);
    taken->probability = profile_probability::very_unlikely();
    others->flags = (others->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
    others->probability = taken->probability.invert();
    block->count = taken->count();
    if (current_loops)
        add_bb_to_loop(block, before->loop_father);
    return gsi_start_bb(block);
}

// Finds all marks before any of them is lowered, because lowering one may move the others
// to new blocks.
static void find_marks(function *fun, const char *text, vec<gasm *> *marks)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, fun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gasm *mark = dyn_cast<gasm *>(gsi_stmt(gsi));
            if (mark && !strcmp(gimple_asm_string(mark), text) &&
                gimple_asm_ninputs(mark))
                marks->safe_push(mark);
        }
}

void asmmark_lower(function *fun, const char *text, void (*lower)(gasm *mark))
{
    auto_vec<gasm *> marks;

    find_marks(fun, text, &marks);
    if (!marks.length())
        return;
    for (gasm *mark : marks) {
        lower(mark);
        gimple_stmt_iterator gsi = gsi_for_stmt(mark);
        unlink_stmt_vdef(mark);
        gsi_remove(&gsi, true);
    }
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    mark_virtual_operands_for_renaming(fun);
}

static tree type_of_bytes(size_t size)
{
    tree range = build_index_type(size_int(size - 1));
    return build_array_type(unsigned_char_type_node, range);
}

// Names the variable NAME.TAG.NUMBER.
void carrier_keep(const char *name, unsigned tag, const unsigned char *bytes, size_t size)
{
    static unsigned number;
    char text[60];

    snprintf(text, sizeof text, "%s.%u.%u", name, tag, number++);
    tree variable = artificial_variable(text, type_of_bytes(size));
    DECL_CONTEXT(variable) = current_function_decl;
    TREE_READONLY(variable) = 1;
    DECL_PRESERVE_P(variable) = 1;
    DECL_INITIAL(variable) = build_string(size, (const char *)bytes);
    TREE_TYPE(DECL_INITIAL(variable)) = TREE_TYPE(variable);
    varpool_node::finalize_decl(variable);
}

// Returns true if the variable is a carrier of the kind NAME, and sets *TAG.
static bool is_carrier(const_tree variable, const char *name, unsigned *tag)
{
    tree known = DECL_NAME(variable), context = DECL_CONTEXT(variable);
    size_t length = strlen(name);

    if (!DECL_ARTIFICIAL(variable) || !known || !context ||
        TREE_CODE(context) != FUNCTION_DECL)
        return false;
    const char *text = IDENTIFIER_POINTER(known);
    return !strncmp(text, name, length) && text[length] == '.' &&
           sscanf(text + length, ".%u.", tag) == 1;
}

void carrier_take(const char *name, void (*take)(tree function, unsigned tag,
                                                 const unsigned char *bytes, size_t size))
{
    varpool_node *node, *next;
    bool writes = in_lto_p || !flag_lto || flag_fat_lto_objects;
    unsigned tag;

    for (node = symtab->first_variable(); node; node = next) {
        next = symtab->next_variable(node);
        if (!is_carrier(node->decl, name, &tag))
            continue;
        tree value = writes && node->definition ? node->get_constructor() : NULL_TREE;
        if (value && TREE_CODE(value) == STRING_CST)
            take(DECL_CONTEXT(node->decl), tag,
                 (const unsigned char *)TREE_STRING_POINTER(value),
                 TREE_STRING_LENGTH(value));
        node->remove();
    }
}

// Returns an asm statement in the form that GCC uses for an asm statement of the program
// (cfgexpand.cc, expand_asm_stmt).
static rtx make_asm(machine_mode mode, const char *text, const char *output,
                    const unsigned *registers, unsigned count)
{
    rtvec inputs = rtvec_alloc(count), constraints = rtvec_alloc(count);

    for (unsigned i = 0; i < count; i++) {
        RTVEC_ELT(inputs, i) = gen_rtx_REG(DImode, registers[i]);
        RTVEC_ELT(constraints, i) =
            gen_rtx_ASM_INPUT_loc(DImode, ggc_strdup("r"), UNKNOWN_LOCATION);
    }
    rtx statement = gen_rtx_ASM_OPERANDS(mode, ggc_strdup(text), output, 0, inputs,
                                         constraints, rtvec_alloc(0), UNKNOWN_LOCATION);
    MEM_VOLATILE_P(statement) = 1;
    return statement;
}

rtx artificial_asm_load(unsigned reg, const char *text)
{
    return gen_rtx_SET(gen_rtx_REG(DImode, reg), make_asm(DImode, text, "=r", NULL, 0));
}

rtx artificial_asm_load_with(unsigned reg, unsigned scratch, const char *text)
{
    rtx changes = gen_rtx_CLOBBER(VOIDmode, gen_rtx_REG(DImode, scratch));

    return gen_rtx_PARALLEL(VOIDmode,
                            gen_rtvec(2, artificial_asm_load(reg, text), changes));
}

rtx artificial_asm_store(const char *text, const unsigned *registers, unsigned count)
{
    return make_asm(VOIDmode, text, "", registers, count);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The conversions of the results of calls in C and C++ are noted before a function is
// converted to GIMPLE. All other types are noted in an early pass, by the uses of the
// result. With LTO, carriers (artificial.h) bring the notes of a function to the link. At
// the end of the unit, the notes of the functions that are in the tables are written.

#include "plugin/gcc/compat.h"
#include "plugin/alloc/alloc.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/callgraph.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/sources.h"
#include "plugin/label/emit.h"
#include "plugin/tables/memory.h"
#include "plugin/tables/encode.h"

#define CARRIER "ccprof_types"

// The maximum number of copies of a void pointer that are followed in a function.
#define MAX_COPIES 32

// Used instead of a DECL_UID for an unknown function.
#define UNKNOWN_UID 0u

typedef int_hash<unsigned, (unsigned)-1, (unsigned)-2> uid_hash;
typedef hash_set<uid_hash> uid_set;

namespace
{
// The position of a call. FILE is a string in kept.texts.
struct place {
    unsigned function, file, line, column;
};

struct note {
    unsigned place; // number
    unsigned type;  // string in kept.texts; 0: unknown
    enum typed_returned returned;
    unsigned callee; // DECL_UID or UNKNOWN_UID
    size_t before;   // number of the function's previous note; 0: none
};
} // namespace

// The notes of the unit so far. Numbers start at 1.
static struct {
    struct distinct texts, places;
    struct note *notes;
    size_t count, room;
    hash_map<uid_hash, size_t> *latest; // number of each function's last note
    unsigned
        early_places; // number of places noted before functions were converted to GIMPLE
    uid_set *bodies;  // profiled functions that were seen
    uid_set *returning;       // functions that may return a block
    struct typed_call *calls; // calls to be written, sorted
    size_t call_count;
} kept;

static void add_note(const struct place *place, const char *type,
                     enum typed_returned returned, unsigned callee)
{
    size_t &latest = kept.latest->get_or_insert(place->function);

    kept.notes = (struct note *)memory_reserve(kept.notes, &kept.room, kept.count + 1,
                                               sizeof *kept.notes);
    kept.notes[kept.count++] = {distinct_add(&kept.places, place, sizeof *place),
                                type ? distinct_string(&kept.texts, type) : 0, returned,
                                callee, latest};
    latest = kept.count;
}

static unsigned uid_of(tree function)
{
    return function ? callers_uid(function) : UNKNOWN_UID;
}

// Returns false if the position is unknown.
static bool find_place(struct place *place, tree function, location_t location)
{
    expanded_location position = expand_location(location);

    if (LOCATION_LOCUS(location) <= BUILTINS_LOCATION || !position.file || !position.line)
        return false;
    memset(place, 0, sizeof *place);
    place->function = uid_of(function);
    place->file = distinct_string(&kept.texts, position.file);
    place->line = position.line;
    if (options.position == CCPROF_POSITION_EXPRESSION && position.column > 0)
        place->column = position.column;
    return true;
}

static bool may_return_block(tree)
{
    return true;
}

static void note_conversion(tree function, tree call, tree, tree type)
{
    struct place place;

    if (!find_place(&place, function, EXPR_LOCATION(call)))
        return;
    char *name = alloc_name_of_type(type);
    if (*name)
        add_note(&place, name, TYPED_UNKNOWN, uid_of(get_callee_fndecl(call)));
    free(name);
}

static void note_conversions(void *function, void *)
{
    if (filter_wants((tree)function))
        alloc_each_conversion((tree)function, may_return_block, note_conversion);
}

// Returns true if the call calls a member function in a library that returns a pointer to
// objects. The objects may be new, as with _M_create of std::string.
static bool is_library_method(const gcall *call)
{
    tree function = gimple_call_fndecl(call), type = gimple_call_return_type(call);

    return function && TREE_CODE(TREE_TYPE(function)) == METHOD_TYPE &&
           DECL_EXTERNAL(function) && !TREE_NOTHROW(function) &&
           in_system_header_at(DECL_SOURCE_LOCATION(function)) && type &&
           TREE_CODE(type) == POINTER_TYPE;
}

namespace
{
// The SSA names that contain the result of a call. IS_RETURNED: the function returns one
// of them.
struct flow {
    auto_vec<tree, MAX_COPIES> names;
    bool is_returned;
};
} // namespace

static void follow_name(struct flow *flow, tree name)
{
    if (name && TREE_CODE(name) == SSA_NAME && alloc_is_void_pointer(TREE_TYPE(name)) &&
        !flow->names.contains(name) && flow->names.length() < MAX_COPIES)
        flow->names.safe_push(name);
}

static void follow_use(struct flow *flow, gimple *stmt)
{
    if (gimple_code(stmt) == GIMPLE_RETURN)
        flow->is_returned |=
            alloc_is_void_pointer(TREE_TYPE(TREE_TYPE(current_function_decl)));
    else if (gphi *phi = dyn_cast<gphi *>(stmt))
        follow_name(flow, gimple_phi_result(phi));
    else if (gimple_assign_ssa_name_copy_p(stmt) || gimple_assign_cast_p(stmt))
        follow_name(flow, gimple_assign_lhs(stmt));
}

// Finds the type of the blocks, or finds that the function returns RESULT. Returns false
// if neither is found.
static bool find_type(tree result, tree *type)
{
    struct flow flow;
    imm_use_iterator iterator;
    use_operand_p use;

    flow.is_returned = false;
    *type = alloc_type_of_result(result);
    follow_name(&flow, result);
    for (unsigned i = 0; !*type && i < flow.names.length(); i++) {
        FOR_EACH_IMM_USE_FAST (use, iterator, flow.names[i])
            follow_use(&flow, USE_STMT(use));
        *type = alloc_type_of_result(flow.names[i]);
    }
    return *type || flow.is_returned;
}

// If REFERENCE is a part of the descriptor of a Fortran array, returns the name of the
// type of the array's elements. Otherwise returns NULL (GCC: trans-types.cc,
// gfc_get_array_type_bounds).
static const char *element_of(tree reference)
{
    if (TREE_CODE(reference) != COMPONENT_REF)
        return NULL;
    tree name = TYPE_NAME(TREE_TYPE(TREE_OPERAND(reference, 0)));
    if (name && TREE_CODE(name) == TYPE_DECL)
        name = DECL_NAME(name);
    if (!name || !startswith(IDENTIFIER_POINTER(name), "array"))
        return NULL;
    const char *rank = IDENTIFIER_POINTER(name) + strlen("array");
    const char *end = rank + strspn(rank, "0123456789");
    return end > rank && *end == '_' && end[1] ? end + 1 : NULL;
}

// If RESULT is stored in the descriptor of a Fortran array, returns the name of the type
// of the array's elements. Otherwise returns NULL. The caller frees the name.
static char *find_element(tree result)
{
    imm_use_iterator iterator;
    use_operand_p use;

    if (TREE_CODE(result) != SSA_NAME)
        return element_of(result) ? xstrdup(element_of(result)) : NULL;
    FOR_EACH_IMM_USE_FAST (use, iterator, result)
        if (gimple_store_p(USE_STMT(use)) && gimple_assign_single_p(USE_STMT(use)))
            if (const char *element = element_of(gimple_assign_lhs(USE_STMT(use))))
                return xstrdup(element);
    return NULL;
}

// Returns true if the statement only compares the pointer with null.
static bool is_test(gimple *stmt)
{
    if (is_gimple_debug(stmt))
        return true;
    if (gcond *condition = dyn_cast<gcond *>(stmt))
        return integer_zerop(gimple_cond_rhs(condition));
    return is_gimple_assign(stmt) &&
           TREE_CODE_CLASS(gimple_assign_rhs_code(stmt)) == tcc_comparison &&
           integer_zerop(gimple_assign_rhs2(stmt));
}

// Returns true if the current function returns RESULT as a pointer. A function outside of
// libraries must not use RESULT for anything else.
static bool is_forwarded(tree result)
{
    auto_vec<tree, MAX_COPIES> names;
    imm_use_iterator iterator;
    use_operand_p use;
    bool is_returned = false, is_used = false;

    if (TREE_CODE(result) != SSA_NAME ||
        TREE_CODE(TREE_TYPE(TREE_TYPE(current_function_decl))) != POINTER_TYPE)
        return false;
    names.safe_push(result);
    for (unsigned i = 0; i < names.length(); i++)
        FOR_EACH_IMM_USE_FAST (use, iterator, names[i]) {
            gimple *stmt = USE_STMT(use);
            tree copy =
                gimple_code(stmt) == GIMPLE_PHI ? gimple_phi_result(stmt)
                : gimple_assign_ssa_name_copy_p(stmt) || gimple_assign_cast_p(stmt)
                    ? gimple_assign_lhs(stmt)
                    : NULL_TREE;
            if (gimple_code(stmt) == GIMPLE_RETURN)
                is_returned = true;
            else if (!copy || TREE_CODE(copy) != SSA_NAME)
                is_used |= !is_test(stmt);
            else if (!names.contains(copy) && names.length() < MAX_COPIES)
                names.safe_push(copy);
        }
    return is_returned &&
           (!is_used || in_system_header_at(DECL_SOURCE_LOCATION(current_function_decl)));
}

// Returns true if the call may return a block, so that its type is needed.
static bool may_give_block(const gcall *call)
{
    struct alloc_request request;

    return alloc_is_void_pointer(gimple_call_return_type(call)) ||
           alloc_find(call, &request) || is_library_method(call);
}

// Returns the name of the type of the blocks that a call returns. Returns "" if the type
// has no name, and NULL if the type is unknown. The caller frees the name. Sets
// *IS_RETURNED if the function returns RESULT as a pointer to void.
static char *find_name(tree result, bool *is_returned)
{
    tree type;
    char *name = find_element(result);

    if (name || !find_type(result, &type))
        return name;
    *is_returned = !type;
    return type ? alloc_name_of_type(type) : NULL;
}

static void note_call(const gcall *call)
{
    tree result = gimple_call_lhs(call);
    bool is_returned = false;
    char *name = NULL;
    struct place place;

    if (!result || gimple_call_internal_p(call) ||
        TREE_CODE(gimple_call_return_type(call)) != POINTER_TYPE ||
        !find_place(&place, current_function_decl, gimple_location(call)))
        return;
    bool may_give = may_give_block(call);
    if (may_give && distinct_add(&kept.places, &place, sizeof place) > kept.early_places)
        name = find_name(result, &is_returned);
    is_returned |= is_forwarded(result);
    if (!may_give && !is_returned && options.position == CCPROF_POSITION_EXPRESSION)
        return;
    add_note(&place, name && *name ? name : NULL,
             is_returned && !(name && !*name) ? TYPED_RETURNED : TYPED_KEPT,
             uid_of(gimple_call_fndecl(call)));
    if (is_returned)
        kept.returning->add(uid_of(current_function_decl));
    free(name);
}

static const char *kept_text(unsigned number)
{
    return (const char *)distinct_get(&kept.texts, number);
}

// Returns true if the call may return a block. Returns false only if an analysis has
// shown that the called function returns no block.
static bool may_get_block(const struct note *note)
{
    return note->callee == UNKNOWN_UID || !kept.bodies->contains(note->callee) ||
           kept.returning->contains(note->callee);
}

// Writes three strings for each note, each with a NUL: the type, the file, and line,
// column and `returned' in digits. At this time most of the called functions have been
// seen.
static void carry_notes(void)
{
    const size_t *latest = kept.latest->get(uid_of(current_function_decl));
    struct obstack bytes;

    if (!latest)
        return;
    obstack_init(&bytes);
    for (size_t i = *latest; i; i = kept.notes[i - 1].before) {
        const struct note *note = &kept.notes[i - 1];
        if (!may_get_block(note))
            continue;
        const struct place *place =
            (const struct place *)distinct_get(&kept.places, note->place);
        const char *type = note->type ? kept_text(note->type) : "",
                   *file = kept_text(place->file);
        char numbers[40];
        snprintf(numbers, sizeof numbers, "%u:%u:%u", place->line, place->column,
                 note->returned);
        obstack_grow(&bytes, type, strlen(type) + 1);
        obstack_grow(&bytes, file, strlen(file) + 1);
        obstack_grow(&bytes, numbers, strlen(numbers) + 1);
    }
    size_t size = obstack_object_size(&bytes);
    if (size)
        carrier_keep(CARRIER, 0, (const unsigned char *)obstack_finish(&bytes), size);
    obstack_free(&bytes, NULL);
}

static void execute_blocktype(function *fun)
{
    static bool has_started;
    basic_block bb;

    if (!has_started)
        kept.early_places = kept.places.count;
    has_started = true;
    if (!filter_wants(current_function_decl))
        return;
    kept.bodies->add(uid_of(current_function_decl));
    FOR_EACH_BB_FN (bb, fun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
                note_call(call);
    if (flag_generate_lto)
        carry_notes();
}

opt_pass *passes_make_blocktype(void)
{
    return pass_make("ccprof_blocktype", PASS_SSA, execute_blocktype);
}

// Reads the notes that carry_notes has written. A compilation that also makes machine
// code has the notes already.
static void take_notes(tree function, unsigned, const unsigned char *bytes, size_t size)
{
    const char *cursor = (const char *)bytes, *end = cursor + size;
    struct place place;

    if (!in_lto_p || !sources_of(function))
        return;
    memset(&place, 0, sizeof place);
    place.function = uid_of(function);
    while (cursor < end) {
        const char *type = cursor, *file = type + strlen(type) + 1,
                   *numbers = file + strlen(file) + 1;
        cursor = numbers + strlen(numbers) + 1;
        place.file = distinct_string(&kept.texts, file);
        unsigned returned = *type ? TYPED_UNKNOWN : TYPED_RETURNED;
        sscanf(numbers, "%u:%u:%u", &place.line, &place.column, &returned);
        add_note(&place, *type ? type : NULL, (enum typed_returned)returned, UNKNOWN_UID);
    }
}

// Called when LTO streaming is finished.
static void take_all_notes(void *, void *)
{
    carrier_take(CARRIER, take_notes);
}

bool blocktype_any(void)
{
    size_t count = 0;

    kept.calls = (struct typed_call *)memory_zeroed(kept.count + 1, sizeof *kept.calls);
    for (size_t i = 0; i < kept.count; i++) {
        const struct note *note = &kept.notes[i];
        const struct place *place =
            (const struct place *)distinct_get(&kept.places, note->place);
        struct typed_call call = {sources_known(place->function),
                                  0,
                                  place->line,
                                  place->column,
                                  0,
                                  note->returned};
        if (!call.source || !may_get_block(note))
            continue;
        call.file = sources_file(kept_text(place->file));
        if (note->type)
            call.type = unit_string(&sources_unit, kept_text(note->type));
        if (call.file)
            kept.calls[count++] = call;
    }
    kept.call_count = typed_sort(kept.calls, count);
    return kept.call_count > 0;
}

void blocktype_emit(const char *unit)
{
    static const struct encode_sink sink = {NULL, assembly_put_byte, NULL,
                                            emit_put_string};

    if (!kept.call_count)
        return;
    assembly_push_section(CCPROF_SECTION_TYPES, "", "progbits", "");
    assembly_byte(CCPROF_TABLES_RETURNED);
    assembly_line(".4byte", "%s", unit);
    typed_encode(kept.calls, kept.call_count, &sources_unit, options.position, &sink);
    assembly_pop_section();
}

void blocktype_register(const char *plugin)
{
    kept.latest = new hash_map<uid_hash, size_t>;
    kept.bodies = new uid_set;
    kept.returning = new uid_set;
    register_callback(plugin, PLUGIN_PRE_GENERICIZE, note_conversions, NULL);
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, take_all_notes, NULL);
}

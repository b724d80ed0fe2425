// SPDX-License-Identifier: GPL-3.0-or-later
// Shortens names that are too long. Estimates the length of a name before GCC makes it,
// and limits the length and the time of the demangler.

#include <setjmp.h>
#include <sys/time.h>

#include "plugin/gcc/compat.h"
#include "plugin/gcc/names.h"

// The maximum CPU time for a symbol, in microseconds. GCC 12's demangler does not
// terminate for some symbols. No compiler makes such symbols, but a program may contain
// them in asm.
#define TIME_MOST 200000

namespace
{
enum ending { ENDING_DONE, ENDING_TOO_LONG, ENDING_TOO_SLOW };
} // namespace

// The name so far, and the target of longjmp out of the demangler. The demangler uses no
// memory except its stack (GCC: libiberty/cp-demangle.c, d_demangle_callback), so longjmp
// is safe, even from a signal handler.
static struct {
    char text[DEMANGLE_MOST + 1];
    size_t length;
    sigjmp_buf leave;
    volatile enum ending ending;
} demangled;

static void leave_demangler(enum ending ending)
{
    demangled.ending = ending;
    siglongjmp(demangled.leave, 1);
}

static void put_text(const char *piece, size_t size, void *)
{
    if (size > DEMANGLE_MOST - demangled.length)
        leave_demangler(ENDING_TOO_LONG);
    memcpy(demangled.text + demangled.length, piece, size);
    demangled.length += size;
}

static void handle_timeout(int)
{
    leave_demangler(ENDING_TOO_SLOW);
}

// Starts and stops the timer in one function: its signal may jump back here at any moment
// between start and stop.
static bool demangle_in_time(const char *symbol, int options)
{
    const struct itimerval most = {{0, 0}, {0, TIME_MOST}}, none = {{0, 0}, {0, 0}};
    bool known = false;

    if (sigsetjmp(demangled.leave, 1) == 0) {
        setitimer(ITIMER_VIRTUAL, &most, NULL);
        known = cplus_demangle_v3_callback(symbol, options, put_text, NULL) != 0;
        setitimer(ITIMER_VIRTUAL, &none, NULL);
        return known;
    }
    setitimer(ITIMER_VIRTUAL, &none, NULL);
    return false;
}

char *demangle_symbol(const char *symbol, int options, bool *too_long)
{
    struct sigaction action, before;

    memset(&action, 0, sizeof action);
    action.sa_handler = handle_timeout;
    sigaction(SIGVTALRM, &action, &before);
    demangled.length = 0;
    demangled.ending = ENDING_DONE;
    bool known = demangle_in_time(symbol, options);
    sigaction(SIGVTALRM, &before, NULL);
    if (too_long)
        *too_long = demangled.ending == ENDING_TOO_LONG;
    return known && demangled.length ? xstrndup(demangled.text, demangled.length) : NULL;
}

// GCC's printer cannot be stopped, so the length of a name is estimated before the name
// is printed. The estimate visits each type once.

// Names of types and scopes that are nested more deeply are treated as too long.
#define DEPTH_MOST 2000

namespace
{
// The length of the name of each type, declaration and expression.
struct lengths {
    hash_map<tree, size_t> known;
    unsigned depth;
};
} // namespace

static size_t length_of(struct lengths *lengths, tree node);

static size_t add_lengths(size_t a, size_t b)
{
    return MIN(a + b, (size_t)DEMANGLE_MOST + 1);
}

static size_t length_of_identifier(tree name)
{
    return name && TREE_CODE(name) == IDENTIFIER_NODE ? IDENTIFIER_LENGTH(name) : 24;
}

static size_t length_of_vector(struct lengths *lengths, tree vector, int count)
{
    size_t length = 0;

    for (int i = 0; i < count; i++)
        length = add_lengths(length, 2 + length_of(lengths, TREE_VEC_ELT(vector, i)));
    return length;
}

// Returns the template arguments of a type or function that is made from a template.
// Returns NULL_TREE for any other type or function, including a plain member of a class
// template.
static tree template_arguments(tree entity)
{
    if (DECL_P(entity) &&
        (TREE_CODE(entity) != FUNCTION_DECL || !DECL_LANG_SPECIFIC(entity)))
        return NULL_TREE;
    tree arguments = lang_hooks.get_innermost_generic_parms(entity)
                         ? lang_hooks.get_innermost_generic_args(entity)
                         : NULL_TREE;
    return arguments && TREE_CODE(arguments) == TREE_VEC ? arguments : NULL_TREE;
}

// Skips default arguments, which GCC does not print.
static size_t length_of_arguments(struct lengths *lengths, tree entity)
{
    tree arguments = template_arguments(entity);

    if (!arguments)
        return 0;
    tree given = TREE_CHAIN(arguments);
    int count = TREE_VEC_LENGTH(arguments);
    if (given && TREE_CODE(given) == INTEGER_CST)
        count = MIN(count, (int)tree_to_shwi(given));
    return length_of_vector(lengths, arguments, count);
}

static size_t length_of_list(struct lengths *lengths, tree list)
{
    size_t length = 0;

    for (; list && TREE_CODE(list) == TREE_LIST; list = TREE_CHAIN(list))
        length = add_lengths(length, 2 + length_of(lengths, TREE_VALUE(list)));
    return length;
}

// Returns the length of a declared name with the scopes around it.
static size_t length_with_scopes(struct lengths *lengths, tree declaration)
{
    return add_lengths(length_of_identifier(DECL_NAME(declaration)),
                       2 + length_of(lengths, DECL_CONTEXT(declaration)));
}

// Returns the length of the text that GCC prints for the members of a class. For a lambda
// it prints the parameters. For a pointer to a member function, which is a class in GCC,
// it prints the function type.
static size_t length_of_members(struct lengths *lengths, tree type)
{
    tree member = TYPE_FIELDS(type);

    if (member && TREE_CODE(member) == FIELD_DECL && POINTER_TYPE_P(TREE_TYPE(member)) &&
        TREE_CODE(TREE_TYPE(TREE_TYPE(member))) == METHOD_TYPE)
        return length_of(lengths, TREE_TYPE(member));
    for (; member; member = DECL_CHAIN(member))
        if (TREE_CODE(member) == FUNCTION_DECL && DECL_LAMBDA_FUNCTION_P(member))
            return length_of_list(lengths, TYPE_ARG_TYPES(TREE_TYPE(member)));
    return 0;
}

static bool is_typedef(tree name)
{
    return name && TREE_CODE(name) == TYPE_DECL && DECL_ORIGINAL_TYPE(name);
}

static size_t length_of_class(struct lengths *lengths, tree type)
{
    tree name = TYPE_NAME(type);
    size_t length = 24;

    if (name && TREE_CODE(name) == TYPE_DECL)
        length = add_lengths(length, length_with_scopes(lengths, name));
    length = add_lengths(length, length_of_arguments(lengths, type));
    if (TREE_CODE(type) == RECORD_TYPE)
        length = add_lengths(length, length_of_members(lengths, type));
    return length;
}

static size_t length_of_function_type(struct lengths *lengths, tree type)
{
    size_t length = add_lengths(length_of(lengths, TREE_TYPE(type)),
                                length_of_list(lengths, TYPE_ARG_TYPES(type)));

    // The list of exceptions (GCC: cp/cp-tree.h, TYPE_RAISES_EXCEPTIONS).
    if (lang_GNU_CXX())
        length = add_lengths(length, length_of_list(lengths, TYPE_LANG_SLOT_1(type)));
    return add_lengths(length, 24);
}

static size_t length_of_type(struct lengths *lengths, tree type)
{
    tree name = TYPE_NAME(type);

    if (is_typedef(name) && flag_pretty_templates)
        return add_lengths(length_with_scopes(lengths, name),
                           length_of_arguments(lengths, type));
    switch (TREE_CODE(type)) {
    case RECORD_TYPE:
    case UNION_TYPE:
    case ENUMERAL_TYPE:
        return length_of_class(lengths, type);
    case FUNCTION_TYPE:
    case METHOD_TYPE:
        return length_of_function_type(lengths, type);
    case OFFSET_TYPE:
        return add_lengths(length_of(lengths, TYPE_OFFSET_BASETYPE(type)),
                           length_of(lengths, TREE_TYPE(type)));
    default:
        if (tree pack = lang_hooks.types.get_argument_pack_elems(type))
            return length_of(lengths, pack);
        return add_lengths(24, length_of(lengths, TREE_TYPE(type)));
    }
}

// For a function made from a template GCC prints the template's parameters and the
// arguments, but not the return type.
static size_t length_of_function(struct lengths *lengths, tree function)
{
    size_t parameters = length_of_list(lengths, TYPE_ARG_TYPES(TREE_TYPE(function)));
    size_t arguments = length_of_arguments(lengths, function);

    return add_lengths(length_with_scopes(lengths, function),
                       24 + MAX(parameters, arguments));
}

static size_t length_of_declaration(struct lengths *lengths, tree declaration)
{
    switch (TREE_CODE(declaration)) {
    case TRANSLATION_UNIT_DECL:
        return 0;
    case FUNCTION_DECL:
        return length_of_function(lengths, declaration);
    case TYPE_DECL:
        return is_typedef(declaration)
                   ? add_lengths(length_with_scopes(lengths, declaration),
                                 length_of(lengths, DECL_ORIGINAL_TYPE(declaration)))
                   : length_of(lengths, TREE_TYPE(declaration));
    case VAR_DECL:
        // A template argument that is an object of a class is printed as its value.
        return add_lengths(length_with_scopes(lengths, declaration),
                           DECL_ARTIFICIAL(declaration)
                               ? length_of(lengths, DECL_INITIAL(declaration))
                               : length_of(lengths, TREE_TYPE(declaration)));
    default:
        return length_with_scopes(lengths, declaration);
    }
}

static size_t length_of_expression(struct lengths *lengths, tree expression)
{
    size_t length = add_lengths(24, length_of(lengths, TREE_TYPE(expression)));
    constructor_elt *element;
    unsigned i;

    if (tree pack = lang_hooks.types.get_argument_pack_elems(expression))
        return add_lengths(length, length_of(lengths, pack));
    if (TREE_CODE(expression) == STRING_CST)
        return add_lengths(length, 4 * (size_t)TREE_STRING_LENGTH(expression));
    if (TREE_CODE(expression) == CONSTRUCTOR) {
        for (i = 0; vec_safe_iterate(CONSTRUCTOR_ELTS(expression), i, &element); i++)
            length = add_lengths(length, 2 + length_of(lengths, element->value));
    } else if (EXPR_P(expression)) {
        for (int k = 0; k < TREE_OPERAND_LENGTH(expression); k++)
            length =
                add_lengths(length, 2 + length_of(lengths, TREE_OPERAND(expression, k)));
    }
    return length;
}

static size_t compute_length(struct lengths *lengths, tree node)
{
    if (TREE_CODE(node) == IDENTIFIER_NODE)
        return IDENTIFIER_LENGTH(node);
    if (TREE_CODE(node) == TREE_VEC)
        return length_of_vector(lengths, node, TREE_VEC_LENGTH(node));
    if (TREE_CODE(node) == TREE_LIST)
        return length_of_list(lengths, node);
    if (TYPE_P(node))
        return length_of_type(lengths, node);
    if (DECL_P(node))
        return length_of_declaration(lengths, node);
    return CODE_CONTAINS_STRUCT(TREE_CODE(node), TS_TYPED)
               ? length_of_expression(lengths, node)
               : 24;
}

// Returns the approximate length of the name of NODE, DEMANGLE_MOST + 1 if it is too
// long. Inside its own name, NODE has length 0.
static size_t length_of(struct lengths *lengths, tree node)
{
    bool known;

    if (!node || node == error_mark_node)
        return 0;
    size_t length = lengths->known.get_or_insert(node, &known);
    if (known)
        return length;
    lengths->known.put(node, 0);
    lengths->depth++;
    length =
        lengths->depth > DEPTH_MOST ? DEMANGLE_MOST + 1 : compute_length(lengths, node);
    lengths->depth--;
    lengths->known.put(node, length);
    return length;
}

static bool is_too_long(tree declaration)
{
    struct lengths lengths;

    lengths.depth = 0;
    return length_of(&lengths, declaration) > DEMANGLE_MOST;
}

char *longnames_printable(tree declaration, int verbosity)
{
    return is_too_long(declaration)
               ? longnames_shortened(declaration)
               : xstrdup(lang_hooks.decl_printable_name(declaration, verbosity));
}

// Returns the short name of the scope around DECLARATION, NULL if the scope has no name.
// The caller frees it.
static char *shortened_scope(tree declaration)
{
    tree scope = DECL_CONTEXT(declaration);

    if (scope && TYPE_P(scope))
        scope = TYPE_NAME(scope);
    if (!scope || !DECL_P(scope) || TREE_CODE(scope) == TRANSLATION_UNIT_DECL)
        return NULL;
    return longnames_shortened(scope);
}

static bool is_named(tree declaration, const char *text)
{
    return DECL_NAME(declaration) &&
           !strcmp(IDENTIFIER_POINTER(DECL_NAME(declaration)), text);
}

// Returns true if the declaration has no name in the source.
static bool is_unnamed(tree declaration)
{
    tree name = DECL_NAME(declaration);
    return !name || strstr(IDENTIFIER_POINTER(name), "_anon_");
}

// Returns true if the declaration is the class of a lambda.
static bool is_lambda_class(tree declaration)
{
    tree type = TREE_CODE(declaration) == TYPE_DECL ? TREE_TYPE(declaration) : NULL_TREE;

    if (!type || TREE_CODE(type) != RECORD_TYPE || !is_unnamed(declaration))
        return false;
    for (tree member = TYPE_FIELDS(type); member; member = DECL_CHAIN(member))
        if (is_named(member, "operator()"))
            return true;
    return false;
}

static char *declared_text(tree declaration)
{
    return xstrdup(is_unnamed(declaration) ? "{unnamed}"
                                           : IDENTIFIER_POINTER(DECL_NAME(declaration)));
}

// Returns the name of DECLARATION without its scope; the caller frees it. Constructors,
// destructors and conversions have internal names in GCC that no source has (GCC:
// cp/decl.cc, initialize_predefined_identifiers).
static char *unscoped_name(tree declaration)
{
    tree context = DECL_CONTEXT(declaration);
    tree type = context && TYPE_P(context) ? TYPE_NAME(context) : NULL_TREE;

    if (is_lambda_class(declaration))
        return xstrdup("lambda");
    if (TREE_CODE(declaration) == NAMESPACE_DECL && !DECL_NAME(declaration))
        return xstrdup("(anonymous namespace)");
    if (TREE_CODE(declaration) != FUNCTION_DECL || !type || TREE_CODE(type) != TYPE_DECL)
        return declared_text(declaration);
    if (DECL_CXX_CONSTRUCTOR_P(declaration))
        return declared_text(type);
    if (DECL_CXX_DESTRUCTOR_P(declaration))
        return reconcat(NULL, "~", declared_text(type), NULL);
    return is_named(declaration, "__conv_op ") ? xstrdup("operator <...>")
                                               : declared_text(declaration);
}

char *longnames_shortened(tree declaration)
{
    tree context = DECL_CONTEXT(declaration);

    // A function in the class of a lambda gets the name of the lambda.
    if (TREE_CODE(declaration) == FUNCTION_DECL && context && TYPE_P(context) &&
        TYPE_NAME(context) && is_lambda_class(TYPE_NAME(context)))
        declaration = TYPE_NAME(context);
    tree entity =
        TREE_CODE(declaration) == TYPE_DECL ? TREE_TYPE(declaration) : declaration;
    char *scope = shortened_scope(declaration), *unscoped = unscoped_name(declaration);
    char *name = concat(scope ? scope : "",
                        !scope                         ? ""
                        : is_lambda_class(declaration) ? "."
                                                       : "::",
                        unscoped, template_arguments(entity) ? "<...>" : "", NULL);

    free(scope);
    free(unscoped);
    return name;
}

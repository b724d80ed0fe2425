// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/flowtable.h"
#include "plugin/tables/graph.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/artificial.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/sources.h"
#include "rt/format.h"

// How the names of carriers begin; behind this come the version, if it is not the first,
// and a number.
#define CARRIER_NAME "ccprof_flow"

namespace
{
struct flow {
    unsigned source, version;
    unsigned char *bytes;
    unsigned size;
};
} // namespace

// The graphs of the unit, from when LTO has streamed them until flowtable_emit writes
// them.
static struct {
    struct flow *flows;
    size_t flow_count, flow_room;
} kept;

static tree make_type(size_t size)
{
    tree range = build_index_type(size_int(size - 1));
    return build_array_type(unsigned_char_type_node, range);
}

void flowtable_keep(const unsigned char *bytes, size_t size, bool has_ranges)
{
    static unsigned number;
    char name[60];

    if (has_ranges)
        snprintf(name, sizeof name, CARRIER_NAME ".%u.%u", CCPROF_TABLES_RANGES,
                 number++);
    else
        snprintf(name, sizeof name, CARRIER_NAME ".%u", number++);
    tree variable = artificial_variable(name, make_type(size));
    DECL_CONTEXT(variable) = current_function_decl;
    TREE_READONLY(variable) = 1;
    DECL_PRESERVE_P(variable) = 1;
    DECL_INITIAL(variable) = build_string(size, (const char *)bytes);
    TREE_TYPE(DECL_INITIAL(variable)) = TREE_TYPE(variable);
    varpool_node::finalize_decl(variable);
}

static bool is_carrier(const_tree variable)
{
    tree name = DECL_NAME(variable), context = DECL_CONTEXT(variable);

    return DECL_ARTIFICIAL(variable) && name &&
           startswith(IDENTIFIER_POINTER(name), CARRIER_NAME ".") && context &&
           TREE_CODE(context) == FUNCTION_DECL;
}

static unsigned version_of(const_tree carrier)
{
    unsigned version, number;
    const char *name = IDENTIFIER_POINTER(DECL_NAME(carrier));

    return sscanf(name, CARRIER_NAME ".%u.%u", &version, &number) == 2
               ? version
               : CCPROF_TABLES_VERSION;
}

static void add_flow(varpool_node *node)
{
    tree value = node->get_constructor();
    struct flow flow = {sources_of(DECL_CONTEXT(node->decl)), version_of(node->decl),
                        NULL, 0};

    if (!flow.source || !value || TREE_CODE(value) != STRING_CST)
        return;
    flow.size = TREE_STRING_LENGTH(value);
    flow.bytes = (unsigned char *)memory_zeroed(flow.size, 1);
    memcpy(flow.bytes, TREE_STRING_POINTER(value), flow.size);
    kept.flows = (struct flow *)memory_reserve(kept.flows, &kept.flow_room,
                                               kept.flow_count + 1, sizeof flow);
    kept.flows[kept.flow_count++] = flow;
}

// All that LTO streams has been streamed.
static void take(void *, void *)
{
    varpool_node *node, *next;
    bool writes = in_lto_p || !flag_lto || flag_fat_lto_objects;

    for (node = symtab->first_variable(); node; node = next) {
        next = symtab->next_variable(node);
        if (!is_carrier(node->decl))
            continue;
        if (writes && node->definition)
            add_flow(node);
        node->remove();
    }
}

bool flowtable_any(void)
{
    return kept.flow_count > 0;
}

static void emit_flow(const struct flow *flow, const char *unit)
{
    assembly_byte(flow->version);
    assembly_line(".4byte", "%s,%u", unit, flow->source);
    assembly_line(".8byte", "%#llx",
                  (unsigned long long)graph_id(flow->bytes, flow->size));
    assembly_line(".4byte", "%u", flow->size);
    assembly_bytes(flow->bytes, flow->size);
}

// Nothing refers to them, and they are to stay.
void flowtable_emit(const char *unit)
{
    if (!kept.flow_count)
        return;
    assembly_push_section(CCPROF_SECTION_FLOW, ASSEMBLY_RETAIN, "progbits", "");
    for (size_t i = 0; i < kept.flow_count; i++)
        emit_flow(&kept.flows[i], unit);
    assembly_pop_section();
}

void flowtable_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, take, NULL);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Encodes the graphs of functions, keeps them until the end of the compilation, and
// writes the section .ccprof.arcs.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/artificial.h"
#include "plugin/tables/graph.h"
#include "plugin/tables/encode.h"
#include "plugin/tables/memory.h"
#include "plugin/train/train.h"
#include "rt/format.h"

#define CARRIER "ccprof_arcs"

namespace
{
struct bytes {
    unsigned char *list;
    size_t count, room;
};
} // namespace

// The functions of this compilation, encoded as in the section.
static struct {
    struct bytes *functions;
    size_t count, room;
} kept;

static void put_byte(void *data, unsigned char byte)
{
    struct bytes *bytes = (struct bytes *)data;

    bytes->list =
        (unsigned char *)memory_reserve(bytes->list, &bytes->room, bytes->count + 1, 1);
    bytes->list[bytes->count++] = byte;
}

static void put_word(struct bytes *bytes, unsigned word)
{
    for (int i = 0; i < 4; i++)
        put_byte(bytes, word >> 8 * i & 0xff);
}

static void put_text(struct bytes *bytes, const char *text)
{
    do
        put_byte(bytes, *text);
    while (*text++);
}

// Writes the path at which GCC looks for the .gcda file, without this suffix (GCC:
// coverage.cc, coverage_init).
static void put_object(struct bytes *bytes)
{
    if (IS_ABSOLUTE_PATH(aux_base_name))
        return put_text(bytes, aux_base_name);
    char *path = concat(getpwd(), "/", aux_base_name, NULL);
    put_text(bytes, path);
    free(path);
}

// Writes the name that the function has in a profile for -fauto-profile. Functions that
// the compiler makes, for example for Ada's binder, have no file.
static void put_function(struct bytes *bytes, tree function)
{
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
    const char *file = DECL_SOURCE_FILE(function);

    put_text(bytes, *name == '*' ? name + 1 : name);
    put_text(bytes, file ? lbasename(file) : "");
}

// Returns the version of gcov's files that this compiler reads: major, minor and kind of
// release, as in `B22*' for 12.2 (GCC: gcov-iov.cc).
static unsigned gcov_version_word(void)
{
    unsigned major = 0, minor = 0;
    char phase = gcc_version.devphase[0] == 'e' ? 'e' : '*';

    sscanf(gcc_version.basever, "%u.%u", &major, &minor);
    return (unsigned)('A' + major / 10) << 24 | ('0' + major % 10) << 16 |
           ('0' + minor % 10) << 8 | phase;
}

// Writes the arcs by source block. The number of arcs comes first.
static void put_graph(struct bytes *bytes, const struct train_function *function)
{
    unsigned next = 0;

    leb_unsigned(put_byte, bytes, function->blocks);
    for (unsigned block = 0; block < function->blocks; block++) {
        unsigned first = next;
        while (next < function->arcs.length() && function->arcs[next].from == block)
            next++;
        leb_unsigned(put_byte, bytes, next - first);
        for (unsigned i = first; i < next; i++) {
            const struct train_arc *arc = &function->arcs[i];
            leb_unsigned(put_byte, bytes,
                         (uint64_t)arc->to << 2 | arc->below << 1 | arc->counted);
        }
    }
}

// Returns the number of an earlier inlined body of the same function, or 0.
static unsigned earlier_body(const struct train_positions *positions, unsigned number)
{
    tree function = positions->inlined[number].function;

    for (unsigned i = 0; i < number; i++)
        if (positions->inlined[i].function == function)
            return i + 1;
    return 0;
}

static void put_lines(struct bytes *bytes, const struct train_position *position)
{
    leb_unsigned(put_byte, bytes, position->offset);
    leb_unsigned(put_byte, bytes, position->discriminator);
}

static void put_position(struct bytes *bytes, const struct train_position *position)
{
    leb_unsigned(put_byte, bytes, position->body);
    put_lines(bytes, position);
}

static void put_inlined(struct bytes *bytes, const struct train_positions *positions)
{
    leb_unsigned(put_byte, bytes, positions->inlined.length());
    for (unsigned i = 0; i < positions->inlined.length(); i++) {
        const struct train_inlined *inlined = &positions->inlined[i];
        unsigned before = earlier_body(positions, i);
        put_position(bytes, &inlined->call);
        leb_unsigned(put_byte, bytes, before);
        if (!before)
            put_function(bytes, inlined->function);
    }
}

// Writes the positions of the function. A thunk has no positions.
static void put_positions(struct bytes *bytes, const struct train_function *function)
{
    const struct train_positions *positions = &function->positions;
    unsigned next = 0;

    put_inlined(bytes, positions);
    for (unsigned block = 0; block < function->blocks; block++) {
        leb_unsigned(put_byte, bytes, positions->ends[block] - next);
        for (; next < positions->ends[block]; next++)
            put_position(bytes, &positions->list[next]);
    }
    for (unsigned i = 0; i < function->indirect.length(); i++) {
        const struct train_position *call = &positions->calls[i];
        bool known = call->body != TRAIN_NOWHERE;
        if (function->blocks)
            leb_unsigned(put_byte, bytes, gimple_bb(function->indirect[i])->index);
        leb_unsigned(put_byte, bytes, known ? call->body + 1 : 0);
        if (known)
            put_lines(bytes, call);
    }
}

uint64_t train_keep(const struct train_function *function)
{
    struct bytes bytes = {NULL, 0, 0};

    put_word(&bytes, gcov_version_word());
    put_word(&bytes, function->ident);
    put_word(&bytes, function->lineno);
    put_word(&bytes, function->checksum);
    leb_unsigned(put_byte, &bytes, function->counters);
    put_graph(&bytes, function);
    leb_unsigned(put_byte, &bytes, function->indirect.length());
    leb_unsigned(put_byte, &bytes, function->lists.length());
    for (const struct train_list &list : function->lists) {
        put_byte(&bytes, list.kind);
        leb_unsigned(put_byte, &bytes, list.block);
    }
    put_positions(&bytes, function);
    put_object(&bytes);
    put_function(&bytes, current_function_decl);
    carrier_keep(CARRIER, CCPROF_TABLES_BLOCKS, bytes.list, bytes.count);
    uint64_t id = graph_id(bytes.list, bytes.count);
    memory_free(bytes.list);
    return id;
}

static void add_encoded(tree, unsigned tag, const unsigned char *bytes, size_t size)
{
    struct bytes copy = {NULL, size, 0};

    // An older plugin made the object, which is now linked with -flto.
    if (tag != CCPROF_TABLES_BLOCKS)
        return;
    copy.list = (unsigned char *)memory_zeroed(size, 1);
    memcpy(copy.list, bytes, size);
    kept.functions = (struct bytes *)memory_reserve(kept.functions, &kept.room,
                                                    kept.count + 1, sizeof copy);
    kept.functions[kept.count++] = copy;
}

void train_take(void *, void *)
{
    carrier_take(CARRIER, add_encoded);
}

bool train_any(void)
{
    return kept.count > 0;
}

// Nothing refers to the section, so the linker must be told to keep it.
void train_emit(const char *)
{
    if (!kept.count)
        return;
    assembly_push_section(CCPROF_SECTION_ARCS, ASSEMBLY_RETAIN, "progbits", "");
    for (size_t i = 0; i < kept.count; i++) {
        const struct bytes *bytes = &kept.functions[i];
        assembly_byte(CCPROF_TABLES_BLOCKS);
        assembly_line(".8byte", "%#llx",
                      (unsigned long long)graph_id(bytes->list, bytes->count));
        assembly_line(".4byte", "%zu", bytes->count);
        assembly_bytes(bytes->list, bytes->count);
    }
    assembly_pop_section();
}

// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/count-late.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/sources.h"
#include "plugin/count/storage.h"
#include "rt/format.h"

namespace
{
// The counters of one compiled function; their sources follow each other in those of
// the unit.
struct row {
    unsigned row, first, count;
};
} // namespace

// What the unit has until count_late_emit writes it.
static struct {
    struct row *rows;
    size_t row_count, row_room;
    unsigned *sources;
    size_t source_count, source_room;
} kept;

static void add_source(int block)
{
    kept.sources = (unsigned *)memory_reserve(
        kept.sources, &kept.source_room, kept.source_count + 1, sizeof *kept.sources);
    kept.sources[kept.source_count++] = sources_compiled(block);
}

static unsigned start_row(unsigned count)
{
    kept.rows = (struct row *)memory_reserve(kept.rows, &kept.row_room,
                                             kept.row_count + 1, sizeof *kept.rows);
    kept.rows[kept.row_count] = {storage_make_row(count), (unsigned)kept.source_count,
                                 count};
    return kept.rows[kept.row_count++].row;
}

static gimple_seq addition(unsigned row, unsigned index)
{
    gimple_seq statements = NULL;

    storage_add(&statements, row, index, build_one_cst(long_long_unsigned_type_node));
    return statements;
}

static void count_function(void)
{
    unsigned row = start_row(1);

    add_source(-1);
    gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
                                     addition(row, 0));
}

// Where control arrives by a jump out of another function nothing may stand before the
// statement that receives it.
static bool may_count(basic_block bb)
{
    return !bb_has_abnormal_pred(bb);
}

static void count_blocks(void)
{
    unsigned count = 0, i = 0;
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun)
        count += may_count(bb);
    if (count == 0)
        return;
    unsigned row = start_row(count);
    FOR_EACH_BB_FN (bb, cfun) {
        if (!may_count(bb))
            continue;
        gimple_stmt_iterator gsi = gsi_after_labels(bb);
        add_source(bb->index);
        gsi_insert_seq_before(&gsi, addition(row, i++), GSI_SAME_STMT);
    }
}

static void execute(function *fun)
{
    if (filter_forbids_code(fun->decl) || !filter_wants(fun->decl))
        return;
    if (options.mark == OPTIONS_MARK_BLOCK)
        count_blocks();
    else
        count_function();
}

opt_pass *passes_make_count_late(void)
{
    return pass_make("ccprof_count_late", PASS_SSA_MEMORY, execute);
}

static void emit_row(const struct row *row, const char *unit)
{
    assembly_push_beside(CCPROF_SECTION_COUNT, storage_neighbour(row->row));
    assembly_byte(CCPROF_TABLES_VERSION);
    assembly_line(".4byte", "%s,%u", unit, row->count);
    for (unsigned i = 0; i < row->count; i++) {
        assembly_word_of_element(storage_address(row->row), 8 * i);
        assembly_line(".4byte", "%u", kept.sources[row->first + i]);
    }
    assembly_pop_section();
}

void count_late_emit(const char *unit)
{
    for (size_t i = 0; i < kept.row_count; i++)
        emit_row(&kept.rows[i], unit);
}

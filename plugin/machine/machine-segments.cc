// SPDX-License-Identifier: GPL-3.0-or-later
// The second pass runs when GCC adds no instruction any more, and puts labels around the
// instructions of each edge. GCC may have replaced insns since the first pass, and added
// some: those get the edge of the insn around them.

#include "plugin/gcc/compat.h"
#include "plugin/count/storage.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/label/emit.h"
#include "plugin/machine/machine.h"

#define PARTS     2
#define ROW_LABEL ".Lccprof_machine"

namespace
{
// What is known of an insn.
struct owner {
    size_t edge;
    bool known, is_counter;
    // Only for the last insn of a block that is not the last of its basic block: the edge
    // of the next block.
    size_t next;
    bool has_next;
    unsigned back, pair; // machine_segments_call; 0: not called
};
} // namespace

// The current function, from the first pass until its table is written.
static struct {
    bool any;
    unsigned row, vertices;
    auto_vec<machine_edge> edges;
    auto_vec<owner> owners; // by uid
    auto_vec<size_t> first; // edge of the first block, by index of the basic block
    auto_vec<size_t> falls; // into the block from the block before it, by index
    auto_vec<machine_segment> segments[PARTS];
    auto_vec<machine_call> calls[PARTS];
    int parts;
    int pairs; // number of the pairs, -1: none
} current;

// The rows of all functions that were written.
static auto_vec<unsigned> rows;

static struct owner *owner_of(const rtx_insn *insn)
{
    unsigned uid = INSN_UID(insn);

    if (uid >= current.owners.length())
        current.owners.safe_grow_cleared(uid + 1);
    return &current.owners[uid];
}

void machine_segments_own(const rtx_insn *insn, size_t edge)
{
    *owner_of(insn) = {edge, true, true, 0, false, 0, 0};
}

void machine_segments_pairs(unsigned number)
{
    current.pairs = number;
}

void machine_segments_call(const rtx_insn *insn, unsigned back, unsigned pair)
{
    owner_of(insn)->back = back;
    owner_of(insn)->pair = pair;
}

static void note_block(const struct machine_graph *graph, unsigned i)
{
    const struct machine_block *block = &graph->blocks[i];

    for (rtx_insn *insn = block->first; insn; insn = NEXT_INSN(insn)) {
        *owner_of(insn) = {block->number, true, false, 0, false, 0, 0};
        if (insn == block->last)
            break;
    }
    if (block->last && i + 1 < graph->blocks.length() &&
        graph->blocks[i + 1].bb == block->bb) {
        owner_of(block->last)->next = graph->blocks[i + 1].number;
        owner_of(block->last)->has_next = true;
    }
}

void machine_segments_begin(const struct machine_graph *graph, unsigned row)
{
    basic_block bb;

    current.any = true;
    current.row = row;
    current.vertices = graph->vertices;
    current.pairs = -1;
    current.owners.truncate(0);
    current.owners.safe_grow_cleared(get_max_uid(), true);
    current.edges.truncate(0);
    current.edges.safe_splice(graph->edges);
    current.first.truncate(0);
    current.first.safe_grow_cleared(last_basic_block_for_fn(cfun), true);
    current.falls.truncate(0);
    current.falls.safe_grow_cleared(last_basic_block_for_fn(cfun), true);
    FOR_EACH_BB_FN (bb, cfun) {
        current.first[bb->index] = graph->blocks[graph->first[bb->index]].number;
        current.falls[bb->index] = bb->prev_bb == ENTRY_BLOCK_PTR_FOR_FN(cfun)
                                       ? MACHINE_NO_EDGE
                                       : machine_graph_falls(graph, bb->prev_bb);
    }
    for (unsigned i = 0; i < graph->blocks.length(); i++)
        note_block(graph, i);
}

static unsigned put_label(rtx_insn *insn, bool before)
{
    rtx_note *note = before ? emit_note_before(NOTE_INSN_DELETED, insn)
                            : emit_note_after(NOTE_INSN_DELETED, insn);

    unsigned label = CODE_LABEL_NUMBER(gen_label_rtx());
    NOTE_KIND(note) = NOTE_INSN_DELETED_LABEL;
    CODE_LABEL_NUMBER(note) = label;
    NOTE_DELETED_LABEL_NAME(note) = NULL;
    return label;
}

// Returns the index of the basic block that begins at the label or note, -1 if none does.
// GCC may have put an instruction between the label and the note of the block.
static int block_at(const rtx_insn *insn)
{
    int passed = 0;

    for (; insn && passed < 2; insn = NEXT_INSN(insn)) {
        if (NOTE_INSN_BASIC_BLOCK_P(insn))
            return NOTE_BASIC_BLOCK(insn)->index;
        passed += walk_makes_code(insn);
    }
    return -1;
}

namespace
{
// The state of the walk through the insns.
struct segments_walk {
    int part = 0;
    size_t edge = 0; // of insns about which nothing is known
    size_t falls = MACHINE_NO_EDGE;
    int padding = -1; // alignment before FALLS leads on, -1: no label since the last insn
    rtx_insn *last = NULL; // the last insn of the open segment
};
} // namespace

static void end_segment(struct segments_walk *walk)
{
    if (walk->last)
        current.segments[walk->part].last().end = put_label(walk->last, false);
    walk->last = NULL;
}

// Returns true for the `ret' that follows the call of __morestack.
static bool is_morestack_return(const rtx_insn *insn)
{
    const rtx_insn *call = prev_nonnote_nondebug_insn(const_cast<rtx_insn *>(insn));

    return call && machine_is_morestack(call);
}

// A segment ends with the `ret' of __morestack: mlprof takes instructions behind a `ret'
// in the same segment for skipped.
static void add_insn(struct segments_walk *walk, rtx_insn *insn)
{
    const struct owner *owner = owner_of(insn);
    size_t edge = owner->known ? owner->edge : walk->edge;
    bool is_counter = owner->known && owner->is_counter;
    vec<machine_segment> &segments = current.segments[walk->part];

    if (!walk->last || segments.last().edge != edge ||
        segments.last().is_counter != is_counter) {
        end_segment(walk);
        current.segments[walk->part].safe_push(
            {put_label(insn, true), 0, edge, is_counter, walk->falls});
    }
    walk->falls = MACHINE_NO_EDGE;
    walk->padding = -1;
    walk->last = insn;
    if (owner->back)
        current.calls[walk->part].safe_push({owner->back, owner->pair});
    if (is_morestack_return(insn))
        end_segment(walk);
    if (!is_counter)
        walk->edge = owner->known && owner->has_next ? owner->next : edge;
}

// Of several labels without an insn between them, the one with the largest alignment has
// the padding.
static void start_block(struct segments_walk *walk, int index, const rtx_insn *label)
{
    int padding = label ? label_to_alignment((rtx)label).levels[0].log : 0;

    walk->edge = current.first[index];
    if (padding <= walk->padding)
        return;
    walk->padding = padding;
    walk->falls = current.falls[index];
}

static void make_segments(void)
{
    struct segments_walk walk;
    rtx_insn *insn = get_insns();
    int index = block_at(insn);

    for (int i = 0; i < PARTS; i++)
        current.segments[i].truncate(0), current.calls[i].truncate(0);
    if (index >= 0)
        start_block(&walk, index, NULL);
    for (; insn; insn = NEXT_INSN(insn))
        if (NOTE_P(insn) && NOTE_KIND(insn) == NOTE_INSN_SWITCH_TEXT_SECTIONS) {
            end_segment(&walk);
            walk.part++;
        } else if (LABEL_P(insn)) {
            end_segment(&walk);
            if ((index = block_at(insn)) >= 0)
                start_block(&walk, index, insn);
        } else if (NOTE_INSN_BASIC_BLOCK_P(insn))
            walk.edge = current.first[NOTE_BASIC_BLOCK(insn)->index];
        else if (walk_makes_code(insn))
            add_insn(&walk, insn);
    end_segment(&walk);
    current.parts = walk.part + 1;
}

static void execute_segments(function *)
{
    if (current.any)
        make_segments();
}

opt_pass *passes_make_machine_segments(void)
{
    return pass_make("ccprof_machine_segments", PASS_RTL, execute_segments);
}

static const struct encode_sink sink = {NULL, assembly_put_byte, emit_put_distance, NULL};

static void emit_function(void)
{
    unsigned label = current.segments[0][0].start;

    bool inclusive = options_adds_inclusive_instructions();

    emit_push_beside_part(CCPROF_SECTION_MACHINE, 0, label);
    assembly_byte(inclusive ? CCPROF_TABLES_CALLS : CCPROF_TABLES_VERSION);
    assembly_byte(current.parts);
    assembly_line(".8byte", ROW_LABEL "%u", current.row);
    if (inclusive && current.pairs >= 0)
        assembly_line(".8byte", MACHINE_PAIRS "%d", current.pairs);
    else if (inclusive)
        assembly_line(".8byte", "0");
    for (int i = 0; i < current.parts; i++)
        emit_label_word(current.segments[i][0].start);
    machine_table_encode_edges(current.vertices, current.edges.address(),
                               current.edges.length(), inclusive, &sink);
    for (int i = 0; i < current.parts; i++)
        machine_table_encode_segments(current.segments[i].address(),
                                      current.segments[i].length(), &sink);
    for (int i = 0; inclusive && i < current.parts; i++)
        machine_table_encode_calls(current.segments[i][0].start,
                                   current.calls[i].address(), current.calls[i].length(),
                                   &sink);
    assembly_pop_section();
    rows.safe_push(current.row);
}

static void begin_text(function *)
{
    if (current.any)
        machine_amounts_begin();
}

static void end_text(function *)
{
    if (current.any)
        machine_amounts_end(&current.edges, current.vertices, current.segments,
                            current.parts);
}

opt_pass *passes_make_machine_text(void)
{
    return pass_make("ccprof_machine_text", PASS_RTL, begin_text);
}

opt_pass *passes_make_machine_amounts(void)
{
    return pass_make("ccprof_machine_amounts", PASS_RTL, end_text);
}

static void emit_current(function *)
{
    if (current.any && current.segments[0].length()) {
        if (current.parts == PARTS && !current.segments[1].length())
            current.parts = 1;
        emit_function();
    }
    current.any = false;
}

opt_pass *passes_make_machine_emit(void)
{
    return pass_make("ccprof_machine_emit", PASS_RTL, emit_current);
}

void machine_emit(const char *)
{
    for (unsigned row : rows) {
        struct assembly_address address = storage_address(row);
        char name[sizeof ROW_LABEL + 20];
        snprintf(name, sizeof name, ROW_LABEL "%u", row);
        assembly_set(name, address);
    }
}

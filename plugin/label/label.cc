// SPDX-License-Identifier: GPL-3.0-or-later
// The RTL pass runs before the lengths are computed, when nothing duplicates, moves or
// deletes an insn any more.  A label is a note of the deleted-label kind, which final
// prints as a local label and nothing else looks at.

#include "plugin/gcc/compat.h"
#include "plugin/label/label.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/label/points.h"

static struct label_parts current;

const struct label_parts *label_current(void)
{
    return &current;
}

// GCC makes this kind only from real labels (GCC: cfgrtl.cc, delete_insn) and
// emit_note refuses it, so it begins as another kind.
static void make_label(rtx_note *note, unsigned *label)
{
    *label = CODE_LABEL_NUMBER(gen_label_rtx());
    NOTE_KIND(note) = NOTE_INSN_DELETED_LABEL;
    CODE_LABEL_NUMBER(note) = *label;
    NOTE_DELETED_LABEL_NAME(note) = NULL;
}

static unsigned label_before(rtx_insn *insn)
{
    unsigned label;

    make_label(emit_note_before(NOTE_INSN_DELETED, insn), &label);
    return label;
}

static unsigned label_after(rtx_insn *insn)
{
    unsigned label;

    make_label(emit_note_after(NOTE_INSN_DELETED, insn), &label);
    return label;
}

// GCC's own debug information is made from the locations later.
static void give_back_location(rtx_insn *insn)
{
    INSN_LOCATION(insn) = charge_original(INSN_LOCATION(insn));
}

namespace
{
// What is known on the way through the parts.
struct parts_walk {
    struct part *part = NULL;
    unsigned point = 0; // the present one; 0: none yet
    struct walk walk = {};
    struct points points;
};
} // namespace

static void start_part(struct parts_walk *walk, unsigned label)
{
    gcc_assert(current.count < LABEL_PARTS);
    walk->part = &current.parts[current.count++];
    walk->point = 0;
    part_clear(walk->part);
    walk->part->start_label = label;
    points_start(&walk->points, walk->part);
}

static void label_insn(struct parts_walk *walk, rtx_insn *insn)
{
    location_t location = walk_location(&walk->walk, insn);
    unsigned point = location ? points_of_location(&walk->points, location) : 0;

    if (point && point != walk->point) {
        part_enter(walk->part, label_before(insn), point);
        walk->point = point;
    }
}

// Not before it: what final does at a function's start depends on the notes that it
// finds there (GCC: final.cc, final_start_function_1).
static rtx_insn *first_real_insn(void)
{
    rtx_insn *insn = get_insns();

    while (insn && !NONDEBUG_INSN_P(insn))
        insn = NEXT_INSN(insn);
    return insn ? insn : get_last_insn();
}

// Gives the note at the switch; the next part begins behind it.
static rtx_insn *switch_part(struct parts_walk *walk, rtx_insn *note)
{
    walk->part->end_label = label_before(note);
    start_part(walk, label_after(note));
    return NEXT_INSN(note);
}

static void label_function(void)
{
    rtx_insn *insn = first_real_insn();
    struct parts_walk walk;

    current.count = 0;
    start_part(&walk, label_before(insn));
    points_start_block(&walk.points, ENTRY_BLOCK_PTR_FOR_FN(cfun)->next_bb->index);
    for (; insn; insn = NEXT_INSN(insn)) {
        if (walk_starts_block(insn))
            walk_start_block(&walk.walk);
        if (NOTE_INSN_BASIC_BLOCK_P(insn))
            points_start_block(&walk.points, NOTE_BASIC_BLOCK(insn)->index);
        else if (walk_starts_block(insn))
            insn = switch_part(&walk, insn);
        else if (walk_makes_code(insn))
            label_insn(&walk, insn);
    }
    walk.part->end_label = label_after(get_last_insn());
}

// Ours have the highest numbers of the function.
void label_remove_notes(void)
{
    for (rtx_insn *insn = get_insns(), *next; insn; insn = next) {
        next = NEXT_INSN(insn);
        if (NOTE_P(insn) && NOTE_KIND(insn) == NOTE_INSN_DELETED_LABEL &&
            (unsigned)CODE_LABEL_NUMBER(insn) >= current.parts[0].start_label)
            remove_insn(insn);
    }
}

void label_give_back_locations(void)
{
    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
        if (!INSN_P(insn))
            continue;
        give_back_location(insn);
        if (const rtx_sequence *sequence = dyn_cast<rtx_sequence *>(PATTERN(insn)))
            for (int i = 0; i < sequence->len(); i++)
                give_back_location(sequence->insn(i));
    }
    charge_forget();
}

static void execute(function *)
{
    label_function();
    label_give_back_locations();
}

opt_pass *passes_make_label(void)
{
    return pass_make("ccprof_label", PASS_RTL, execute);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what each insn wants in the field: the site of its local stack, unless the insn
// needs none or is of a run too short to be worth a store.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/scopes.h"
#include "plugin/gcc/locations.h"
#include "plugin/label/sites.h"
#include "plugin/field/callback.h"
#include "plugin/field/field-inside.h"

static bool is_first(basic_block bb)
{
    return single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun)) == bb;
}

// Before it nothing is stored yet.
static const rtx_insn *first_insn(basic_block bb)
{
    rtx_insn *insn;

    if (is_first(bb) && callback_is_current())
        FOR_BB_INSNS (bb, insn)
            if (callback_saves(insn))
                return NEXT_INSN(insn);
    return BB_HEAD(bb);
}

namespace
{
// An insn of a block that wants something.
struct wish {
    const rtx_insn *insn;
    int wanted;
    bool light;
};
} // namespace

static void find_wishes(struct field_flow *flow, basic_block bb, auto_vec<wish> *wishes)
{
    struct walk walk = {};
    // A function, and what is behind a call, is seen even if it is short.
    bool ends = false, unsure = is_first(bb);
    bool begun = false;
    int present = FIELD_ANYTHING;
    const rtx_insn *first = first_insn(bb);
    rtx_insn *insn;

    sites_start_block(bb->index);
    FOR_BB_INSNS (bb, insn) {
        begun |= insn == first;
        ends |= callback_restores(insn);
        flow->wanted[INSN_UID(insn)] = FIELD_ANYTHING;
        if (!walk_makes_code(insn))
            continue;
        location_t location = walk_location(&walk, insn);
        if (location)
            present = (int)sites_find(scopes_at(location), UNKNOWN_LOCATION);
        if (!begun || ends || present == FIELD_ANYTHING)
            continue;
        if (!field_wants_nothing(insn)) {
            wishes->safe_push({insn, present, !unsure && field_is_light(insn)});
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
    int most = FIELD_ANYTHING;
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

// The scheduler mixes the insns of different copies.  Short runs one behind the other
// want what most of them do, or nothing, if all of them together are short.
static void settle(struct field_flow *flow, const auto_vec<wish> &wishes)
{
    unsigned i = 0;

    while (i < wishes.length()) {
        unsigned end = run_end(wishes, i), next = end;
        int site = wishes[i].wanted;
        if (is_short(wishes, i, end)) {
            while (next < wishes.length() &&
                   is_short(wishes, next, run_end(wishes, next)))
                next = run_end(wishes, next);
            site = next - i > SHORT_RUN ? most_wanted(wishes, i, next) : FIELD_ANYTHING;
        }
        for (; i < next; i++)
            flow->wanted[INSN_UID(wishes[i].insn)] = site;
    }
}

void field_want_find(struct field_flow *flow)
{
    basic_block bb;

    flow->wanted = XNEWVEC(int, get_max_uid());
    FOR_EACH_BB_FN (bb, cfun) {
        auto_vec<wish> wishes;
        find_wishes(flow, bb, &wishes);
        settle(flow, wishes);
    }
}

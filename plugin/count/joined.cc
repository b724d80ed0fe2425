// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/joined.h"
#include "plugin/gcc/passes.h"
#include "plugin/count/counter.h"
#include "plugin/count/split_blocks.h"

typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, vec<tree>> parts_map;

// By DECL_UID, what those that were made here stand for: marks, which GCC's list of
// variables keeps.
static parts_map *parts;

bool joined_joins(void)
{
    return !flag_lto && !in_lto_p;
}

void joined_append(tree mark, vec<tree> *marked)
{
    vec<tree> *of = parts ? parts->get(DECL_UID(mark)) : NULL;

    if (of)
        marked->safe_splice(*of);
    else
        marked->safe_push(mark);
}

static void join(const vec<gimple *> &marks)
{
    vec<tree> of = vNULL;
    tree joined = counter_make_joined();

    for (gimple *mark : marks)
        joined_append(counter_marked(mark), &of);
    if (!parts)
        parts = new parts_map;
    parts->put(DECL_UID(joined), of);
    gimple_assign_set_lhs(marks[0], joined);
    update_stmt(marks[0]);
    for (unsigned i = 1; i < marks.length(); i++)
        counter_remove_mark(marks[i]);
}

static void end(vec<gimple *> *marks)
{
    if (marks->length() > 1)
        join(*marks);
    marks->truncate(0);
}

static void execute(function *fun)
{
    auto_vec<gimple *> marks;
    basic_block bb;

    FOR_EACH_BB_FN (bb, fun) {
        for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);) {
            gimple *statement = gsi_stmt(gsi);
            // Behind it, for it may be taken away.
            gsi_next_nondebug(&gsi);
            if (counter_marked(statement))
                marks.safe_push(statement);
            else if (split_blocks_may_not_return(statement))
                end(&marks);
        }
        end(&marks);
    }
}

opt_pass *passes_make_joined(void)
{
    return pass_make("ccprof_joined", PASS_SSA_MEMORY, execute);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/unwind/fold.c */
/* Folds of random stacks keep the promises of fold.h. Also folds made of parts, and cut
   folds. */

#include "rt_tests.h"
#include "rt/unwind/fold.h"
#include "testsuite/unit/random.h"

#define MOST 6000

static uint64_t stack[MOST]; /* outermost first */
static bool before[MOST];    /* the same call occurs further out */
static struct ccprof_fold whole, outer, inner, other;

/* Makes a recursion. Most calls are the first ones, some are others. */
static void make(int depth, unsigned calls, unsigned odds)
{
    uint64_t recent = 1;
    bool seen[MOST] = {false};
    for (int i = 0; i < depth; i++) {
        if (random_below(odds) == 0)
            recent = 1 + random_below(calls);
        stack[i] = random_below(4) == 0 ? 1 + random_below(recent) : recent;
        before[i] = seen[stack[i]];
        seen[stack[i]] = true;
    }
}

/* Folds the frames from FROM to END - 1, with positions reduced by SHIFT. */
static void fold(struct ccprof_fold *to, int from, int end, int shift)
{
    memset(to, 0, sizeof *to);
    for (int i = from; i < end; i++)
        ccprof_fold_add(to, &(struct ccprof_fold_frame){.address = stack[i],
                                                        .slot = stack[i] + 7,
                                                        .place = i - shift});
}

static bool is_kept(const struct ccprof_fold *of, int at)
{
    uint32_t count = ccprof_fold_count(of, at);
    return count > 0 && of->frame[count - 1].place == at;
}

/* Checks the first DEPTH frames, up to the position from where a full fold knows
   nothing. */
static void check_promises(const struct ccprof_fold *of, int depth)
{
    for (uint32_t i = 0; i < of->count; i++) {
        const struct ccprof_fold_frame *frame = &of->frame[i];
        MUST(frame->address == stack[frame->place]);
        MUST(frame->slot == stack[frame->place] + 7);
        MUST(frame->first == !before[frame->place]);
        MUST(i == 0 || of->frame[i - 1].place < frame->place);
    }
    for (int at = 0; at < depth && !(of->full && at >= of->full_at); at++) {
        if (!before[at]) {
            MUST(is_kept(of, at));
            MUST(at == 0 || is_kept(of, at - 1));
        } else if (!is_kept(of, at)) {
            int out = at - 1;
            while (stack[out] != stack[at] || !is_kept(of, out)) {
                MUST(out > 0 && before[out]);
                out--;
            }
        }
    }
}

static void check_same(const struct ccprof_fold *one, const struct ccprof_fold *two)
{
    MUST(one->count == two->count);
    for (uint32_t i = 0; i < one->count; i++) {
        MUST(one->frame[i].place == two->frame[i].place);
        MUST(one->frame[i].address == two->frame[i].address);
        MUST(one->frame[i].slot == two->frame[i].slot);
        MUST(one->frame[i].first == two->frame[i].first);
    }
    MUST(one->last.place == two->last.place);
}

TEST(test_random)
{
    for (int round = 0; round < 200; round++) {
        int depth = 1 + (int)random_below(random_below(4) ? 300 : 3000);
        make(depth, 1 + (unsigned)random_below(30), 1 + (unsigned)random_below(100));
        fold(&whole, 0, depth, 0);
        ck_assert(!whole.full);
        check_promises(&whole, depth);

        /* Later frames are further out. Positions count from the start of the walk. */
        int cut = (int)random_below((uint64_t)depth);
        fold(&outer, 0, cut, 0);
        fold(&inner, cut, depth, depth - 1);
        ccprof_fold_append(&outer, &inner, depth - 1);
        check_same(&outer, &whole);

        /* A cut fold is the fold of the shorter stack, except that a caller of a cut
           frame may be kept. The walk continues from there. */
        if (cut == 0)
            continue;
        fold(&other, 0, cut, 0);
        ccprof_fold_cut(&whole, &other.last);
        check_promises(&whole, cut);
        MUST(whole.count <= other.count + 1);
        ccprof_fold_append(&whole, &inner, depth - 1);
        check_promises(&whole, depth);
        MUST(whole.count <= outer.count + 1);
    }
}

/* More calls than the fold has room for. It keeps the outermost ones and records the
   position from where it knows nothing. */
TEST(test_full)
{
    for (int round = 0; round < 20; round++) {
        int depth = MOST - (int)random_below(1000);
        make(depth, 3000, 3);
        fold(&whole, 0, depth, 0);
        ck_assert(whole.full);
        ck_assert_uint_eq(whole.count, CCPROF_FOLD_MOST);
        check_promises(&whole, depth);
        int cut = (int)random_below((uint64_t)depth);
        fold(&outer, 0, cut, 0);
        fold(&inner, cut, depth, depth - 1);
        ccprof_fold_append(&outer, &inner, depth - 1);
        ck_assert(outer.full);
        ck_assert_int_le(outer.full_at, whole.full_at);
        check_promises(&outer, depth);
        ccprof_fold_cut(&whole, &(struct ccprof_fold_frame){.place = whole.full_at});
        ck_assert(whole.full);
        ccprof_fold_cut(&whole, &(struct ccprof_fold_frame){.place = whole.full_at - 1});
        ck_assert(!whole.full);
    }
}

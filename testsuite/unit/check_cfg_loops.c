/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Loops of machine code and what is executed in front of them, by hand.  */

#include "mlprof/base/buf.h"
#include "mlprof/elf/cfg-loops.h"
#include "testsuite/unit/tests.h"

#define NONE CFG_LOOPS_NONE

/* A loop from 1 to 5 around one of 3 and 4, a jump to itself, a return, and code for an
   exception, to which nothing leads, that goes on at 6.  */
static const struct {
    struct insn insn;
    uint32_t dominator, inner;
} rows[] = {
    {{.address = 0x10, .transfer = INSNS_NEXT}, NONE, NONE},
    {{.address = 0x12, .transfer = INSNS_NEXT}, 0, 2},
    {{.address = 0x14, .transfer = INSNS_CALL, .target = 0x10}, 1, 2},
    {{.address = 0x16, .transfer = INSNS_NEXT}, 2, 1},
    {{.address = 0x18, .transfer = INSNS_BRANCH, .target = 0x16}, 3, 1},
    {{.address = 0x1a, .transfer = INSNS_BRANCH, .target = 0x12}, 4, 2},
    {{.address = 0x1c, .transfer = INSNS_NEXT}, NONE, NONE},
    {{.address = 0x1e, .transfer = INSNS_BRANCH, .target = 0x1e}, 6, 0},
    {{.address = 0x20, .transfer = INSNS_RETURN}, 7, NONE},
    {{.address = 0x22, .transfer = INSNS_NEXT}, NONE, NONE},
    {{.address = 0x24, .transfer = INSNS_JUMP, .target = 0x1c}, 9, NONE},
};

#define COUNT (LENGTH(rows))

static struct cfg make_cfg(void)
{
    struct cfg cfg;
    struct insns_code code = {.list = buf_alloc(COUNT * sizeof *code.list),
                              .count = COUNT};
    for (size_t i = 0; i < COUNT; i++)
        code.list[i] = rows[i].insn;
    cfg_build(&cfg, code);
    return cfg;
}

static void assert_loop(const struct cfg_loops *loops, uint32_t number, uint32_t head,
                        uint32_t parent, size_t count)
{
    ck_assert_uint_eq(loops->loops[number].head, head);
    ck_assert_uint_eq(loops->loops[number].parent, parent);
    ck_assert_uint_eq(loops->loops[number].count, count);
}

TEST(loops_by_hand)
{
    struct cfg cfg = make_cfg();
    struct cfg_loops loops;
    ck_assert(cfg_loops_find(&loops, &cfg));
    for (size_t i = 0; i < COUNT; i++) {
        ck_assert_msg(loops.dominator[i] == rows[i].dominator, "dominator of %zu", i);
        ck_assert_msg(loops.inner[i] == rows[i].inner, "loop of %zu", i);
    }
    ck_assert_uint_eq(loops.count, 3);
    assert_loop(&loops, 0, 7, NONE, 1);
    assert_loop(&loops, 1, 3, 2, 2);
    assert_loop(&loops, 2, 1, NONE, 5);
    ck_assert(cfg_loops_is_in(&loops, 1, 2));
    ck_assert(cfg_loops_is_in(&loops, 1, 1));
    ck_assert(!cfg_loops_is_in(&loops, 2, 1));
    ck_assert(!cfg_loops_is_in(&loops, 0, 2));
    cfg_loops_free(&loops);
    cfg_free(&cfg);
}

TEST(where_jumps_lead_is_not_known)
{
    struct cfg cfg = make_cfg();
    struct cfg_loops loops;
    cfg.code.list[7].table = true;
    ck_assert(!cfg_loops_find(&loops, &cfg));
    cfg_loops_free(&loops);
    cfg_free(&cfg);
    cfg_build(&cfg, (struct insns_code){0});
    ck_assert(cfg_loops_find(&loops, &cfg));
    ck_assert_uint_eq(loops.count, 0);
    cfg_loops_free(&loops);
    cfg_free(&cfg);
}

/* Each to the next, from the last one back to the middle: no recursion, and soon.  */
TEST(many)
{
    const size_t count = 200000;
    struct cfg cfg;
    struct cfg_loops loops;
    struct insns_code code = {.list = buf_alloc(count * sizeof *code.list),
                              .count = count};
    for (size_t i = 0; i < count; i++)
        code.list[i] = (struct insn){.address = i + 1, .transfer = INSNS_NEXT};
    code.list[count - 1].transfer = INSNS_JUMP;
    code.list[count - 1].target = count / 2 + 1;
    cfg_build(&cfg, code);
    ck_assert(cfg_loops_find(&loops, &cfg));
    ck_assert_uint_eq(loops.count, 1);
    ck_assert_uint_eq(loops.loops[0].count, count / 2);
    ck_assert_uint_eq(loops.dominator[count - 1], count - 2);
    cfg_loops_free(&loops);
    cfg_free(&cfg);
}

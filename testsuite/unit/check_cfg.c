/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The control flow graph of machine code, by hand: the successors and dominators of
   instructions, and the loops. */

#include "mlprof/base/buf.h"
#include "mlprof/elf/cfg.h"
#include "testsuite/unit/tests.h"

#define NONE CFG_LOOPS_NONE

/* Instructions of two bytes: a loop from 1 to 5 around a loop of 3 and 4; a jump to
   itself; a return; exception code without a predecessor that continues at 6; bytes that
   are not an instruction; a branch out of the code. BEHIND: the numbers of the
   predecessors, in hexadecimal. */
static const struct {
    struct insn insn;
    const char *behind;
    uint32_t dominator, inner;
} rows[] = {
    {{.address = 0x10, .transfer = INSNS_NEXT}, "", NONE, NONE},
    {{.address = 0x12, .transfer = INSNS_NEXT}, "05", 0, 2},
    {{.address = 0x14, .transfer = INSNS_CALL, .target = 0x10}, "1", 1, 2},
    {{.address = 0x16, .transfer = INSNS_NEXT}, "24", 2, 1},
    {{.address = 0x18, .transfer = INSNS_BRANCH, .target = 0x16}, "3", 3, 1},
    {{.address = 0x1a, .transfer = INSNS_BRANCH, .target = 0x12}, "4", 4, 2},
    {{.address = 0x1c, .transfer = INSNS_NEXT}, "5a", NONE, NONE},
    {{.address = 0x1e, .transfer = INSNS_BRANCH, .target = 0x1e}, "67", 6, 0},
    {{.address = 0x20, .transfer = INSNS_RETURN}, "7", 7, NONE},
    {{.address = 0x22, .transfer = INSNS_NEXT}, "", NONE, NONE},
    {{.address = 0x24, .transfer = INSNS_JUMP, .target = 0x1c}, "9", 9, NONE},
    {{.address = 0x26, .transfer = INSNS_UNKNOWN}, "", NONE, NONE},
    {{.address = 0x28, .transfer = INSNS_BRANCH, .target = 0x40}, "", NONE, NONE},
    {{.address = 0x2a, .transfer = INSNS_RETURN}, "c", 12, NONE},
};

#define COUNT (LENGTH(rows))

static struct cfg cfg;
static struct cfg_loops loops;

static void make_cfg(void)
{
    struct insns_code code = {.list = buf_alloc(COUNT * sizeof *code.list),
                              .count = COUNT};
    for (size_t i = 0; i < COUNT; i++)
        code.list[i] = rows[i].insn;
    cfg_build(&cfg, code);
}

static void free_cfg(void)
{
    cfg_loops_free(&loops);
    cfg_free(&cfg);
}
TEST_AROUND(make_cfg, free_cfg)

TEST_TIMES(what_leads_to_each, COUNT)
{
    struct cfg_walk walk = {.number = (size_t)_i};
    FILE *out = print_begin();
    bool target = false;
    for (size_t number; cfg_predecessor(&cfg, &walk, &number);) {
        fprintf(out, "%zx", number);
        target = target || rows[number].insn.target == rows[_i].insn.address;
    }
    print_end(out, rows[_i].behind);
    ck_assert_int_eq(cfg_is_target(&cfg, (size_t)_i), target);
}

static void assert_loop(uint32_t number, uint32_t head, uint32_t parent, size_t count)
{
    ck_assert_uint_eq(loops.loops[number].head, head);
    ck_assert_uint_eq(loops.loops[number].parent, parent);
    ck_assert_uint_eq(loops.loops[number].count, count);
}

TEST(loops_by_hand)
{
    ck_assert(cfg_loops_find(&loops, &cfg));
    for (size_t i = 0; i < COUNT; i++) {
        ck_assert_msg(loops.dominator[i] == rows[i].dominator, "dominator of %zu", i);
        ck_assert_msg(loops.inner[i] == rows[i].inner, "loop of %zu", i);
    }
    ck_assert_uint_eq(loops.count, 3);
    assert_loop(0, 7, NONE, 1);
    assert_loop(1, 3, 2, 2);
    assert_loop(2, 1, NONE, 5);
    ck_assert(cfg_loops_is_in(&loops, 1, 2));
    ck_assert(cfg_loops_is_in(&loops, 1, 1));
    ck_assert(!cfg_loops_is_in(&loops, 2, 1));
    ck_assert(!cfg_loops_is_in(&loops, 0, 2));
}

TEST(where_jumps_lead_is_not_known)
{
    cfg.code.list[7].table = true;
    ck_assert(!cfg_loops_find(&loops, &cfg));
}

/* Each instruction leads to the next, and the last one to the middle. The search must be
   fast and not recursive. */
TEST(many)
{
    const size_t count = 200000;
    struct insns_code code = {.list = buf_alloc(count * sizeof *code.list),
                              .count = count};
    for (size_t i = 0; i < count; i++)
        code.list[i] = (struct insn){.address = i + 1, .transfer = INSNS_NEXT};
    code.list[count - 1].transfer = INSNS_JUMP;
    code.list[count - 1].target = count / 2 + 1;
    cfg_free(&cfg);
    cfg_build(&cfg, code);
    ck_assert(cfg_loops_find(&loops, &cfg));
    ck_assert_uint_eq(loops.count, 1);
    ck_assert_uint_eq(loops.loops[0].count, count / 2);
    ck_assert_uint_eq(loops.dominator[count - 1], count - 2);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The control flow graph of machine code: which instructions lead to which.  */

#include "mlprof/base/buf.h"
#include "mlprof/elf/cfg.h"
#include "testsuite/unit/tests.h"

/* Two bytes each: a comparison, a branch over the next one, that one, where both lead to
   and a jump comes back to, a call, a branch that leads out, that jump, what no
   disassembler knows, and a return.  */
static const struct insn list[] = {
    {.address = 0x10, .transfer = INSNS_NEXT},
    {.address = 0x12, .transfer = INSNS_BRANCH, .target = 0x16},
    {.address = 0x14, .transfer = INSNS_NEXT},
    {.address = 0x16, .transfer = INSNS_NEXT},
    {.address = 0x18, .transfer = INSNS_CALL, .target = 0x10},
    {.address = 0x1a, .transfer = INSNS_BRANCH, .target = 0x40},
    {.address = 0x1c, .transfer = INSNS_JUMP, .target = 0x16},
    {.address = 0x1e, .transfer = INSNS_UNKNOWN},
    {.address = 0x20, .transfer = INSNS_RETURN},
};

#define COUNT (LENGTH(list))

/* The numbers of the instructions that each is executed behind.  */
static const char *const behind[COUNT] = {"", "0", "1", "216", "3", "4", "5", "", ""};

static struct cfg make_cfg(void)
{
    struct cfg cfg;
    struct insns_code code = {.list = buf_alloc(sizeof list), .count = COUNT};
    memcpy(code.list, list, sizeof list);
    cfg_build(&cfg, code);
    return cfg;
}

TEST_TIMES(what_leads_to_each, COUNT)
{
    struct cfg cfg = make_cfg();
    struct cfg_walk walk = {.number = (size_t)_i};
    char found[COUNT + 1] = "";
    size_t count = 0, number;
    while (cfg_predecessor(&cfg, &walk, &number)) {
        ck_assert_uint_lt(count, COUNT);
        found[count++] = (char)('0' + number);
    }
    ck_assert_str_eq(found, behind[_i]);
    ck_assert_int_eq(cfg_is_target(&cfg, (size_t)_i), list[_i].address == 0x16);
    cfg_free(&cfg);
}

TEST(where_they_are)
{
    struct cfg cfg = make_cfg();
    for (uint64_t address = 0x0e; address < 0x24; address++) {
        bool is_one = address >= 0x10 && address <= 0x20 && address % 2 == 0;
        ck_assert_uint_eq(cfg_at(&cfg, address), is_one ? (address - 0x10) / 2 : COUNT);
    }
    cfg_free(&cfg);
    cfg_build(&cfg, (struct insns_code){0});
    ck_assert_uint_eq(cfg_at(&cfg, 0x10), 0);
    cfg_free(&cfg);
}

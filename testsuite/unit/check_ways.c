/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Which instructions lead to which.  */

#include "mlprof/elf/ways.h"
#include "mlprof/base/buf.h"
#include "runner.h"

#include <check.h>
#include <string.h>

/* Two bytes each: a comparison, a branch over the next one, that one, where both lead to
   and a jump comes back to, a call, a branch that leads out, that jump, what no
   disassembler knows, and a return.  */
static const struct insn list[] = {
    {.address = 0x10, .flow = INSNS_NEXT},
    {.address = 0x12, .flow = INSNS_BRANCH, .target = 0x16},
    {.address = 0x14, .flow = INSNS_NEXT},
    {.address = 0x16, .flow = INSNS_NEXT},
    {.address = 0x18, .flow = INSNS_CALL, .target = 0x10},
    {.address = 0x1a, .flow = INSNS_BRANCH, .target = 0x40},
    {.address = 0x1c, .flow = INSNS_JUMP, .target = 0x16},
    {.address = 0x1e, .flow = INSNS_UNKNOWN},
    {.address = 0x20, .flow = INSNS_RETURN},
};

#define COUNT (sizeof list / sizeof *list)

/* The numbers of the instructions that each is executed behind.  */
static const char *const behind[COUNT] = {"", "0", "1", "216", "3", "4", "5", "", ""};

static struct ways make_ways(void)
{
    struct ways ways;
    struct insns_code code = {.list = buf_alloc(sizeof list), .count = COUNT};
    memcpy(code.list, list, sizeof list);
    ways_find(&ways, code);
    return ways;
}

START_TEST(what_leads_to_each)
{
    struct ways ways = make_ways();
    struct ways_walk walk = {.number = (size_t)_i};
    char found[COUNT + 1] = "";
    size_t count = 0, number;
    while (ways_next(&ways, &walk, &number)) {
        ck_assert_uint_lt(count, COUNT);
        found[count++] = (char)('0' + number);
    }
    ck_assert_str_eq(found, behind[_i]);
    ck_assert_int_eq(ways_is_target(&ways, (size_t)_i), list[_i].address == 0x16);
    ways_free(&ways);
}
END_TEST

START_TEST(where_they_are)
{
    struct ways ways = make_ways();
    for (uint64_t address = 0x0e; address < 0x24; address++) {
        bool is_one = address >= 0x10 && address <= 0x20 && address % 2 == 0;
        ck_assert_uint_eq(ways_at(&ways, address), is_one ? (address - 0x10) / 2 : COUNT);
    }
    ways_free(&ways);
    ways_find(&ways, (struct insns_code){0});
    ck_assert_uint_eq(ways_at(&ways, 0x10), 0);
    ways_free(&ways);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ways");
    TCase *tests = tcase_create("ways");
    tcase_add_loop_test(tests, what_leads_to_each, 0, COUNT);
    tcase_add_test(tests, where_they_are);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}

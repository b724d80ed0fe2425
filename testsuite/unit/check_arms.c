/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The code of each outcome of a condition or switch, in graphs made by hand. Block 0 is
   the entry, block 1 the exit. */

#include "mlprof/flow/arms.h"
#include "testsuite/unit/made_flow.h"
#include "testsuite/unit/tests.h"

#define NONE ARMS_NONE

/* The arm that contains a block or another arm: BLOCK@ARM or ARM@ARM. An arm is an
   edge. */
static const struct {
    const char *name;
    size_t blocks;
    const char *edges, *arms;
} graphs[] = {
    {"if (2) 3 else 4; 5", 6, "0>2 2>3T 2>4F 3>5 4>5 5>1", "3@2>3 4@2>4"},
    {"if (2) { if (3) 4; 5 } 6", 7, "0>2 2>3T 2>6F 3>4T 3>5F 4>5 5>6 6>1",
     "3@2>3 4@3>4 5@2>3 3>4@2>3"},
    {"while (2) 3; if (4) 5; 6", 7, "0>2 2>3T 2>4F 3>2 4>5T 4>6F 5>6 6>1", "3@2>3 5@4>5"},
    {"do 2 while (2); 3", 4, "0>2 2>2T 2>3F 3>1", ""},
    {"while (2) { if (3) break; 4 } 5", 6, "0>2 2>3T 2>5F 3>5T 3>4F 4>2 5>1",
     "3@2>3 4@3>4 3>4@2>3"},
    {"if (2 && 3) 4 else 5; 6", 7, "0>2 2>3T 2>5F 3>4T 3>5F 4>6 5>6 6>1",
     "3@2>3 4@3>4 5@3>5 3>4@2>3"},
    {"if (2 || 3) 4; 5", 6, "0>2 2>4T 2>3F 3>4T 3>5F 4>5 5>1", "3@2>3 4@3>4"},
    {"switch (2) { case: 3; break; case: 4; case: 5; break; default: 6 } 7", 8,
     "0>2 2>3C 2>4C 2>5C 2>6C 3>7 4>5 5>7 6>7 7>1", "3@2>3 4@2>4 5@2>5 6@2>6"},
    {"if (2) 3, which may end the program; 4", 5, "0>2 2>3T 2>4F 3>4 3>1K 4>1", "3@2>3"},
    {"try { if (2) 3; 4 } catch 5; 6", 7, "0>2 2>3T 2>4F 3>4 3>5X 4>6 5>6 6>1",
     "3@2>3 5@2>3"},
    {"if (2) goto 4; 3; 4, and from 3 into 5 or 4", 6, "0>2 2>4T 2>3F 3>5T 3>4F 4>5 5>1",
     "3@2>3 4@3>4"},
    {"2 comes back a second time into 3: if (3) 4; 5, nobody reaches 6", 7,
     "0>2 0>3K 2>3 3>4T 3>5F 4>5 5>1 6>5", "4@3>4"},
};

TEST_ROWS(arms_by_hand, graphs)
{
    struct made_flow_arc edges[MADE_FLOW_EDGES];
    struct made_flow made;
    struct arms arms;
    const char *separator = "";
    size_t count = made_flow_arcs(edges, graphs[_i].edges);
    made_flow(&made, edges, count, (const uint32_t[MADE_FLOW_BLOCKS]){0},
              graphs[_i].blocks);
    arms_find(&arms, &made.flow.graph);
    FILE *out = print_begin();
    for (uint32_t i = 0; i < graphs[_i].blocks; i++)
        if (arms.of_block[i] != NONE) {
            const struct made_flow_arc *arm = &edges[arms.of_block[i]];
            fprintf(out, "%s%u@%u>%u", separator, i, arm->from, arm->to);
            separator = " ";
        }
    for (uint32_t i = 0; i < count; i++)
        if (arms.outer[i] != NONE) {
            const struct made_flow_arc *arm = &edges[arms.outer[i]];
            fprintf(out, "%s%u>%u@%u>%u", separator, edges[i].from, edges[i].to,
                    arm->from, arm->to);
            separator = " ";
        }
    print_end(out, graphs[_i].arms);
    arms_free(&arms);
}

TEST(common_is_around_both)
{
    uint32_t around[] = {NONE, 0, 1, 0, NONE}, depth[] = {0, 1, 2, 1, 0};
    struct arms arms = {.outer = around, .depth = depth};
    ck_assert_uint_eq(arms_common(&arms, 2, 3), 0);
    ck_assert_uint_eq(arms_common(&arms, 2, 1), 1);
    ck_assert_uint_eq(arms_common(&arms, 3, 3), 3);
    ck_assert_uint_eq(arms_common(&arms, 2, 4), NONE);
    ck_assert_uint_eq(arms_common(&arms, NONE, 2), NONE);
}

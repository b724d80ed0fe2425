/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The cost of a call as text. */

#include "mlprof/base/text.h"
#include "testsuite/unit/tests.h"

static const struct {
    uint64_t samples, rate, calls;
    const char *text;
} costs[] = {
    /* 400 samples at 100 Hz are 4 s; 1.96 / sqrt(400) is 9.8 %. */
    {400, 100, 4, "1.00s +-10%"},
    {400, 100, 160000, "25.0us +-10%"},
    {400, 100, 10000000, "400ns +-10%"},
    {400, 100, UINT64_MAX, "0.00ns +-10%"},
    /* 3 samples at most, 30 ms. */
    {0, 100, 3, "<10.0ms"},
    {0, 100, 0, "-"},
};

TEST_ROWS(cost_is_text, costs)
{
    assert_text(text_call_time(costs[_i].samples, 0, 0, costs[_i].rate, costs[_i].calls),
                costs[_i].text);
}

TEST(what_is_in_doubt)
{
    /* The uncertain samples are within chance: 1.96 * sqrt(400) is 39.2. */
    assert_text(text_call_time(400, 39, 39, 100, 4), "1.00s +-10%");
    /* 800 and 1.96 * sqrt(800), 55.4, are 214 % of 400. */
    assert_text(text_call_time(400, 0, 400, 100, 4), "1.00s +114-10%");
    /* 100 less 1.96 * 10 are 20 % of 400. */
    assert_text(text_call_time(400, 300, 0, 100, 4), "1.00s +10-80%");
    /* All samples are uncertain: at most 439.2 samples, 4.392 s in 4 calls. */
    assert_text(text_call_time(400, 400, 0, 100, 4), "<1.10s");
    /* Neither samples nor an error: the interval is that of chance alone. */
    assert_text(text_call_time(0, 0, 0, 100, 3), "<10.0ms");
    /* Uncertain samples reduce the bound at most to 0: 3 samples are more than 1 +
       1.96. */
    assert_text(text_call_time(0, 0, 1, 100, 3), "<10.0ms");
    assert_text(text_call_time(400, 400, 400, 100, 0), "-");
}

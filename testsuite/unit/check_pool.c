/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Pieces of memory that are freed together.  */

#include "mlprof/base/pool.h"
#include "testsuite/unit/tests.h"

#include <stdalign.h>
#include <stdint.h>

#define PIECES 3000

/* Small ones, and now and then one larger than a block.  */
static size_t size_of(unsigned number)
{
    return number % 500 == 7 ? 100000 + number : number % 97;
}

TEST(pieces)
{
    static unsigned char *list[PIECES];
    struct pool pool = {0};
    for (unsigned i = 0; i < PIECES; i++) {
        list[i] = pool_alloc(&pool, size_of(i));
        ck_assert_uint_eq((uintptr_t)list[i] % alignof(max_align_t), 0);
        memset(list[i], (int)(i & 255), size_of(i));
    }
    for (unsigned i = 0; i < PIECES; i++) {
        size_t same = 0;
        while (same < size_of(i) && list[i][same] == (i & 255))
            same++;
        ck_assert_uint_eq(same, size_of(i));
    }
    pool_free(&pool);
    ck_assert_ptr_null(pool.last);
}

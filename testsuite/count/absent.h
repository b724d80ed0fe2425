/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nobody calls these. */

static inline int header_inline(int x)
{
    return x + 11;
}

__attribute__((unused)) static int header_static(int x)
{
    return x + 12;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

static inline unsigned far(unsigned x)
{
    return (x * 0x41c64e6d) ^ 0x33;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A piece of a function's body. */
x = square(x) * 0.5 + (x < 0.25 ? 0.25 : x / 3);

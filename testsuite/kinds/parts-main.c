// SPDX-License-Identifier: GPL-3.0-or-later
// The program whose alpha and beta stand in units of their own.

#include "parts.h"

volatile uint64_t two_sink;

int main(void)
{
    TWO_RUN(alpha, beta);
    return 0;
}

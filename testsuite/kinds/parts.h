/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alpha and beta, each in its own unit, with a helper that is inlined there.  */

#ifndef FORMS_PARTS_H
#define FORMS_PARTS_H

#include "two.h"

uint64_t alpha(uint64_t x, long steps);
uint64_t beta(uint64_t x, long steps);

#endif

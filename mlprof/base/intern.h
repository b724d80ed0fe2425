/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers strings from 0.  Equal strings have equal numbers.  */

#ifndef MLPROF_INTERN_H
#define MLPROF_INTERN_H

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"

/* Starts as all zero.  */
struct intern {
    const char **texts; /* by number */
    size_t count, capacity;
    struct pool pool; /* of the texts */
    struct slots slots;
};

/* The number of TEXT, which is copied.  */
uint32_t intern_put(struct intern *intern, const char *text);

/* The string with a number that intern_put returned; it lives as long as INTERN.  */
const char *intern_text(const struct intern *intern, uint32_t number);

/* The string of INTERN that is equal to TEXT.  TEXT is freed.  */
const char *intern_keep(struct intern *intern, char *text);

void intern_free(struct intern *intern);

#endif

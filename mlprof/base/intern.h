/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers strings: equal strings have equal numbers, from 0 upwards.  */

#ifndef MLPROF_INTERN_H
#define MLPROF_INTERN_H

#include <stddef.h>
#include <stdint.h>

/* Starts as all zero.  */
struct intern {
    char **texts; /* by number */
    size_t count, capacity;
    uint32_t *slots; /* number plus 1; 0 is free */
    size_t slot_count;
};

/* The number of TEXT, which is copied.  */
uint32_t intern_put(struct intern *intern, const char *text);

/* The string with a number that intern_put returned; it lives as long as INTERN.  */
const char *intern_text(const struct intern *intern, uint32_t number);

void intern_free(struct intern *intern);

#endif

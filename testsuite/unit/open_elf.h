/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the tables of a file that make_elf writes.  */

#ifndef TESTSUITE_OPEN_ELF_H
#define TESTSUITE_OPEN_ELF_H

#include "mlprof/tables/tables.h"
#include "testsuite/unit/make_elf.h"

#include <check.h>
#include <stdlib.h>

/* Ends the test if they are refused.  */
static inline struct tables *open_elf(const struct make_elf *file)
{
    struct fault fault = {0};
    char *path = make_path();
    make_elf(path, file);
    struct tables *tables = tables_open_with(path, "nowhere", &fault);
    if (!tables)
        ck_abort_msg("%s", fault.text);
    free(path);
    return tables;
}

#endif

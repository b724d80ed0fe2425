/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the tables of a file that make_elf writes. */

#ifndef TESTSUITE_OPEN_ELF_H
#define TESTSUITE_OPEN_ELF_H

#include "mlprof/tables/tables.h"
#include "testsuite/unit/make_elf.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Ends the test if the tables are refused. */
static inline struct tables *open_elf(const struct make_elf *file)
{
    struct fault fault = {0};
    char *path = make_path();
    make_elf(path, file);
    struct tables *tables = tables_open(path, &fault);
    if (!tables)
        ck_abort_msg("%s", fault.text);
    free(path);
    return tables;
}

/* Checks that the tables of FILE are refused with a message that ends in EXPECTED. */
static inline void assert_refused(const struct make_elf *file, enum fault_kind kind,
                                  const char *expected)
{
    struct fault fault = {0};
    char *path = make_path();
    make_elf(path, file);
    ck_assert_ptr_null(tables_open(path, &fault));
    ck_assert_ptr_nonnull(fault.text);
    ck_assert_int_eq(fault.kind, kind);
    ck_assert_int_eq(strncmp(fault.text, path, strlen(path)), 0);
    ck_assert_str_eq(fault.text + strlen(path) + 2, expected);
    fault_clear(&fault);
    free(path);
}

#endif

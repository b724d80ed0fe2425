/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes tables as JSON by column: an object with a list for each column. The page's
   data has this form because browsers parse lists of numbers faster than lists of
   objects. Instead of a text, a table has the index of the text in a list of all
   texts, which is printed last. Used by page.c, page-*.c and the pages of
   comparisons. */

#ifndef MLPROF_DATACOLUMNS_H
#define MLPROF_DATACOLUMNS_H

#include "mlprof/base/index.h"
#include "mlprof/base/encoding.h"

#include <stddef.h>

/* All zero except for JSON.out; datacolumns_free frees it. */
struct datacolumns {
    struct json json;
    struct intern texts;
};

/* Returns the value of row NUMBER of ROWS. CONTEXT is that of datacolumns_print. */
typedef int64_t datacolumns_value(void *context, const void *rows, size_t number);

struct datacolumns_column {
    const char *name;
    datacolumns_value *value;
};

/* No text, or an unknown value. */
#define DATACOLUMNS_NONE ((int64_t)-1)

/* Returns the number of TEXT, or DATACOLUMNS_NONE if TEXT is NULL. */
int64_t datacolumns_text(struct datacolumns *columns, const char *text);

/* Returns the number of TEXT and frees TEXT. Returns DATACOLUMNS_NONE if TEXT is
   NULL. */
int64_t datacolumns_text_of(struct datacolumns *columns, char *text);

/* Prints the field NAME, a table of the COUNT rows of ROWS. LIST ends with a column
   without a name. */
void datacolumns_print(struct datacolumns *columns, const char *name, void *context,
                       const void *rows, size_t count,
                       const struct datacolumns_column *list);

/* Prints the field NAME, the list of all texts. */
void datacolumns_print_texts(struct datacolumns *columns, const char *name);

void datacolumns_free(struct datacolumns *columns);

#endif

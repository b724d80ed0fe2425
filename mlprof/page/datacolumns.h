/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes tables by column as JSON, an object with a list for each column, for the data of
   the page: browsers parse lists of numbers faster than lists of objects.  A text becomes
   a number, its index in a list of all texts at the end.  */

#ifndef MLPROF_DATACOLUMNS_H
#define MLPROF_DATACOLUMNS_H

#include "mlprof/base/index.h"
#include "mlprof/base/encoding.h"

#include <stddef.h>

/* All zero but for JSON.out; datacolumns_free frees it.  */
struct datacolumns {
    struct json json;
    struct intern texts;
};

/* The value of row NUMBER of OF.  CONTEXT is passed on from datacolumns_print.  */
typedef int64_t datacolumns_value(void *context, const void *of, size_t number);

struct datacolumns_column {
    const char *name;
    datacolumns_value *value;
};

/* No text, or an unknown value.  */
#define DATACOLUMNS_NONE ((int64_t)-1)

/* The number of TEXT; DATACOLUMNS_NONE if it is NULL.  */
int64_t datacolumns_text(struct datacolumns *columns, const char *text);

/* The number of TEXT, which is freed; DATACOLUMNS_NONE if it is NULL.  */
int64_t datacolumns_text_of(struct datacolumns *columns, char *text);

/* Prints the field NAME, a table of COUNT rows.  LIST ends with a column without a
   name.  */
void datacolumns_print(struct datacolumns *columns, const char *name, void *context,
                       const void *of, size_t count,
                       const struct datacolumns_column *list);

/* Prints the field NAME, the list of all texts.  */
void datacolumns_print_texts(struct datacolumns *columns, const char *name);

void datacolumns_free(struct datacolumns *columns);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes tables as columns in JSON, an object with a list for each column, for the data
   of the page: a browser reads lists of numbers faster than lists of objects.  Texts are
   numbers into one list that stands at the end.  */

#ifndef MLPROF_DATACOLUMNS_H
#define MLPROF_DATACOLUMNS_H

#include "mlprof/base/intern.h"
#include "mlprof/base/json.h"

#include <stddef.h>

/* Starts with JSON.out set, and all else zero; datacolumns_free frees it.  */
struct datacolumns {
    struct json json;
    struct intern texts;
};

/* A value of row NUMBER of OF; CONTEXT is what datacolumns_print was given.  */
typedef int64_t datacolumns_value(void *context, const void *of, size_t number);

struct datacolumns_column {
    const char *name;
    datacolumns_value *value;
};

/* No text, or nothing known.  */
#define DATACOLUMNS_NONE ((int64_t)-1)

/* The number of TEXT; DATACOLUMNS_NONE if it is NULL.  */
int64_t datacolumns_text(struct datacolumns *columns, const char *text);

/* The same of a text that is freed.  */
int64_t datacolumns_text_of(struct datacolumns *columns, char *text);

/* Prints the field NAME, a table of COUNT rows; LIST ends with a column without a name.
 */
void datacolumns_print(struct datacolumns *columns, const char *name, void *context,
                       const void *of, size_t count,
                       const struct datacolumns_column *list);

/* Prints the field NAME, the list of the texts.  */
void datacolumns_print_texts(struct datacolumns *columns, const char *name);

void datacolumns_free(struct datacolumns *columns);

#endif

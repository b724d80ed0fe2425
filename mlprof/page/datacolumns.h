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

/* All zero except for JSON.out; intern_free frees TEXTS. */
struct datacolumns {
    struct json json;
    struct intern texts;
};

/* Returns the value of row NUMBER of ROWS. CONTEXT is that of datacolumns_print. */
typedef int64_t datacolumns_value(void *context, const void *rows, size_t number);

enum datacolumns_type {
    DATACOLUMNS_BYTE,
    DATACOLUMNS_INT,
    DATACOLUMNS_LONG,
    DATACOLUMNS_TEXT
};

/* The values are computed by VALUE or, if VALUE is NULL, are a member of the rows. */
struct datacolumns_column {
    const char *name;
    datacolumns_value *value;
    enum datacolumns_type type;
    size_t offset, size; /* of the member in its row; of a row */
};

/* The column with MEMBER of each row `struct TYPE': a number, or the number of a text.
   The column is called like the member, or NAME. */
#define DATACOLUMNS_MEMBER(type, member) DATACOLUMNS_NAMED(#member, type, member)
#define DATACOLUMNS_NAMED(name, type, member)                                            \
    {                                                                                    \
        name, NULL, DATACOLUMNS_TYPE(((struct type *)NULL)->member),                     \
            offsetof(struct type, member), sizeof(struct type)                           \
    }
/* clang-format off */
#define DATACOLUMNS_TYPE(value)                                                          \
    _Generic(value, bool: DATACOLUMNS_BYTE, uint32_t: DATACOLUMNS_INT,                   \
             uint64_t: DATACOLUMNS_LONG, int64_t: DATACOLUMNS_LONG,                      \
             char *: DATACOLUMNS_TEXT)
/* clang-format on */

/* No text, or an unknown value. */
#define DATACOLUMNS_NONE ((int64_t)-1)

/* Returns the number of TEXT, or DATACOLUMNS_NONE if TEXT is NULL. */
int64_t datacolumns_text(struct datacolumns *columns, const char *text);

/* Returns the number of TEXT and frees TEXT. Returns DATACOLUMNS_NONE if TEXT is
   NULL. */
int64_t datacolumns_text_of(struct datacolumns *columns, char *text);

/* Prints the field NAME, a table of the COUNT rows of ROWS. LIST ends with a column
   without a name. datacolumns_print_lists prints only the columns, as fields of the
   current object. */
void datacolumns_print(struct datacolumns *columns, const char *name, void *context,
                       const void *rows, size_t count,
                       const struct datacolumns_column *list);
void datacolumns_print_lists(struct datacolumns *columns, void *context, const void *rows,
                             size_t count, const struct datacolumns_column *list);

/* Prints the field NAME, the list of TEXTS. */
void datacolumns_print_texts(struct json *json, const char *name,
                             const struct intern *texts);

#endif

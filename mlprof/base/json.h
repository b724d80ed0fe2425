/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes JSON (RFC 8259) in UTF-8, for the writers in export/ and the page: puts commas,
   and escapes texts.  The caller must close what it opens, in order.  */

#ifndef MLPROF_JSON_H
#define MLPROF_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Starts with OUT set, and all else zero.  */
struct json {
    FILE *out;
    bool any;   /* the object or list has an element already */
    bool named; /* the name of a field was written, and its value is next */
};

/* Prints TEXT in quotes.  Control characters, C1 too, are escaped; each byte that is not
   part of a character of UTF-8 (RFC 3629) becomes U+FFFD.  */
void json_print(FILE *out, const char *text);

/* Print a value: an element of a list, or of a field after json_name.  A number that is
   not finite becomes null.  */
void json_text(struct json *json, const char *text); /* NULL: null */
/* With as many digits as read back the same number.  */
void json_number(struct json *json, double value);
void json_unsigned(struct json *json, uint64_t value);
void json_signed(struct json *json, int64_t value);
void json_bool(struct json *json, bool value);
void json_null(struct json *json);
void json_open(struct json *json); /* an object; other functions open a list */
void json_close(struct json *json);
void json_open_list(struct json *json);
void json_close_list(struct json *json);

/* The name of the next field of an object.  */
void json_name(struct json *json, const char *name);

/* Print a field with its value, or open its value.  */
void json_text_field(struct json *json, const char *name, const char *text);
void json_number_field(struct json *json, const char *name, double value);
void json_unsigned_field(struct json *json, const char *name, uint64_t value);
void json_signed_field(struct json *json, const char *name, int64_t value);
void json_bool_field(struct json *json, const char *name, bool value);
void json_null_field(struct json *json, const char *name);
void json_open_field(struct json *json, const char *name);
void json_open_list_field(struct json *json, const char *name);

#endif

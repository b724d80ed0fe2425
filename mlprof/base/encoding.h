/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encodes what mlprof writes for other programs: UTF-8 (RFC 3629), XML, base64, JSON and
   Protocol Buffers.  Used by the terminal's tables, the formats in export/ and the page.
 */

#ifndef MLPROF_ENCODING_H
#define MLPROF_ENCODING_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdbool.h>

/* U+FFFD, which stands for a byte that is not part of a character.  */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* The length in bytes of the character at TEXT; 0 if it is not UTF-8.  */
size_t utf8_length(const char *text);

/* The character at TEXT.  LENGTH, more than 0, is its length by utf8_length.  */
uint32_t utf8_decode(const char *text, size_t length);

/* TEXT, in which each byte that is not part of a character is replaced; to be freed.  */
char *utf8_valid(const char *text);

/* Prints TEXT as content or as the value of an attribute of XML.  A character that
   XML 1.0 does not allow (section 2.2) and a byte that is not UTF-8 become U+FFFD.  So do
   a carriage return, which XML makes an end of line, and DEL and C1, which a terminal
   obeys.  */
void markup_print(FILE *out, const char *text);

/* Prints SIZE bytes as text of 64 characters (RFC 4648, section 4), without line
   breaks.  */
void base64_print(FILE *out, const void *bytes, size_t size);

/* JSON (RFC 8259).  These functions put commas between elements and escape texts.  The
   caller must close the objects and lists that it opens, in order.  */

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

/* Protocol Buffers (protobuf.dev, "Encoding"), for the format of pprof.  */

/* A message, or the packed content of a field.  Starts as all zero; may be reused.  */
struct protobuf {
    unsigned char *bytes;
    size_t size, capacity;
};

void protobuf_free(struct protobuf *message);

/* Appends a number to packed content.  */
void protobuf_put(struct protobuf *packed, uint64_t value);

/* Appends a field: an integer of any type but sint and fixed.  A field of 0 is left out,
   which means the same.  */
void protobuf_integer(struct protobuf *message, unsigned field, uint64_t value);

void protobuf_text(struct protobuf *message, unsigned field, const char *text);

/* Appends a field that is a message or packed content; INNER is emptied.  */
void protobuf_message(struct protobuf *message, unsigned field, struct protobuf *inner);

/* Appends the fields of OTHER, which is emptied.  */
void protobuf_append(struct protobuf *message, struct protobuf *other);

#endif

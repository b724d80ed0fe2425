/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encodes text and data for other programs: UTF-8 (RFC 3629), XML, base64, JSON and
   Protocol Buffers. Used by the tables on the terminal, the formats in export/ and the
   page. */

#ifndef MLPROF_ENCODING_H
#define MLPROF_ENCODING_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdbool.h>

/* U+FFFD, which replaces a byte that is not valid UTF-8. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* Returns the length in bytes of the character at TEXT; 0 if it is not valid UTF-8. */
size_t utf8_length(const char *text);

/* Returns the character at TEXT. LENGTH is the result of utf8_length and not 0. */
uint32_t utf8_decode(const char *text, size_t length);

/* Returns TEXT with U+FFFD for each byte that is not valid UTF-8; freed by free. */
char *utf8_valid(const char *text);

/* Prints TEXT as XML content or as the value of an XML attribute. U+FFFD replaces
   characters that XML 1.0 does not allow (section 2.2), bytes that are not valid
   UTF-8, carriage returns (XML turns them into line ends), and DEL and C1 characters,
   which control a terminal. */
void markup_print(FILE *out, const char *text);

/* Prints SIZE bytes in base64 (RFC 4648, section 4), without line breaks. */
void base64_print(FILE *out, const void *bytes, size_t size);

/* JSON (RFC 8259). These functions put commas between elements and escape texts. The
   caller must close the objects and lists that it opens, in the right order. */

/* The caller sets OUT; everything else starts as zero. */
struct json {
    FILE *out;
    bool any;   /* the current object or list has an element */
    bool named; /* a field's name was written, its value comes next */
};

/* Prints TEXT in quotes. Control characters, including C1, are escaped. U+FFFD
   replaces each byte that is not valid UTF-8 (RFC 3629). */
void json_print(FILE *out, const char *text);

/* Print a value: an element of a list or, after json_name, the value of a field. A
   number that is not finite becomes null. */
void json_text(struct json *json, const char *text); /* NULL: null */
/* Prints enough digits to read back the same number. */
void json_number(struct json *json, double value);
void json_unsigned(struct json *json, uint64_t value);
void json_signed(struct json *json, int64_t value);
void json_bool(struct json *json, bool value);
void json_null(struct json *json);
void json_open(struct json *json); /* an object; json_open_list opens a list */
void json_close(struct json *json);
void json_open_list(struct json *json);
void json_close_list(struct json *json);

/* Prints the name of the next field of an object. */
void json_name(struct json *json, const char *name);

/* Print a field with its value, or open an object or list as its value. */
void json_text_field(struct json *json, const char *name, const char *text);
void json_number_field(struct json *json, const char *name, double value);
void json_unsigned_field(struct json *json, const char *name, uint64_t value);
void json_signed_field(struct json *json, const char *name, int64_t value);
void json_bool_field(struct json *json, const char *name, bool value);
void json_open_field(struct json *json, const char *name);
void json_open_list_field(struct json *json, const char *name);

/* Protocol Buffers (protobuf.dev, "Encoding"), used by the formats of pprof and OTLP. */

/* A message, or the content of a packed field. Starts as all zero; may be reused. */
struct protobuf {
    unsigned char *bytes;
    size_t size, capacity;
};

void protobuf_free(struct protobuf *message);

/* Appends a number to the content of a packed field. */
void protobuf_put(struct protobuf *packed, uint64_t value);

/* Appends an integer field of any type except sint and fixed. A field of value 0 is
   omitted; readers take a missing field as 0. */
void protobuf_integer(struct protobuf *message, unsigned field, uint64_t value);

/* Like protobuf_integer, for a field of type fixed64. */
void protobuf_fixed(struct protobuf *message, unsigned field, uint64_t value);

/* Like protobuf_integer, for a member of a oneof: also writes the value 0, because a
   missing member is another value. */
void protobuf_member(struct protobuf *message, unsigned field, uint64_t value);

void protobuf_text(struct protobuf *message, unsigned field, const char *text);
void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes,
                    size_t size);

/* Appends a field whose value is the message or packed content INNER. INNER is empty
   afterwards. */
void protobuf_message(struct protobuf *message, unsigned field, struct protobuf *inner);

/* Appends the fields of OTHER. OTHER is empty afterwards. */
void protobuf_append(struct protobuf *message, struct protobuf *other);

#endif

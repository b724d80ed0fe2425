/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes messages of Protocol Buffers (protobuf.dev, "Encoding"), for the format of
   pprof.  */

#ifndef MLPROF_PROTOBUF_H
#define MLPROF_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

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

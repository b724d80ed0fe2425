/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes messages of Protocol Buffers (protobuf.dev, "Encoding"), for the format of
   pprof.  */

#ifndef MLPROF_PROTOBUF_H
#define MLPROF_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

/* A message, or what is packed in one field.  Starts as all zero; may be written again
   and again.  */
struct protobuf {
    unsigned char *bytes;
    size_t size, capacity;
};

void protobuf_free(struct protobuf *message);

/* A number that stands by itself, in what is packed.  */
void protobuf_put(struct protobuf *packed, uint64_t value);

/* The field with this number: an integer of any type but sint and fixed; none if it is 0,
   which is what a field has that is not there.  */
void protobuf_integer(struct protobuf *message, unsigned field, uint64_t value);

void protobuf_text(struct protobuf *message, unsigned field, const char *text);

/* A message, or what is packed, which is emptied.  */
void protobuf_message(struct protobuf *message, unsigned field, struct protobuf *inner);

/* The fields of another message, which is emptied.  */
void protobuf_append(struct protobuf *message, struct protobuf *other);

#endif

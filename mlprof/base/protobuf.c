/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/protobuf.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

enum wire_type { VARINT = 0, LENGTH = 2 };

/* The most bytes of a varint of 64 bits.  */
#define LONGEST 10

void protobuf_free(struct protobuf *message)
{
    free(message->bytes);
    *message = (struct protobuf){0};
}

void protobuf_put(struct protobuf *packed, uint64_t value)
{
    packed->bytes = buf_grow(packed->bytes, &packed->capacity, packed->size + LONGEST, 1);
    while (value >= 0x80) {
        packed->bytes[packed->size++] = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    packed->bytes[packed->size++] = (unsigned char)value;
}

static void put_key(struct protobuf *message, unsigned field, enum wire_type type)
{
    protobuf_put(message, (uint64_t)field << 3 | type);
}

void protobuf_integer(struct protobuf *message, unsigned field, uint64_t value)
{
    if (value == 0)
        return;
    put_key(message, field, VARINT);
    protobuf_put(message, value);
}

static void put_raw(struct protobuf *message, const void *bytes, size_t size)
{
    message->bytes =
        buf_grow(message->bytes, &message->capacity, message->size + size, 1);
    if (size)
        memcpy(message->bytes + message->size, bytes, size);
    message->size += size;
}

static void put_bytes(struct protobuf *message, unsigned field, const void *bytes,
                      size_t size)
{
    put_key(message, field, LENGTH);
    protobuf_put(message, size);
    put_raw(message, bytes, size);
}

void protobuf_text(struct protobuf *message, unsigned field, const char *text)
{
    put_bytes(message, field, text, strlen(text));
}

void protobuf_message(struct protobuf *message, unsigned field, struct protobuf *inner)
{
    put_bytes(message, field, inner->bytes, inner->size);
    inner->size = 0;
}

void protobuf_append(struct protobuf *message, struct protobuf *other)
{
    put_raw(message, other->bytes, other->size);
    other->size = 0;
}

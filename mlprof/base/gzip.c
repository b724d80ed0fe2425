/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/gzip.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define SUFFIX ".gz"

/* For zlib, 16 more than the largest window means gzip's header.  */
#define WINDOW (MAX_WBITS + 16)
#define MEMORY 8

/* The number of bytes for one call, since zlib counts in 32 bits.  */
#define CHUNK ((size_t)1 << 30)

bool gzip_is_wanted(const char *path)
{
    size_t length = strlen(path);
    return length > strlen(SUFFIX) && strcmp(path + length - strlen(SUFFIX), SUFFIX) == 0;
}

char *gzip_compress(const char *text, size_t size, size_t *length)
{
    z_stream stream = {.next_in = (Bytef *)text};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        buf_no_memory();
    char *result = NULL;
    size_t capacity = 0;
    int status = Z_OK;
    *length = 0;
    while (status != Z_STREAM_END) {
        result = buf_grow(result, &capacity, *length + BUFSIZ, 1);
        size_t done = (size_t)(stream.next_in - (const Bytef *)text);
        size_t left = size - done, room = capacity - *length;
        stream.avail_in = (uInt)(left < CHUNK ? left : CHUNK);
        stream.next_out = (Bytef *)result + *length;
        stream.avail_out = (uInt)(room < CHUNK ? room : CHUNK);
        status = deflate(&stream, left <= CHUNK ? Z_FINISH : Z_NO_FLUSH);
        *length = (size_t)(stream.next_out - (Bytef *)result);
    }
    deflateEnd(&stream);
    return result;
}

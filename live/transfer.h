/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends requests to a server over HTTP or HTTPS with libcurl, one at a time. The
   certificate of the server is always verified. Redirects are not followed: they could
   send the token elsewhere. Everything is bounded: the time, and the size of a response.
 */

#ifndef LIVE_TRANSFER_H
#define LIVE_TRANSFER_H

#include "mlprof/base/fault.h"

#include <stdbool.h>
#include <stddef.h>

/* The texts stay valid as long as the transfer. */
struct transfer_server {
    const char *url; /* http:// or https://; may have a user */
    const char *ca;  /* certificates of authorities to trust instead of the system's */
    const char *token_file; /* read for each request, since tokens are renewed */
    const char *tenant;     /* X-Scope-OrgID of Pyroscope, or NULL */
};

struct transfer;

/* If the URL is not usable, if the token would be sent without encryption, or if a file
   cannot be read, returns NULL and sets FAULT. */
struct transfer *transfer_open(const struct transfer_server *server, struct fault *fault);
void transfer_close(struct transfer *transfer);

/* A field of a form. */
struct transfer_field {
    const char *name, *file_name;
    const char *data;
    size_t size;
};

/* A request is a form, or BODY. */
struct transfer_request {
    const char *query; /* the part of the URL after the question mark, or NULL */
    const struct transfer_field *fields;
    size_t field_count;
    const char *body;
    size_t size;
    const char *const *headers; /* the last one is NULL */
};

/* Longer responses are cut. */
#define TRANSFER_RESPONSE_MOST 65536

struct transfer_result {
    long status; /* of HTTP; less than 200: there was no complete response */
    char *why;   /* one line; NULL if STATUS is 2xx */
    long after;  /* Retry-After in seconds; 0: not given */
    char *response;
    size_t size;
};

/* Sends REQUEST. The caller frees the result with transfer_result_free. */
struct transfer_result transfer_send(struct transfer *transfer,
                                     const struct transfer_request *request);
void transfer_result_free(struct transfer_result *result);

/* Returns URL for a message, with *** instead of a password; the caller frees it. */
char *transfer_mask_url(const char *url);

/* Returns TEXT as a part of a URL's query; the caller frees it. */
char *transfer_escape(const char *text);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The socket on which a server listens, and its token. */

#ifndef LIVE_LISTENER_H
#define LIVE_LISTENER_H

#include "mlprof/base/fault.h"

#include <stdbool.h>

struct listener {
    int socket;
    char *path;    /* of a unix socket, which listener_close removes; NULL: it is TCP */
    bool loopback; /* a loopback address */
    unsigned port;
    char *url; /* without a slash at its end */
};

/* Returns whether WORD has the form of an address: unix:PATH or HOST:PORT. */
bool listener_is_address(const char *word);

/* Listens on ADDRESS. The port 0 is a free one. A unix socket has the mode 0600. Unless
   REMOTE, only loopback addresses are permitted. Returns false and sets FAULT if it
   cannot; then nothing is open. */
bool listener_open(struct listener *listener, const char *address, bool remote,
                   struct fault *fault);

void listener_close(struct listener *listener);

/* Returns a random token, or the first line of the file at PATH unless it is NULL; freed
   by free. If there is none, if it is too short, or if it cannot be in a cookie, returns
   NULL and sets FAULT. */
char *listener_token(const char *path, struct fault *fault);

#endif

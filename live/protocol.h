/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two ways to push a profile to a server, over transfer.h:

   Pyroscope   POST /ingest, a form with the profile of pprof. As the clients of
   Pyroscope, without the parameter `format': Pyroscope 2 reads the whole form as a
               profile if it is `pprof'
   OTLP        POST /v1development/profiles, an ExportProfilesServiceRequest of
               opentelemetry-proto 1.11.0 (mlprof/export/otlp.c)

   Names and values are checked when the program starts, so that no server refuses them
   later. */

#ifndef LIVE_PROTOCOL_H
#define LIVE_PROTOCOL_H

#include "live/spool.h"
#include "live/transfer.h"
#include "mlprof/export/export.h"

enum protocol { PROTOCOL_PYROSCOPE, PROTOCOL_OTLP };

/* Sets *PROTOCOL from the end of the path of URL. If it is another path, returns false
   and sets FAULT. */
bool protocol_of_url(enum protocol *protocol, const char *url, struct fault *fault);

/* Returns the name of PROTOCOL, one word. */
const char *protocol_word(enum protocol protocol);

/* If a name or a value of LABELS cannot be sent, returns false and sets FAULT. */
bool protocol_check(enum protocol protocol, const struct export_labels *labels,
                    struct fault *fault);

/* Returns the name under which a profile of PROGRAM, a file name, is sent; the caller
   frees it. OTLP has it in the profile: the name is empty. */
char *protocol_name(enum protocol protocol, const struct export_labels *labels,
                    const char *program);

enum protocol_outcome {
    PROTOCOL_SENT,
    PROTOCOL_LATER,  /* it may be sent again */
    PROTOCOL_REFUSED /* it must not be sent again */
};

/* Sends PROFILE. *WHY is the reason if it was not sent, or if the server refused a part
   of it, or NULL; the caller frees it. *AFTER is the number of seconds for which the
   server asks the program to wait, or 0. */
enum protocol_outcome protocol_send(enum protocol protocol, struct transfer *transfer,
                                    const struct spool_profile *profile, char **why,
                                    long *after);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ccprof-live serve: serves profiles over HTTP. */

#include "live/live.h"
#include "live/message.h"

#include <microhttpd.h>

int serve_run(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return message_fail("serve: libmicrohttpd %s", MHD_get_version());
}

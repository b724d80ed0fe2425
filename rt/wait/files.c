/* SPDX-License-Identifier: MIT */
/* Finds out what a descriptor is: the reason of a wait, and the name of its object.
   Called by the program's threads, after a long wait. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "rt/os/proc.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"
#include "rt/samples/tags.h"
#include "rt/wait/wait-inside.h"

union files_peer {
    struct sockaddr any;
    struct sockaddr_in ip;
    struct sockaddr_in6 ip6;
    struct sockaddr_un local;
};

static void files_put_ip(struct ccprof_text *text, const uint8_t *bytes)
{
    for (int i = 0; i < 4; i++) {
        if (i > 0)
            ccprof_text_char(text, '.');
        ccprof_text_decimal(text, bytes[i]);
    }
}

static void files_put_ip6(struct ccprof_text *text, const uint8_t *bytes)
{
    ccprof_text_char(text, '[');
    for (int i = 0; i < 16; i += 2) {
        const unsigned group = (unsigned)bytes[i] << 8 | bytes[i + 1];
        if (i > 0)
            ccprof_text_char(text, ':');
        for (int shift = 12; shift >= 0; shift -= 4)
            if (group >> shift || shift == 0)
                ccprof_text_char(text, "0123456789abcdef"[group >> shift & 15]);
    }
    ccprof_text_char(text, ']');
}

/* Writes the address of the socket's peer, or nothing if it has no peer with an address.
 */
static void files_put_peer(struct ccprof_text *text, int fd)
{
    union files_peer peer = {.any = {0}};
    socklen_t size = sizeof peer - 1;
    uint16_t port = 0;

    if (syscall(SYS_getpeername, fd, &peer, &size) != 0)
        return;
    if (peer.any.sa_family == AF_UNIX) {
        ccprof_text_string(text, peer.local.sun_path);
        return;
    }
    if (peer.any.sa_family == AF_INET) {
        files_put_ip(text, (const uint8_t *)&peer.ip.sin_addr);
        port = peer.ip.sin_port;
    } else if (peer.any.sa_family == AF_INET6) {
        if (IN6_IS_ADDR_V4MAPPED(&peer.ip6.sin6_addr))
            files_put_ip(text, peer.ip6.sin6_addr.s6_addr + 12);
        else
            files_put_ip6(text, peer.ip6.sin6_addr.s6_addr);
        port = peer.ip6.sin6_port;
    } else {
        return;
    }
    ccprof_text_char(text, ':');
    ccprof_text_decimal(text, ntohs(port));
}

/* Gives the object its name when it is new: the address of a socket's peer, or the path.
 */
static void files_name(struct ccprof_wait_object *object, int fd, bool is_socket)
{
    char path[40];
    struct ccprof_text text;

    if (!ccprof_spin_try_once(&object->is_named))
        return;
    if (is_socket && !ccprof_thread_ready_is_stopped()) {
        ccprof_text_open(&text, object->name, sizeof object->name, NULL);
        files_put_peer(&text, fd);
        ccprof_text_end(&text);
    }
    if (*object->name)
        return;
    ccprof_text_open(&text, path, sizeof path, NULL);
    ccprof_text_string(&text, "/proc/self/fd/");
    ccprof_text_decimal(&text, (uint64_t)fd);
    ccprof_text_end(&text);
    ccprof_sys_readlink(path, object->name, sizeof object->name - 1);
}

void ccprof_wait_set_kind(struct ccprof_wait *wait, int fd, bool sends)
{
    struct stat status;

    wait->object = 0;
    wait->number = 0;
    if (wait->start == 0 || !wait_mine)
        return;
    wait->ended = wait_clock();
    if (wait->ended - wait->start < wait_least || !wait_enter())
        return;
    int saved = errno;
    if (ccprof_sys_fstat(fd, &status) == 0) {
        if (wait->reason >= CCPROF_WAIT_RECEIVE && wait->reason <= CCPROF_WAIT_FILE)
            wait->reason = S_ISREG(status.st_mode) || S_ISBLK(status.st_mode) ||
                                   S_ISDIR(status.st_mode)
                               ? CCPROF_WAIT_FILE
                           : S_ISSOCK(status.st_mode)
                               ? sends ? CCPROF_WAIT_SEND : CCPROF_WAIT_RECEIVE
                           : S_ISFIFO(status.st_mode) ? CCPROF_WAIT_PIPE
                                                      : CCPROF_WAIT_DEVICE;
        const uint64_t hash = ((uint64_t)status.st_ino +
                               (uint64_t)status.st_dev * UINT64_C(0x9e3779b97f4a7c15)) &
                              ~CCPROF_TAGS_KIND;
        wait->object = CCPROF_OBJECTS_FILE | hash;
        wait->number = ccprof_objects_put(wait->object);
        if (wait->number)
            files_name(ccprof_objects_at(wait->number), fd, S_ISSOCK(status.st_mode));
    }
    wait_inside = 0;
    errno = saved;
}

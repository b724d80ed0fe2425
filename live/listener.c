/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listens on a TCP or unix socket, and makes tokens. */

#include "live/listener.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/text.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define UNIX "unix:"

#define BACKLOG 16

/* Bytes of a random token, and the shortest token of a file. */
enum { TOKEN_BYTES = 16, TOKEN_LEAST = 16 };

bool listener_is_address(const char *word)
{
    const char *colon = strrchr(word, ':');
    return text_begins(word, UNIX) || (colon && colon > word && colon[1] &&
                                       !colon[1 + strspn(colon + 1, "0123456789")]);
}

static bool fail(const char *address, struct fault *fault)
{
    return fault_set(fault, FAULT_FILE, address, "%s", strerror(errno));
}

/* Removes the socket at ADDRESS if nobody listens on it any more. */
static void remove_stale(const struct sockaddr_un *address)
{
    struct stat status;
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe >= 0 && lstat(address->sun_path, &status) == 0 &&
        S_ISSOCK(status.st_mode) &&
        connect(probe, (const struct sockaddr *)address, sizeof *address) != 0 &&
        errno == ECONNREFUSED)
        unlink(address->sun_path);
    if (probe >= 0)
        close(probe);
}

static bool open_unix(struct listener *listener, const char *path, struct fault *fault)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!*path || strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return fail(path, fault);
    }
    strcpy(address.sun_path, path);
    remove_stale(&address);
    listener->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    mode_t mask = umask(0177);
    bool good = listener->socket >= 0 &&
                bind(listener->socket, (struct sockaddr *)&address, sizeof address) == 0;
    umask(mask);
    if (!good)
        return fail(path, fault);
    listener->path = buf_copy(path);
    listener->url = buf_format("http+unix:%s", path);
    return listen(listener->socket, BACKLOG) == 0 || fail(path, fault);
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == 127;
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

/* Sets the port and the URL, which the kernel may have chosen. */
static void name(struct listener *listener)
{
    struct sockaddr_storage storage;
    socklen_t size = sizeof storage;
    char host[NI_MAXHOST] = "", port[NI_MAXSERV] = "";
    getsockname(listener->socket, (struct sockaddr *)&storage, &size);
    getnameinfo((struct sockaddr *)&storage, size, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    listener->port = (unsigned)strtoul(port, NULL, 10);
    listener->url =
        buf_format(strchr(host, ':') ? "http://[%s]:%s" : "http://%s:%s", host, port);
}

static bool open_tcp(struct listener *listener, const char *text, bool remote,
                     struct fault *fault)
{
    const char *colon = strrchr(text, ':');
    bool brackets = text[0] == '[' && colon[-1] == ']';
    BUF_OWN char *host =
        buf_copy_prefix(text + brackets, (size_t)(colon - text) - 2 * brackets);
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    const int one = 1;
    if (strtoul(colon + 1, NULL, 10) > UINT16_MAX ||
        getaddrinfo(strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, colon + 1,
                    &hints, &found) != 0)
        return fault_set(fault, FAULT_FILE, text,
                         "not an address of the form HOST:PORT, "
                         "with the number of a host");
    listener->loopback = is_loopback(found->ai_addr);
    bool permitted = listener->loopback || remote;
    if (!permitted)
        fault_set(fault, FAULT_FILE, text,
                  "not a loopback address: whoever reaches it and knows the token can "
                  "read the profile, and nothing is encrypted; -allow-remote permits it");
    listener->socket =
        socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    bool good =
        permitted && listener->socket >= 0 &&
        setsockopt(listener->socket, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
        bind(listener->socket, found->ai_addr, found->ai_addrlen) == 0 &&
        listen(listener->socket, BACKLOG) == 0;
    freeaddrinfo(found);
    if (!good)
        return permitted && fail(text, fault);
    name(listener);
    return true;
}

bool listener_open(struct listener *listener, const char *address, bool remote,
                   struct fault *fault)
{
    *listener = (struct listener){.socket = -1};
    if (text_begins(address, UNIX) ? open_unix(listener, address + strlen(UNIX), fault)
                                   : open_tcp(listener, address, remote, fault))
        return true;
    listener_close(listener);
    return false;
}

void listener_close(struct listener *listener)
{
    if (listener->socket >= 0)
        close(listener->socket);
    if (listener->path)
        unlink(listener->path);
    free(listener->path);
    free(listener->url);
    *listener = (struct listener){.socket = -1};
}

static char *make_token(struct fault *fault)
{
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
        fault_set(fault, FAULT_FILE, "token", "%s", strerror(errno));
        return NULL;
    }
    char *token = buf_alloc(2 * sizeof bytes + 1);
    for (size_t i = 0; i < sizeof bytes; i++)
        sprintf(token + 2 * i, "%02x", bytes[i]);
    return token;
}

/* Returns whether TOKEN can be the value of a cookie (RFC 6265, cookie-octet). Browsers
   and libmicrohttpd end the value at other characters. */
static bool fits_cookie(const char *token)
{
    for (; *token; token++)
        if (*token <= ' ' || *token > '~' || strchr("\",;\\", *token))
            return false;
    return true;
}

char *listener_token(const char *path, struct fault *fault)
{
    size_t size;
    if (!path)
        return make_token(fault);
    char *token = content_read(path, NULL, &size, fault);
    if (!token)
        return NULL;
    token[strcspn(token, "\r\n")] = '\0';
    bool is_long = strlen(token) >= TOKEN_LEAST;
    if (is_long && fits_cookie(token))
        return token;
    if (is_long)
        fault_set(fault, FAULT_FILE, path,
                  "its first line has characters that a cookie cannot have: blanks, "
                  "control or non-ASCII characters, or one of \" , ; \\");
    else
        fault_set(fault, FAULT_FILE, path, "its first line has fewer than %d characters",
                  TOKEN_LEAST);
    free(token);
    return NULL;
}

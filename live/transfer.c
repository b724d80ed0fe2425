/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets libcurl up for a server, and turns its results into one line. */

#include "live/transfer.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/text.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONNECT_SECONDS  10L
#define TRANSFER_SECONDS 30L

#define TOKEN_MOST 16384

/* The part of a response that a message has. */
#define WHY_MOST 200

struct transfer {
    const struct transfer_server *server;
    CURL *curl;
    bool has_user, is_local;
    char error[CURL_ERROR_SIZE];
};

/* Returns the part PART of URL, or NULL if there is none; the caller frees it. */
static char *part_of(CURLU *url, CURLUPart part)
{
    char *text = NULL;
    if (curl_url_get(url, part, &text, 0) != CURLUE_OK)
        return NULL;
    char *copy = buf_copy(text);
    curl_free(text);
    return copy;
}

static bool is_this_computer(const char *host)
{
    return strcmp(host, "localhost") == 0 || strcmp(host, "127.0.0.1") == 0 ||
           strcmp(host, "[::1]") == 0;
}

char *transfer_mask_url(const char *url)
{
    const char *scheme = strstr(url, "://"), *at = strrchr(url, '@');
    const char *user = scheme ? scheme + 3 : url;
    const char *colon = at && at > user ? memchr(user, ':', (size_t)(at - user)) : NULL;
    return colon ? buf_format("%.*s:***%s", (int)(colon - url), url, at) : buf_copy(url);
}

/* Returns the token; the caller frees it. If it cannot be read, or has characters that a
   header must not have, returns NULL and sets FAULT. */
static char *read_token(const char *path, struct fault *fault)
{
    size_t size;
    char *token = content_read_found(path, NULL, TOKEN_MOST, &size, fault);
    if (!token)
        return NULL;
    token[strcspn(token, "\r\n")] = '\0';
    bool good = *token != '\0';
    for (const char *c = token; *c; c++)
        good = good && *c > ' ' && *c < '\x7f';
    if (good)
        return token;
    fault_set(fault, FAULT_GARBLED, path, "the first line is not a token");
    free(token);
    return NULL;
}

static bool check_url(struct transfer *transfer, struct fault *fault)
{
    const struct transfer_server *server = transfer->server;
    BUF_OWN char *shown = transfer_mask_url(server->url);
    CURLU *url = curl_url();
    bool good = url && curl_url_set(url, CURLUPART_URL, server->url, 0) == CURLUE_OK;
    BUF_OWN char *scheme = good ? part_of(url, CURLUPART_SCHEME) : NULL;
    BUF_OWN char *host = good ? part_of(url, CURLUPART_HOST) : NULL;
    BUF_OWN char *user = good ? part_of(url, CURLUPART_USER) : NULL;
    BUF_OWN char *password = good ? part_of(url, CURLUPART_PASSWORD) : NULL;
    BUF_OWN char *query = good ? part_of(url, CURLUPART_QUERY) : NULL;
    BUF_OWN char *fragment = good ? part_of(url, CURLUPART_FRAGMENT) : NULL;
    curl_url_cleanup(url);
    bool secure = scheme && strcmp(scheme, "https") == 0;
    transfer->has_user = user != NULL;
    transfer->is_local = host && is_this_computer(host);
    if (!host || (!secure && strcmp(scheme, "http") != 0))
        return fault_set(fault, FAULT_FORMAT, shown,
                         "it should be a URL that begins with https:// or http://");
    if (password)
        return fault_set(fault, FAULT_FORMAT, "the URL",
                         "it has a password, which other users can read: put it into a "
                         "file for -token-file");
    if (query || fragment)
        return fault_set(fault, FAULT_FORMAT, shown, "it should end with the path");
    if (server->token_file && !secure && !transfer->is_local)
        return fault_set(fault, FAULT_MISMATCH, shown,
                         "a token is sent only with https://");
    return true;
}

/* Sets what is the same for all requests. */
static void set_up(struct transfer *transfer)
{
    CURL *curl = transfer->curl;
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, transfer->error);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "ccprof-live/" CCPROF_VERSION);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_SECONDS);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, TRANSFER_SECONDS);
    curl_easy_setopt(curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    /* A proxy of the environment would get the token without encryption. */
    if (transfer->is_local)
        curl_easy_setopt(curl, CURLOPT_PROXY, "");
    if (transfer->server->ca) {
        curl_easy_setopt(curl, CURLOPT_CAINFO, transfer->server->ca);
        /* libcurl would also trust the certificates in its default folder. */
        curl_easy_setopt(curl, CURLOPT_CAPATH, NULL);
    }
}

struct transfer *transfer_open(const struct transfer_server *server, struct fault *fault)
{
    struct transfer *transfer = buf_alloc(sizeof *transfer);
    transfer->server = server;
    BUF_OWN char *token = NULL;
    bool good = check_url(transfer, fault) &&
                (!server->token_file || (token = read_token(server->token_file, fault)));
    if (good && server->ca && access(server->ca, R_OK) != 0)
        good = fault_set(fault, FAULT_FILE, server->ca, "%s", strerror(errno));
    if (good && !(transfer->curl = curl_easy_init()))
        buf_no_memory();
    if (!good) {
        transfer_close(transfer);
        return NULL;
    }
    return transfer;
}

void transfer_close(struct transfer *transfer)
{
    if (!transfer)
        return;
    curl_easy_cleanup(transfer->curl);
    free(transfer);
}

/* Keeps the beginning of the response. Called by libcurl. */
static size_t receive(char *data, size_t one, size_t count, void *context)
{
    struct transfer_result *result = context;
    size_t size = one * count, room = TRANSFER_RESPONSE_MOST - result->size;
    size_t kept = size < room ? size : room;
    if (!result->response)
        result->response = buf_alloc(TRANSFER_RESPONSE_MOST + 1);
    memcpy(result->response + result->size, data, kept);
    result->size += kept;
    return kept; /* less than SIZE ends the transfer */
}

static void add_header(struct curl_slist **list, const char *header)
{
    struct curl_slist *longer = curl_slist_append(*list, header);
    if (!longer)
        buf_no_memory();
    *list = longer;
}

static struct curl_slist *make_headers(const struct transfer *transfer,
                                       const struct transfer_request *request)
{
    struct curl_slist *list = NULL;
    const char *tenant = transfer->server->tenant;
    for (const char *const *header = request->headers; header && *header; header++)
        add_header(&list, *header);
    /* Without `Expect: 100-continue' there is no wait for servers that do not know it. */
    add_header(&list, "Expect:");
    if (tenant) {
        BUF_OWN char *header = buf_format("X-Scope-OrgID: %s", tenant);
        add_header(&list, header);
    }
    return list;
}

/* A user in the URL is sent with the token as the password, which Grafana Cloud needs. */
static void set_token(struct transfer *transfer, const char *token)
{
    CURL *curl = transfer->curl;
    curl_easy_setopt(curl, CURLOPT_HTTPAUTH,
                     (long)(transfer->has_user ? CURLAUTH_BASIC : CURLAUTH_BEARER));
    curl_easy_setopt(curl, transfer->has_user ? CURLOPT_PASSWORD : CURLOPT_XOAUTH2_BEARER,
                     token);
}

static curl_mime *make_form(CURL *curl, const struct transfer_request *request)
{
    curl_mime *form = curl_mime_init(curl);
    for (size_t i = 0; i < request->field_count; i++) {
        const struct transfer_field *field = &request->fields[i];
        curl_mimepart *part = curl_mime_addpart(form);
        if (curl_mime_name(part, field->name) != CURLE_OK ||
            curl_mime_filename(part, field->file_name) != CURLE_OK ||
            curl_mime_data(part, field->data, field->size) != CURLE_OK)
            buf_no_memory();
    }
    return form;
}

/* Returns one line that says why RESULT is not a success; the caller frees it. */
static char *describe(const struct transfer *transfer, CURLcode code,
                      const struct transfer_result *result)
{
    if (result->status < 200)
        return buf_copy(*transfer->error ? transfer->error : curl_easy_strerror(code));
    const char *text = result->response ? result->response : "";
    BUF_OWN char *line = buf_copy_prefix(text, strcspn(text, "\r\n"));
    BUF_OWN char *shorter = text_cut(line, WHY_MOST);
    text_mask(shorter);
    return buf_format("HTTP %ld%s%s", result->status, *shorter ? ": " : "", shorter);
}

struct transfer_result transfer_send(struct transfer *transfer,
                                     const struct transfer_request *request)
{
    const struct transfer_server *server = transfer->server;
    struct transfer_result result = {0};
    struct fault fault = {0};
    CURL *curl = transfer->curl;
    BUF_OWN char *token =
        server->token_file ? read_token(server->token_file, &fault) : NULL;
    if (fault.kind) {
        result.why = fault.text;
        return result;
    }
    BUF_OWN char *url = buf_format("%s%s%s", server->url, request->query ? "?" : "",
                                   request->query ? request->query : "");
    struct curl_slist *headers = make_headers(transfer, request);
    curl_mime *form = request->field_count ? make_form(curl, request) : NULL;
    curl_off_t after = 0;
    curl_easy_reset(curl);
    set_up(transfer);
    *transfer->error = '\0';
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &result);
    if (token)
        set_token(transfer, token);
    if (form) {
        curl_easy_setopt(curl, CURLOPT_MIMEPOST, form);
    } else {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->size);
    }
    CURLcode code = curl_easy_perform(curl);
    /* The status counts even if the response is too long. If the connection was cut
       within the response, the server has nevertheless decided. */
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &result.status);
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &after);
    result.after = after > 0 ? (long)after : 0;
    if (result.status < 200 || result.status > 299)
        result.why = describe(transfer, code, &result);
    curl_easy_setopt(curl, CURLOPT_MIMEPOST, NULL);
    curl_mime_free(form);
    curl_slist_free_all(headers);
    return result;
}

void transfer_result_free(struct transfer_result *result)
{
    free(result->why);
    free(result->response);
    *result = (struct transfer_result){0};
}

char *transfer_escape(const char *text)
{
    char *escaped = curl_easy_escape(NULL, text, 0);
    if (!escaped)
        buf_no_memory();
    char *copy = buf_copy(escaped);
    curl_free(escaped);
    return copy;
}

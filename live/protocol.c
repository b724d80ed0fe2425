/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the requests of both protocols, and reads the responses. */

#include "live/protocol.h"
#include "live/message.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
#include "mlprof/base/text.h"
#include "mlprof/measure/measure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word, *path;
} protocols[] = {[PROTOCOL_PYROSCOPE] = {"pyroscope", "/ingest"},
                 [PROTOCOL_OTLP] = {"otlp", "/v1development/profiles"}};

bool protocol_of_url(enum protocol *protocol, const char *url, struct fault *fault)
{
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++)
        if (text_ends(url, protocols[i].path)) {
            *protocol = (enum protocol)i;
            return true;
        }
    BUF_OWN char *shown = transfer_mask_url(url);
    return fault_set(fault, FAULT_FORMAT, shown,
                     "the path of the URL should end with %s (Pyroscope) or %s (OTLP)",
                     protocols[PROTOCOL_PYROSCOPE].path, protocols[PROTOCOL_OTLP].path);
}

const char *protocol_word(enum protocol protocol)
{
    return protocols[protocol].word;
}

/* The characters that Pyroscope accepts in the name of a label and of a service. */
#define LABEL_CHARACTERS                                                                 \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."
#define SERVICE_CHARACTERS LABEL_CHARACTERS "-/"

/* Pyroscope's syntax for labels has no way to quote characters. */
static bool check_value(enum protocol protocol, const char *label, const char *value,
                        struct fault *fault)
{
    size_t length = strlen(value);
    if (!length)
        return fault_set(fault, FAULT_FORMAT, label, "the label has no value");
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)value[i] < ' ' || value[i] == '\x7f')
            return fault_set(fault, FAULT_FORMAT, label,
                             "the value has a control character");
    if (protocol == PROTOCOL_PYROSCOPE && value[strcspn(value, ",{}")])
        return fault_set(fault, FAULT_FORMAT, label,
                         "Pyroscope accepts no commas and braces in a value");
    return true;
}

bool protocol_check(enum protocol protocol, const struct export_labels *labels,
                    struct fault *fault)
{
    const char *service = labels->service;
    if (service && protocol == PROTOCOL_PYROSCOPE &&
        (!*service || service[strspn(service, SERVICE_CHARACTERS)]))
        return fault_set(
            fault, FAULT_FORMAT, service,
            "Pyroscope accepts only letters, digits, and _ . - / in the name "
            "of a service");
    for (size_t i = 0; i < labels->count; i++) {
        const char *label = labels->list[i];
        size_t length = strcspn(label, "=");
        if (!label[length] || !length || strspn(label, LABEL_CHARACTERS) != length)
            return fault_set(
                fault, FAULT_FORMAT, label,
                "a label is NAME=VALUE, with letters, digits, _ and . in the "
                "name");
        for (size_t k = 0; k < i; k++)
            if (strncmp(label, labels->list[k], length + 1) == 0)
                return fault_set(fault, FAULT_FORMAT, label, "the label is given twice");
        if (!check_value(protocol, label, label + length + 1, fault))
            return false;
    }
    return true;
}

char *protocol_name(enum protocol protocol, const struct export_labels *labels,
                    const char *program)
{
    if (protocol == PROTOCOL_OTLP)
        return buf_copy("");
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    for (const char *c = labels->service ? labels->service : program; *c; c++)
        putc(strchr(SERVICE_CHARACTERS, *c) ? *c : '_', out);
    putc('{', out);
    for (size_t i = 0; i < labels->count; i++)
        fprintf(out, "%s%s", i ? "," : "", labels->list[i]);
    putc('}', out);
    buf_close(out);
    return text;
}

/* Describes a type of values to Pyroscope. AVERAGE: its values of several profiles are
   averaged, not added. */
static void print_type(struct json *json, const char *type, const char *units,
                       bool average, bool sampled)
{
    json_open_field(json, type);
    json_text_field(json, "units", units);
    json_text_field(json, "aggregation", average ? "average" : "sum");
    json_text_field(json, "display-name", sampled ? "cpu" : type);
    json_bool_field(json, "sampled", sampled);
    json_close(json);
}

/* Returns the description of all types that samples_type (mlprof/export/samples.h)
   returns; the caller frees it. */
static char *describe_types(void)
{
    char *text = NULL;
    size_t size;
    struct json json = {.out = buf_open(&text, &size)};
    json_open(&json);
    print_type(&json, "cpu", "samples", false, false);
    print_type(&json, "wall", "samples", false, false);
    for (const struct measure *m = measure_all; m->word; m++) {
        /* Counted allocations have the same types as allocations of the heap. */
        if (m->memory && m->pprof && !m->kinds) {
            BUF_OWN char *objects = buf_format("%s_objects", m->pprof);
            BUF_OWN char *space = buf_format("%s_space", m->pprof);
            bool average = m->heap.number == HEAPDATA_LIVE;
            print_type(&json, objects, "objects", average, false);
            print_type(&json, space, "bytes", average, false);
        } else if (!m->memory && m->profile) {
            print_type(&json, m->weigh ? m->word : m->plural, "samples", false,
                       m->sampled);
        }
    }
    json_close(&json);
    buf_close(json.out);
    return text;
}

static struct transfer_result send_form(struct transfer *transfer,
                                        const struct spool_profile *profile)
{
    BUF_OWN char *types = describe_types();
    BUF_OWN char *name = transfer_escape(profile->name);
    BUF_OWN char *query = buf_format(
        "name=%s&from=%" PRIu64 "&until=%" PRIu64 "&spyName=ccprof", name,
        profile->start / NS_OF_SECOND, (profile->end + NS_OF_SECOND - 1) / NS_OF_SECOND);
    const struct transfer_field fields[] = {
        {"profile", "profile.pprof", profile->body, profile->size},
        {"sample_type_config", "sample_type_config.json", types, strlen(types)}};
    const struct transfer_request request = {
        .query = query, .fields = fields, .field_count = sizeof fields / sizeof *fields};
    return transfer_send(transfer, &request);
}

static struct transfer_result send_body(struct transfer *transfer,
                                        const struct spool_profile *profile)
{
    static const char *const headers[] = {"Content-Type: application/x-protobuf",
                                          "Content-Encoding: gzip", NULL};
    const struct transfer_request request = {
        .body = profile->body, .size = profile->size, .headers = headers};
    return transfer_send(transfer, &request);
}

/* A message of Protocol Buffers that is read. */
struct cursor {
    const unsigned char *next, *end;
};

static bool take_number(struct cursor *cursor, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; cursor->next < cursor->end && shift < 64; shift += 7) {
        *number |= (uint64_t)(*cursor->next & 0x7f) << shift;
        if (*cursor->next++ < 0x80)
            return true;
    }
    return false;
}

/* Finds the field FIELD of MESSAGE, a number or, with CONTENT, bytes. Returns false if it
   is not there. */
static bool find_field(struct cursor message, unsigned field, uint64_t *number,
                       struct cursor *content)
{
    uint64_t key, value;
    while (take_number(&message, &key) && take_number(&message, &value)) {
        bool bytes = (key & 7) == 2;
        if ((key & 7) != 0 && (!bytes || value > (uint64_t)(message.end - message.next)))
            return false;
        struct cursor inner = {message.next, message.next + (bytes ? value : 0)};
        message.next = inner.end;
        if (key >> 3 != field || bytes != (content != NULL))
            continue;
        if (content)
            *content = inner;
        else
            *number = value;
        return true;
    }
    return false;
}

/* If the server of OTLP refused a part of the request, returns what it says about it
   (ExportProfilesPartialSuccess); the caller frees it. Otherwise returns NULL, and prints
   what it says. */
static char *partial_success(const struct transfer_result *result)
{
    const unsigned char *bytes = (const unsigned char *)result->response;
    struct cursor response = {bytes, bytes ? bytes + result->size : NULL};
    struct cursor partial, text = {NULL, NULL};
    uint64_t rejected = 0;
    if (!bytes || !find_field(response, 1, NULL, &partial))
        return NULL;
    find_field(partial, 1, &rejected, NULL);
    find_field(partial, 2, NULL, &text);
    BUF_OWN char *words = buf_copy_prefix(text.next ? (const char *)text.next : "",
                                          (size_t)(text.end - text.next));
    text_mask(words);
    if (rejected)
        return buf_format("the server has refused %" PRIu64 " of its parts: %s", rejected,
                          words);
    if (*words)
        message_print("the server says: %s", words);
    return NULL;
}

/* OTLP lists the statuses after which a request may be sent again: see the specification
   in opentelemetry-proto 1.11.0, section OTLP/HTTP, retryable response codes. */
static bool is_temporary(enum protocol protocol, long status)
{
    /* Below 200, the connection was cut before the final status. */
    return status < 200 || status == 429 || (status >= 502 && status <= 504) ||
           (protocol == PROTOCOL_PYROSCOPE &&
            (status == 408 || status == 425 || status >= 500));
}

enum protocol_outcome protocol_send(enum protocol protocol, struct transfer *transfer,
                                    const struct spool_profile *profile, char **why,
                                    long *after)
{
    bool otlp = protocol == PROTOCOL_OTLP;
    struct transfer_result result = (otlp ? send_body : send_form)(transfer, profile);
    enum protocol_outcome outcome = !result.why ? PROTOCOL_SENT
                                    : is_temporary(protocol, result.status)
                                        ? PROTOCOL_LATER
                                        : PROTOCOL_REFUSED;
    *after = result.after;
    *why = result.why;
    result.why = NULL;
    if (outcome == PROTOCOL_SENT && otlp)
        *why = partial_success(&result);
    transfer_result_free(&result);
    return outcome;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "constant.h"

static _Noreturn void die(const char *path)
{
    fprintf(stderr, "generate: %s: %s\n", path, strerror(errno));
    exit(1);
}

void text_open(struct text *t, const char *folder, const char *file, FILE *table)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder, file);
    *t =
        (struct text){.stream = fopen(path, "w"), .table = table, .line = 1, .column = 1};
    if (!t->stream)
        die(path);
    snprintf(t->file, sizeof t->file, "%s", file);
}

void text_close(struct text *t)
{
    if (fclose(t->stream) != 0)
        die(t->file);
}

void text_put(struct text *t, const char *format, ...)
{
    char buffer[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    for (const char *c = buffer; *c; c++) {
        t->column++;
        if (*c == '\n') {
            t->line++;
            t->column = 1;
        }
    }
    fputs(buffer, t->stream);
}

void text_line(struct text *t)
{
    text_put(t, "\n%*s", (int)(4 * t->depth), "");
}

/* TEXT with ARGUMENT for each @.  */
static void fill(char *result, size_t size, const char *text, const char *argument)
{
    size_t n = 0;

    for (; *text && n + 1 < size; text++)
        if (*text == '@')
            n += (size_t)snprintf(result + n, size - n, "%s", argument);
        else
            result[n++] = *text;
    result[n < size ? n : size - 1] = '\0';
}

unsigned text_instances(const struct owner *owner)
{
    unsigned n = 0;

    while (owner->instances && owner->instances[n])
        n++;
    return n;
}

void text_row(const struct text *t, const struct owner *owner, unsigned instance,
              const char *form)
{
    const char *argument = owner->instances ? owner->instances[instance] : "";
    char name[256], plain[128];

    fill(name, sizeof name, owner->name, argument);
    fill(plain, sizeof plain, owner->plain, argument);
    fprintf(t->table, "%s\t%s\t%s\t%s\t%u\t%u\t%s\n", form, name, plain, t->file, t->line,
            t->column, owner->accessor ? "accessor" : "-");
}

static void number(const struct text *t, const struct owner *owner, unsigned instance,
                   uint64_t value)
{
    char form[32];

    snprintf(form, sizeof form, "0x%" PRIx64, value);
    text_row(t, owner, instance, form);
}

/* All forms of one value.  */
static void numbers(const struct text *t, const struct owner *owner, unsigned instance,
                    uint64_t value, bool wide)
{
    const uint64_t forms[] = {value, -value, ~value};

    for (unsigned i = 0; i < 3; i++) {
        uint64_t low = (uint32_t)forms[i];

        number(t, owner, instance, forms[i]);
        if (low != forms[i])
            number(t, owner, instance, low);
        if (wide && low >> 31)
            number(t, owner, instance, low | UINT64_C(0xffffffff) << 32);
    }
}

void text_constant(struct text *t, const struct owner *owner, bool wide)
{
    const char *suffix = wide ? "ul" : "u";
    unsigned instances = text_instances(owner);
    uint64_t value = constant_new(wide, instances + 1);

    if (instances == 0) {
        numbers(t, owner, 0, value, wide);
        text_put(t, "0x%" PRIx64 "%s", value, suffix);
        return;
    }
    for (unsigned i = 0; i < instances; i++)
        numbers(t, owner, i, value + (i + 1) * CONSTANT_STEP, wide);
    text_put(t, "(0x%" PRIx64 "%s + %s * 0x%xu)", value, suffix, owner->step,
             CONSTANT_STEP);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of the folder is named NUMBER.push, in the order of their addition. It has three
   lines, `ccprof push 1 PROTOCOL START END', the name and the source, and then the body.
 */

#include "live/spool.h"
#include "live/losses.h"
#include "live/message.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/index.h"
#include "mlprof/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX  ".push"
#define SOURCES "sources"

struct entry {
    struct spool_profile profile;
    uint64_t number;
};

struct spool {
    const char *path, *protocol;
    uint64_t most, size, next;
    int folder;    /* locked; -1: memory */
    FILE *sources; /* appends to the file */
    bool failed;   /* a file could not be read, written or removed */
    struct intern known;
    BUF_VECTOR(struct entry) entries;
};

static char *path_of(const struct spool *spool, const struct entry *entry)
{
    return buf_format("%s/%020" PRIu64 SUFFIX, spool->path, entry->number);
}

static void free_profile(struct spool_profile *profile)
{
    free(profile->name);
    free(profile->source);
    free(profile->body);
}

static void lose(const struct spool_profile *profile, const char *why)
{
    losses_add(profile->start, profile->end, why);
}

/* Takes the next line from TEXT. Returns NULL if there is none. */
static char *take_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *end = '\0';
    *text = end + 1;
    return line;
}

/* Fills PROFILE from the content of a file. Returns the protocol, or NULL if it is not
   such a file. The caller frees both. */
static char *parse(struct spool_profile *profile, char *text, size_t size)
{
    char *cursor = text, *protocol = NULL;
    char *head = take_line(&cursor), *name = head ? take_line(&cursor) : NULL,
         *source = name ? take_line(&cursor) : NULL;
    if (!source || sscanf(head, "ccprof push 1 %ms %" SCNu64 " %" SCNu64, &protocol,
                          &profile->start, &profile->end) != 3) {
        free(protocol);
        return NULL;
    }
    profile->name = buf_copy(name);
    profile->source = buf_copy(source);
    profile->size = size - (size_t)(cursor - text);
    profile->body = buf_copy_prefix(cursor, profile->size);
    return protocol;
}

/* Reads the file of ENTRY. If it is of another protocol, or is not as it should be,
   returns false and sets FAULT. */
static bool read_entry(const struct spool *spool, struct entry *entry,
                       struct fault *fault)
{
    BUF_OWN char *path = path_of(spool, entry);
    size_t size;
    BUF_OWN char *text = content_read_found(path, NULL, SIZE_MAX, &size, fault);
    struct spool_profile profile = {0};
    BUF_OWN char *protocol = text ? parse(&profile, text, size) : NULL;
    bool good = protocol && strcmp(protocol, spool->protocol) == 0;
    if (protocol && !good)
        fault_set(fault, FAULT_MISMATCH, spool->path,
                  "it has profiles for another kind of server (%s)", protocol);
    else if (text && !protocol)
        fault_set(fault, FAULT_GARBLED, path, "not a profile to be sent");
    if (!good) {
        free_profile(&profile);
        return false;
    }
    free_profile(&entry->profile);
    entry->profile = profile;
    return true;
}

/* Keeps only what is needed to find the body again. */
static void forget_body(const struct spool *spool, struct spool_profile *profile)
{
    if (spool->folder < 0)
        return;
    free(profile->body);
    profile->body = NULL;
}

BUF_COMPARE(by_number, struct entry, BUF_ORDER(a->number, b->number))

/* Returns whether FAULT means that a file will never be readable. Otherwise it may have
   another reason, for example too many open files, and the file must not be removed. */
static bool is_damaged(const struct fault *fault)
{
    return fault->kind == FAULT_GARBLED || fault->kind == FAULT_FORMAT;
}

/* Reports that a file cannot be read for the reason FAULT, and is not removed. */
static void report_kept(struct spool *spool, const struct fault *fault)
{
    spool->failed = message_print("%s; it stays for the next run", fault->text);
}

/* Removes the file of ENTRY. */
static void remove_file(struct spool *spool, const struct entry *entry)
{
    BUF_OWN char *path = path_of(spool, entry);
    if (unlink(path) != 0 && errno != ENOENT)
        spool->failed =
            message_print("%s: %s; it cannot be removed, and the next run takes it again",
                          path, strerror(errno));
}

/* Lists the files of the folder by their names. */
static bool list_entries(struct spool *spool, struct fault *fault)
{
    DIR *stream = opendir(spool->path);
    struct dirent *file;
    errno = stream ? 0 : errno;
    while (stream && (file = readdir(stream))) {
        char *end;
        uint64_t number = strtoull(file->d_name, &end, 10);
        if (end != file->d_name && strcmp(end, SUFFIX) == 0)
            BUF_PUSH(spool->entries) = (struct entry){.number = number};
        errno = 0;
    }
    int error = errno;
    if (stream)
        closedir(stream);
    BUF_SORT(spool->entries.list, spool->entries.count, by_number);
    return !error || fault_set(fault, FAULT_FILE, spool->path, "%s", strerror(error));
}

/* Reads the files of the folder. */
static bool read_entries(struct spool *spool, struct fault *fault)
{
    size_t kept = 0;
    if (!list_entries(spool, fault))
        return false;
    for (size_t i = 0; i < spool->entries.count; i++) {
        struct entry entry = spool->entries.list[i];
        spool->next = entry.number + 1;
        if (read_entry(spool, &entry, fault)) {
            forget_body(spool, &entry.profile);
            spool->size += entry.profile.size;
            if (*entry.profile.source)
                intern_put(&spool->known, entry.profile.source);
            spool->entries.list[kept++] = entry;
            continue;
        }
        if (fault->kind == FAULT_MISMATCH) {
            spool->entries.count = kept;
            return false;
        }
        if (is_damaged(fault)) {
            lose(&entry.profile, fault->text);
            remove_file(spool, &entry);
        } else {
            report_kept(spool, fault);
        }
        fault_clear(fault);
    }
    spool->entries.count = kept;
    return true;
}

/* Reads the sources that were added before. Forgets those that are not in the folder
   SLICES any more, and opens the file for more. The sources of the entries are added: the
   run that wrote an entry may have been killed before note_source. */
static bool open_sources(struct spool *spool, const char *slices, struct fault *fault)
{
    BUF_OWN char *path = buf_format("%s/" SOURCES, spool->path);
    BUF_OWN char *text = NULL, *line = NULL;
    size_t size, room = 0;
    FILE *kept = buf_open(&text, &size), *before = fopen(path, "re");
    while (before && getline(&line, &room, before) > 0) {
        line[strcspn(line, "\n")] = '\0';
        BUF_OWN char *file = buf_format("%s/%s", slices, line);
        if (access(file, F_OK) == 0)
            intern_put(&spool->known, line);
    }
    for (uint32_t i = 0; i < spool->known.count; i++)
        fprintf(kept, "%s\n", intern_text(&spool->known, i));
    buf_close(kept);
    if (before)
        fclose(before);
    if (!save_made_up(path, text, size, fault))
        return false;
    spool->sources = fopen(path, "ae");
    return spool->sources || fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
}

static bool open_folder(struct spool *spool, const char *slices, struct fault *fault)
{
    if (mkdir(spool->path, 0700) != 0 && errno != EEXIST)
        return fault_set(fault, FAULT_FILE, spool->path, "%s", strerror(errno));
    spool->folder = open(spool->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (spool->folder < 0)
        return fault_set(fault, FAULT_FILE, spool->path, "%s", strerror(errno));
    if (flock(spool->folder, LOCK_EX | LOCK_NB) != 0)
        return fault_set(fault, FAULT_FILE, spool->path, "another process uses it");
    return read_entries(spool, fault) && (!slices || open_sources(spool, slices, fault));
}

struct spool *spool_open(const char *path, const char *protocol, uint64_t most,
                         const char *slices, struct fault *fault)
{
    struct spool *spool = buf_alloc(sizeof *spool);
    *spool =
        (struct spool){.path = path, .protocol = protocol, .most = most, .folder = -1};
    if (!path || open_folder(spool, slices, fault))
        return spool;
    spool_close(spool, NULL);
    return NULL;
}

bool spool_close(struct spool *spool, const char *why)
{
    if (!spool)
        return true;
    bool good = !spool->failed;
    for (size_t i = 0; i < spool->entries.count; i++) {
        if (spool->folder < 0)
            lose(&spool->entries.list[i].profile, why);
        free_profile(&spool->entries.list[i].profile);
    }
    if (spool->folder >= 0)
        close(spool->folder);
    if (spool->sources)
        fclose(spool->sources);
    free(spool->entries.list);
    intern_free(&spool->known);
    free(spool);
    return good;
}

/* Writes the file of ENTRY. */
static bool write_entry(const struct spool *spool, const struct entry *entry,
                        struct fault *fault)
{
    const struct spool_profile *profile = &entry->profile;
    BUF_OWN char *path = path_of(spool, entry);
    BUF_OWN char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    fprintf(out, "ccprof push 1 %s %" PRIu64 " %" PRIu64 "\n%s\n%s\n", spool->protocol,
            profile->start, profile->end, profile->name, profile->source);
    fwrite(profile->body, 1, profile->size, out);
    buf_close(out);
    return save_made_up(path, text, size, fault);
}

/* Remembers the source of a profile for the next runs. */
static void note_source(struct spool *spool, const char *source)
{
    if (!*source || !spool->sources)
        return;
    fprintf(spool->sources, "%s\n", source);
    if (fflush(spool->sources) != 0)
        spool->failed =
            message_print("%s: " SOURCES ": %s; the next run may send slices again",
                          spool->path, strerror(errno));
}

void spool_add(struct spool *spool, struct spool_profile *profile)
{
    struct entry entry = {.profile = *profile, .number = spool->next++};
    struct fault fault = {0};
    const uint64_t size = profile->size;
    if (size > spool->most)
        fault_set(&fault, FAULT_FILE, "the spool", "it is smaller than the profile");
    while (!fault.kind && spool->entries.count && spool->size + size > spool->most)
        spool_remove(spool, "the spool is full");
    /* The source is noted after the entry is written: if push is killed in between, the
       entry has the source. A profile that is too large would not fit the next time. */
    bool small = !fault.kind;
    if (small && spool->folder >= 0 && !write_entry(spool, &entry, &fault)) {
        if (*profile->source)
            fault_add(&fault, "the next run takes the slice again");
    } else {
        note_source(spool, profile->source);
    }
    if (!fault.kind) {
        forget_body(spool, &entry.profile);
        spool->size += size;
        BUF_PUSH(spool->entries) = entry;
        return;
    }
    lose(&entry.profile, fault.text);
    fault_clear(&fault);
    free_profile(&entry.profile);
}

/* Takes the first entry from the list. Its file stays. */
static void forget_first(struct spool *spool)
{
    struct entry *entry = &spool->entries.list[0];
    spool->size -= entry->profile.size;
    free_profile(&entry->profile);
    memmove(entry, entry + 1, --spool->entries.count * sizeof *entry);
}

const struct spool_profile *spool_first(struct spool *spool)
{
    while (spool->entries.count) {
        struct entry *entry = &spool->entries.list[0];
        struct fault fault = {0};
        if (entry->profile.body || read_entry(spool, entry, &fault))
            return &entry->profile;
        BUF_OWN char *path = path_of(spool, entry);
        if (is_damaged(&fault) || (access(path, F_OK) != 0 && errno == ENOENT)) {
            spool_remove(spool, fault.text);
        } else {
            report_kept(spool, &fault);
            forget_first(spool);
        }
        fault_clear(&fault);
    }
    return NULL;
}

void spool_remove(struct spool *spool, const char *why)
{
    struct entry *entry = &spool->entries.list[0];
    if (why)
        lose(&entry->profile, why);
    if (spool->folder >= 0)
        remove_file(spool, entry);
    forget_first(spool);
}

size_t spool_count(const struct spool *spool)
{
    return spool->entries.count;
}

bool spool_claim(struct spool *spool, const char *source)
{
    size_t before = spool->known.count;
    intern_put(&spool->known, source);
    return spool->known.count > before;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// A plugin of QEMU's user mode that counts the executions of each instruction, for the
// processors that stepcount cannot try here:
//     qemu-aarch64 -plugin ./qemucount.so,out=FILE PROGRAM ARGS...
// The lines of FILE are stepcount's. An instruction counts when it begins, so the
// attempts that ended in a signal are among its executions. FILE is written when the
// program exits; not if a signal ends the program.
//
// The module of an instruction is that of its bytes in QEMU's own memory, where the
// program's files are mapped. The functions of QEMU are declared here, since Debian has
// no package with qemu-plugin.h.

#define _GNU_SOURCE
#include "stepmaps.h"

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// QEMU refuses plugins of other versions: 1 up to QEMU 8, 2 and later from QEMU 9 on.
#ifndef QEMUCOUNT_VERSION
#define QEMUCOUNT_VERSION 1
#endif

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void Execute(unsigned processor, void *data);
typedef void Translate(uint64_t id, struct qemu_plugin_tb *block);
typedef void AtExit(uint64_t id, void *data);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block,
                                                 size_t index);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, Translate *call);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, Execute *call,
                                            int registers, void *data);
void qemu_plugin_register_atexit_cb(uint64_t id, AtExit *call, void *data);

// What QEMU looks for in this file.
extern __attribute__((visibility("default"))) int qemu_plugin_version;
__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id,
                                                               const void *system,
                                                               int argument_count,
                                                               char **arguments);

int qemu_plugin_version = QEMUCOUNT_VERSION;

static StepSpace space;
static StepCounts elsewhere;

static void execute(unsigned processor, void *data)
{
    (void)processor;
    StepCounts *counts = data;
    __atomic_fetch_add(&counts->executed, 1, __ATOMIC_RELAXED);
}

// QEMU translates one block at a time. A library may have been mapped since the last.
static void translate(uint64_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    space.known = false;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
        uint64_t address = (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(insn);
        StepCounts *counts = stepmaps_find(&space, getpid(), address);
        qemu_plugin_register_vcpu_insn_exec_cb(insn, execute, 0,
                                               counts != NULL ? counts : &elsewhere);
    }
}

static void write_counts(uint64_t id, void *data)
{
    (void)id;
    FILE *file = fopen(data, "we");
    if (file == NULL)
        err(1, "%s", (char *)data);
    stepmaps_write(file);
    fprintf(file, "# elsewhere %" PRIu64 "\n", elsewhere.executed);
    if (fclose(file) != 0)
        err(1, "%s", (char *)data);
}

int qemu_plugin_install(uint64_t id, const void *system, int argument_count,
                        char **arguments)
{
    (void)system;
    if (argument_count != 1 || strncmp(arguments[0], "out=", 4) != 0) {
        warnx("qemucount: one argument, out=FILE");
        return 1;
    }
    stepmaps_any_protection();
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_atexit_cb(id, write_counts, strdup(arguments[0] + 4));
    return 0;
}

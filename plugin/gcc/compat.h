/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compat: the only access to GCC's headers. Every file of the plugin that uses GCC
   includes it. It includes GCC's headers in an order that works in all supported
   versions, GCC 12 to 16. It also defines our own functions where versions differ. No
   other file has conditions on the version. doc/tested.md lists the compilers that
   were tested. */

#ifndef CCPROF_COMPAT_H
#define CCPROF_COMPAT_H

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "config.h"
#include "system.h"
#include "coretypes.h"
#include "backend.h"
#include "target.h"
#include "rtl.h"
#include "tree.h"
#include "gimple.h"
#include "cfghooks.h"
#include "tree-pass.h"
#include "memmodel.h"
#include "ssa.h"
#include "debug.h"
#include "cgraph.h"
#include "fold-const.h"
#include "stor-layout.h"
#include "stringpool.h"
#include "attribs.h"
#include "gimple-expr.h"
#include "tree-iterator.h"
#include "gimple-iterator.h"
#include "gimple-fold.h"
#include "gimplify.h"
#include "gimple-walk.h"
#include "tree-cfg.h"
#include "tree-cfgcleanup.h"
#include "tree-eh.h"
#include "tree-into-ssa.h"
#include "tree-inline.h"
#include "except.h"
#include "calls.h"
#include "emit-rtl.h"
#include "regs.h"
#include "function-abi.h"
#include "df.h"
#include "cfgrtl.h"
#include "cfganal.h"
#include "cfgloop.h"
#include "sreal.h"
#include "rtl-iter.h"
#include "varasm.h"
#include "output.h"
#include "langhooks.h"
#include "diagnostic-core.h"
#include "opts.h"
#include "file-prefix-map.h"
#include "toplev.h"
#include "context.h"
#include "intl.h"
#include "cpplib.h"
#include "plugin-api.h"
#include "ipa-modref-tree.h"
#include "ipa-modref.h"
#include "lto-streamer.h"
#include "spellcheck.h"
#include "md5.h"
#include "symbol-summary.h"
#include "symtab-thunks.h"
#include "coverage.h"
#include "value-prof.h"
#include "profile.h"
#include "dumpfile.h"

/* libiberty's demangle.h is not installed with GCC's headers, but its functions are in
   every compiler proper. */
extern "C" int cplus_demangle_v3_callback(const char *mangled, int options,
                                          void (*put)(const char *, size_t, void *),
                                          void *data);
extern "C" char *ada_demangle(const char *mangled, int options);
#define DMGL_PARAMS (1 << 0)
#define DMGL_ANSI   (1 << 1)

/* The preprocessor of the front ends for C and C++ (c-family/c-common.h). Its address
   is null in other front ends. */
extern cpp_reader *parse_in __attribute__((weak));

/* 0 with -ffreestanding (c-family/c-common.h). Its address is null in other front
   ends. */
extern int flag_hosted __attribute__((weak));

/* The vectorizer (tree-vectorizer.h, which includes all of the vectorizer): the location
   of the loop that is being vectorized, and the location that GCC's messages about a loop
   have. vect_location is unknown while no loop is being vectorized. */
extern dump_user_location_t vect_location;
extern dump_user_location_t find_loop_location(class loop *loop);

#if GCCPLUGIN_VERSION_MAJOR < 12 || GCCPLUGIN_VERSION_MAJOR > 16
#error "ccprof supports GCC 12 to 16"
#endif

/* Returns true if GCC generates 16-bit code (-m16 on x86). GCC clears the flag of 64-bit
   code for -m16 only after it has started the plugins, so POINTER_SIZE is still 64 in
   plugin_init. */
static inline bool compat_is_16_bit(void)
{
#ifdef TARGET_16BIT
    return TARGET_16BIT;
#else
    return false;
#endif
}

/* The Nth register in the order of register allocation, if the target defines such an
   order. */
static inline unsigned compat_register_order(unsigned n)
{
#ifdef REG_ALLOC_ORDER
    return (unsigned)reg_alloc_order[n];
#else
    return n;
#endif
}

/* Returns a location with the given position, range and block. Since GCC 13 a location
   also has a discriminator (line-map.h); it is 0 here. */
static inline location_t compat_location(location_t position, source_range range,
                                         tree block)
{
#if GCCPLUGIN_VERSION_MAJOR == 12
    return COMBINE_LOCATION_DATA(line_table, position, range, block);
#elif GCCPLUGIN_VERSION_MAJOR == 13
    return COMBINE_LOCATION_DATA(line_table, position, range, block, 0);
#else
    return line_table->get_or_create_combined_loc(position, range, block, 0);
#endif
}

/* The discriminator of the location: a number that distinguishes it from other
   locations on its line. -fauto-profile uses it since GCC 13 (auto-profile.cc). */
static inline unsigned compat_discriminator(location_t location)
{
#if GCCPLUGIN_VERSION_MAJOR == 12
    (void)location;
    return 0;
#else
    return (unsigned)get_discriminator_from_loc(location);
#endif
}

/* Returns true if -fauto-profile also reads the locations of edges and of their phi
   arguments. */
static inline bool compat_asks_edges(void)
{
    return GCCPLUGIN_VERSION_MAJOR >= 16;
}

/* The last statement of the block that is not a debug statement, or null. */
static inline gimple *compat_last_stmt(basic_block bb)
{
#if GCCPLUGIN_VERSION_MAJOR < 14
    return last_stmt(bb);
#else
    return last_nondebug_stmt(bb);
#endif
}

/* Makes the edge from the block that ends with STATEMENT to the landing pad of its
   exceptions. */
static inline void compat_make_eh_edge(gimple *statement)
{
#if GCCPLUGIN_VERSION_MAJOR < 14
    make_eh_edges(statement);
#else
    make_eh_edge(statement);
#endif
}

/* GCC's branch_prob (profile.cc) remembers locations, so that it does not count the
   location of a goto twice. Returns the location in the form that branch_prob
   remembers. Since GCC 16 this form has no range and no block. */
static inline location_t compat_seen_location(location_t location)
{
#if GCCPLUGIN_VERSION_MAJOR < 16
    return location;
#else
    return get_pure_location(location);
#endif
}

/* The name of the pass that removes an insn and computes its value where the value is
   used. NULL if GCC has no such pass. GCC runs it twice. */
static inline const char *compat_late_combine(void)
{
#if GCCPLUGIN_VERSION_MAJOR < 15
    return NULL;
#else
    return "late_combine";
#endif
}

#endif

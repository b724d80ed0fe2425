/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sites: makes sites. A site is a byte of the module's data whose address represents a
   local stack, and perhaps a position, of the current function. Code that cannot pass
   its program counter to the runtime passes the address of a site instead. A stream in
   the tables lets mlprof resolve it like an address of code (doc/tables.md). The bytes
   are never read or written, and take no space in the file.

   Passes of count (targets.cc) and field use sites. A GIMPLE pass after `optimized'
   puts the address, an invariant, into its statements:

       unsigned site = sites_find(scope, location);
       if (site)
           gimple_build_assign(lhs, sites_address(site));

   The bytes and their stream are written after the function, in its COMDAT group if it
   has one, and the linker drops them together with the function. The address needs no
   entry in the global offset table, even in position-independent code. */

#ifndef CCPROF_SITES_H
#define CCPROF_SITES_H

/* Called in plugin_init. */
void sites_register(const char *plugin);

/* Returns the number, from 1, of the current function's site for SCOPE (scopes.h) and
   LOCATION. Returns 0 if SCOPE and all scopes around it are excluded. If LOCATION is
   UNKNOWN_LOCATION, the site represents only the local stack. A site takes a byte only
   if its address is used. */
unsigned sites_find(tree scope, location_t location);

/* Starts a basic block: the next sites are in it. This has an effect only with
   mark=block. */
void sites_start_block(int block);

/* Returns the site's address, an operand of type ptr_type_node that is invariant
   (GIMPLE's is_gimple_min_invariant). */
tree sites_address(unsigned site);

/* Prints the site's address as an expression of the assembler, for RTL passes. */
void sites_print(char *text, size_t size, unsigned site);

#endif

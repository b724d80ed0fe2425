/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sites: makes sites.  A site is a byte of the module's data that stands for a local
   stack, and perhaps a position, of the current function.  If a program cannot hand over
   its program counter, it hands over the address of a site, which mlprof resolves like
   one of code, by a stream in the tables (doc/tables.md).  The bytes are never read or
   written, and have no content in the file.

   A GIMPLE pass behind `optimized' says for which scope and location, and puts the
   address, an invariant, into its statements:

       unsigned site = sites_find(scope, location);
       if (site)
           gimple_build_assign(lhs, sites_address(site));

   The bytes and their stream are written behind the function, in its COMDAT group if it
   has one, and the linker drops them with it.  The address needs no slot of the linker's,
   however the code is compiled.  */

#ifndef CCPROF_SITES_H
#define CCPROF_SITES_H

/* In plugin_init.  */
void sites_register(const char *plugin);

/* The number, from 1, of the current function's site for the SCOPE (scopes.h) and
   LOCATION; 0 if the scope and all scopes around it are excluded.  If LOCATION is
   UNKNOWN_LOCATION, the site stands for the local stack alone.  A site gets a byte only
   if its address is used.  */
unsigned sites_find(tree scope, location_t location);

/* From now on sites are in that basic block of the function, which matters for mark=block
   alone.  */
void sites_start_block(int block);

/* The site's address: an operand of type ptr_type_node that is invariant (GIMPLE's
   is_gimple_min_invariant).  */
tree sites_address(unsigned site);

/* The site's address for RTL passes, as an expression of the assembler's.  */
void sites_print(char *text, size_t size, unsigned site);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carrier: carries bytes about a function of the source from an early pass to the end of
   the compilation, through LTO: the initializer of a static variable whose context is the
   function.  Before variables are written it is taken away.  For flowtable.cc,
   train-table.cc and blocktype.cc.  */

#ifndef CCPROF_CARRIER_H
#define CCPROF_CARRIER_H

/* Keeps the bytes, which are copied, for the current function.  NAME is an identifier,
   and no other kind of carrier's name begins with it; behind a dot a TAG may tell more.
 */
void carrier_keep(const char *name, unsigned tag, const unsigned char *bytes,
                  size_t size);

/* When LTO has streamed all that it streams: takes all carriers of that name away, and
   gives TAKE those whose tables this compilation writes, in no certain order.  TAKE
   copies the bytes if it keeps them.  */
void carrier_take(const char *name,
                  void (*take)(tree function, unsigned tag, const unsigned char *bytes,
                               size_t size));

#endif

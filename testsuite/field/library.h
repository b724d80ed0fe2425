// SPDX-License-Identifier: GPL-3.0-or-later
// A library's header: what calls back, and a class to be derived from.
#pragma GCC system_header

#include "kernel.h"

typedef uint64_t
outside_callback(const void *x); // of what X points to it gives the next value

extern double outside_spent; // seconds of CPU time in the library itself
uint64_t outside(uint64_t x, long turns, outside_callback *callback);

class Library
{
  public:
    virtual ~Library() = default;
    uint64_t work(uint64_t x, long turns);

  protected:
    virtual uint64_t next(uint64_t x) = 0;
};

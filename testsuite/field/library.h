// SPDX-License-Identifier: GPL-3.0-or-later
// A class as libraries have them, to be derived from.
#pragma GCC system_header

#include "kernel.h"

class Library
{
  public:
    virtual ~Library() = default;
    uint64_t work(uint64_t x, long turns);
    double spent = 0; // seconds of CPU time in work itself

  protected:
    virtual uint64_t next(uint64_t x) = 0;
};

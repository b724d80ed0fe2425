/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stubs for functions of the runtime that a test does not check. They do nothing or
   always return the same value. */

#ifndef CCPROF_TESTSUITE_STANDINS_H
#define CCPROF_TESTSUITE_STANDINS_H

/* Stubs have named parameters but do not use them. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define DOES(name, parameters, what)                                                     \
    void name parameters                                                                 \
    {                                                                                    \
        what;                                                                            \
    }
#define DOES_NOTHING(name, parameters)                                                   \
    void name parameters                                                                 \
    {                                                                                    \
    }
#define RETURNS(type, name, parameters, value)                                           \
    type name parameters                                                                 \
    {                                                                                    \
        return value;                                                                    \
    }

#endif

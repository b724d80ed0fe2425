/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads.c calls, in a shared object, which counts in storage of its own.  */

unsigned long mix(unsigned long n);

unsigned long mix(unsigned long n)
{
    return n % 3 ? n * 2654435761u : n + 1;
}

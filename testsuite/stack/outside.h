// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that are not profiled.

#ifdef __cplusplus
extern "C" {
#endif

// Calls the function and catches what it throws.
void outside_catch(void (*function)(void));

// Calls the function, and leaves another call of it by longjmp.
void outside_jump(void (*function)(int));

#ifdef __cplusplus
}
#endif

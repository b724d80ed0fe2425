// SPDX-License-Identifier: GPL-3.0-or-later
// The marks in a random program, each with a number of its own, on a line of its own.
// Compiled with COUNT_MARKS, and linked with marks.c, the program counts how often it
// comes by each; otherwise they are nothing, and no line has moved: this is what is
// compiled with the plugin.
//
//     ENTER(number, function)   the first statement of a function
//     HIT(number)               before a statement
//     CHECK(number)             before an expression: the condition of a loop, an operand
//     MARKS_END                 before what ends the program without its destructors

#ifndef MARKS_H
#define MARKS_H

// Of marks in one program: numbers are below it.
#define MARKS_MOST 100000

#ifdef COUNT_MARKS
#ifdef __cplusplus
extern "C" {
#endif
extern unsigned long long marks_counts[MARKS_MOST];
void marks_write(void);
#ifdef __cplusplus
}
#endif
#define HIT(number)   marks_counts[number]++;
#define CHECK(number) marks_counts[number]++,
#define MARKS_END     marks_write();
#else
#define HIT(number)
#define CHECK(number)
#define MARKS_END
#endif
#define ENTER(number, function) HIT(number)

#endif

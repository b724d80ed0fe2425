#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gcda.py list FILE: what a .gcda file says, a line for each function and one for the summary, sorted;
gcda.py strip FILE [values]: leaves out, in place, all counters that ccprof does not tell: but those of
arcs, indirect calls and the first execution, and with values those of divisors and sizes. Others become
such as GCC makes nothing of, since it reads them if it reads any: lists are empty, divisors are as
large and as odd as can be. The layout is that of gcov-io.h of GCC 12 and later; nothing of ccprof is
used."""
import struct
import sys

FUNCTION, SUMMARY, ARCS = 0x01000000, 0xA1000000, 0x01A10000
RANGES, POWERS, LISTS = 0x01A30000, 0x01A50000, 0x01A70000
INDIRECT, SIZES, FIRST = 0x01A90000, 0x01AB0000, 0x01AF0000
NAMES = {ARCS: 'arcs', RANGES: 'ranges', POWERS: 'powers', LISTS: 'lists', INDIRECT: 'indirect',
         SIZES: 'sizes', FIRST: 'first'}


def records(data):
    """(tag, length, bytes) of each record behind the head; a negative length has no bytes."""
    at = 16
    while at + 8 <= len(data):
        tag, length = struct.unpack_from('<Ii', data, at)
        body = data[at + 8:at + 8 + max(length, 0)]
        yield tag, length, body
        at += 8 + len(body)


def calls(numbers):
    """The lists of a record, of calls or operands, the values of each in order."""
    at = 0
    while at < len(numbers):
        total, pairs = numbers[at:at + 2]
        rest = numbers[at + 2:at + 2 + 2 * pairs]
        pairs_of = sorted(zip(rest[::2], rest[1::2]))
        yield ' '.join([f'{total}:'] + [f'{value:x}*{count}' for value, count in pairs_of])
        at += 2 + 2 * pairs


def listed(data):
    lines, line = [], ''
    for tag, length, body in records(data):
        if tag == SUMMARY:
            lines.append('summary %d runs, largest %d' % struct.unpack('<II', body))
        elif tag == FUNCTION:
            line = 'function %x %x %x' % struct.unpack('<III', body)
            lines.append('')
        elif tag in NAMES:
            numbers = list(struct.unpack('<%dQ' % (len(body) // 8), body)) if length > 0 \
                else [0] * (-length // 8)
            if tag != ARCS and not any(numbers) and tag != INDIRECT or not numbers:
                continue
            if tag in (LISTS, INDIRECT):
                numbers = calls(numbers)
            line += f'; {NAMES[tag]} ' + ' '.join(map(str, numbers))
        if line:
            lines[-1] = line
    return sorted(lines)


def emptied(tag, numbers):
    """What becomes of the counters of a record."""
    if tag == RANGES:
        return [n for i in range(0, len(numbers), 4) for n in (0, 0, 0, sum(numbers[i:i + 4]))]
    if tag == POWERS:
        return [n for i in range(0, len(numbers), 2) for n in (sum(numbers[i:i + 2]), 0)]
    kept, at = [], 0
    while at < len(numbers):
        kept += [0, 0]
        at += 2 + 2 * numbers[at + 1]
    return kept


def stripped(data, values):
    kept = [data[:16]]
    told = (FUNCTION, SUMMARY, ARCS, INDIRECT, FIRST) + ((POWERS, LISTS, SIZES) if values else ())
    for tag, length, body in records(data):
        if tag in told:
            kept.append(struct.pack('<Ii', tag, length) + body)
        elif tag in (RANGES, POWERS, LISTS):
            numbers = emptied(tag, struct.unpack('<%dQ' % (len(body) // 8), body))
            kept.append(struct.pack('<Ii%dQ' % len(numbers), tag, 8 * len(numbers) or length, *numbers))
    return b''.join(kept) + b'\0\0\0\0'


def main():
    what, name = sys.argv[1:3]
    with open(name, 'rb') as file:
        data = file.read()
    if what == 'list':
        print('\n'.join(listed(data)))
        return
    with open(name, 'wb') as file:
        file.write(stripped(data, sys.argv[3:4] == ["values"]))


main()

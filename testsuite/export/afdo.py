#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""afdo.py FILE: what a profile of AutoFDO's version 2 says, a line for each function with how often it
was called, and below it a line `OFFSET COUNT' for each position and `OFFSET > NAME' for each inlined
call, indented. Written from GCC's reader (auto-profile.cc); nothing of ccprof is used."""
import struct
import sys


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def word(self):
        self.at += 4
        return struct.unpack_from('<I', self.data, self.at - 4)[0]

    def counter(self):
        return self.word() | self.word() << 32

    def string(self):
        size = self.word()
        text = self.data[self.at:self.at + size]
        self.at += size
        assert text[-1] == 0 and 0 not in text[:-1], text
        return text[:-1].decode('utf-8', 'backslashreplace')


def expect(got, wanted):
    if got != wanted:
        sys.exit('%#x, not %#x' % (got, wanted))


def body(reader, names, indent, head):
    name, positions, calls = reader.word(), reader.word(), reader.word()
    print(indent + head + names[name])
    for _ in range(positions):
        offset = reader.word()
        expect(offset & 0xffff, 0)
        expect(reader.word(), 0)
        print(f'{indent}  {offset >> 16} {reader.counter()}')
    for _ in range(calls):
        offset = reader.word()
        body(reader, names, indent + '  ', f'{offset >> 16} > ')


def main():
    with open(sys.argv[1], 'rb') as file:
        reader = Reader(file.read())
    for wanted in (0x67636461, 2, 0, 0xaa000000):
        expect(reader.word(), wanted)
    reader.word()
    names = [reader.string() for _ in range(reader.word())]
    expect(reader.word(), 0xac000000)
    reader.word()
    for _ in range(reader.word()):
        head = reader.counter()
        body(reader, names, '', f'{head} ')
    for wanted in (0xae000000, 0, 0):
        expect(reader.word(), wanted)
    expect(reader.at, len(reader.data))


main()

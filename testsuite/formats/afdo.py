#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""afdo.py FILE: what a profile of AutoFDO's version 2 or 3 says, a line for each function with how often it
was called, and below it, indented, by position, a line `OFFSET COUNT' for each position, with what a call by
a pointer called behind it, and `OFFSET > NAME' for each inlined call. An offset is `LINES' or
`LINES.DISCRIMINATOR'. A function of version 3 has its file behind its name, and of the summary there is a
line for each part. Written from GCC's reader (auto-profile.cc); nothing of ccprof is used."""
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


def offset_of(word):
    return f'{word >> 16}.{word & 0xffff}' if word & 0xffff else str(word >> 16)


def target(reader, names):
    expect(reader.word(), 7)
    return f' {names[reader.counter()]}:{reader.counter()}'


def position(reader, names):
    offset, targets, count = reader.word(), reader.word(), reader.counter()
    called = sorted(target(reader, names) for _ in range(targets))
    return offset, [f'{offset_of(offset)} {count}' + ''.join(called)]


def call(reader, names):
    offset = reader.word()
    return offset, body(reader, names, f'{offset_of(offset)} > ')


def body(reader, names, head):
    """The lines of a body, the first one not indented."""
    name, positions, calls = reader.word(), reader.word(), reader.word()
    parts = [position(reader, names) for _ in range(positions)]
    parts += [call(reader, names) for _ in range(calls)]
    assert len({(offset, lines[0]) for offset, lines in parts}) == len(parts), names[name]
    return [head + names[name]] + ['  ' + line for _, lines in sorted(parts) for line in lines]


def summary(reader):
    expect(reader.word(), 0xa8000000)
    print('summary', *(reader.counter() for _ in range(5)))
    for _ in range(reader.counter()):
        print('  part', reader.word(), reader.counter(), reader.counter())


def read_names(reader, version):
    expect(reader.word(), 0xaa000000)
    reader.word()
    files = [reader.string() for _ in range(reader.word())] if version == 3 else []
    names = []
    for _ in range(reader.word()):
        names.append(reader.string())
        if version == 3:
            file = reader.word()
            names[-1] += f' ({files[file]})' if file != 0xffffffff else ''
    return names


def main():
    with open(sys.argv[1], 'rb') as file:
        reader = Reader(file.read())
    expect(reader.word(), 0x67636461)
    version = reader.word()
    if version not in (2, 3):
        sys.exit(f'version {version}')
    expect(reader.word(), 0)
    if version == 3:
        summary(reader)
    names = read_names(reader, version)
    expect(reader.word(), 0xac000000)
    reader.word()
    for _ in range(reader.word()):
        head = reader.counter()
        when = f'@{reader.counter()}' if version == 3 else ''
        print('\n'.join(body(reader, names, f'{head}{when} ')))
    for wanted in (0xae000000, 0, 0):
        expect(reader.word(), wanted)


main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""follow.py CPU SYMBOLS <DISASSEMBLY: the disassembly of a processor on which no instruction holds a constant or a
distance in one piece: behind each instruction that completes such a number in a register, or uses one, it says the
number, or in angles the symbol that is there. SYMBOLS: as nm prints them, and lines `ADDRESS -> ADDRESS' of words that
hold addresses.

What a register holds is followed along all jumps: a number, and whether that is how far it is beyond something
unknown, its base. Where ways meet it is forgotten if it is not the same on each."""

import re
import sys


class Follower:
    """One function after the other."""

    def __init__(self, symbols):
        self.symbol, self.place, self.points_to = {}, {}, {}
        for line in symbols:
            word = line.split()
            if len(word) == 3 and word[1] == '->':
                self.points_to[int(word[0], 16)] = int(word[2], 16)
            elif len(word) >= 3:
                self.symbol[int(word[0], 16)] = word[2]
                self.place[word[2]] = int(word[0], 16)

    # What registers hold.

    def hold(self, register, number, has_base):
        self.known[register] = (number, has_base)

    def forget(self, *registers):
        for register in registers:
            self.known.pop(register, None)

    def part(self, register):
        """What it holds beyond what is not known."""
        return self.known.get(register, (0, True))[0]

    def is_based(self, register):
        return self.known.get(register, (0, True))[1]

    # What an instruction does.

    def say(self, number, has_base, is_place=False):
        """The instruction carries this."""
        text = None
        if not has_base and number in self.symbol:
            text = '<%s>' % self.symbol[number]
        elif number >= 65536 if has_base else not is_place and (number >= 16777216 or number < 0):
            text = hex(number + (1 << 32) if number < 0 else number)
        if text and text not in self.said:
            self.said.append(text)

    def say_held(self, register):
        self.say(*self.known[register])

    def say_use(self, *registers):
        """The instruction computes with them."""
        for register in registers:
            if register in self.known and not self.is_based(register):
                self.say(self.part(register), False)

    def access(self, number, has_base):
        """It reads or writes there."""
        self.say(number, has_base, True)
        self.accessed = None if has_base else number

    def load(self, register):
        """What has been read comes into the register."""
        if self.accessed in self.points_to:
            self.hold(register, self.points_to[self.accessed], False)
        else:
            self.forget(register)

    # How control goes on.

    def arrive(self, address):
        """From the line before, if that goes on, and by jumps."""
        if not self.falls:
            self.known = {}
        for i in self.sources.get(address, []):
            if i not in self.known_at:
                continue
            if self.falls:
                self.known = {r: held for r, held in self.known.items() if self.known_at[i].get(r) == held}
            else:
                self.known = dict(self.known_at[i])
            self.falls = True
        self.begin()

    def follow(self, lines):
        """Prints the lines (address, operation, operands) of a function. What is known at the end of a loop comes to
        its beginning the next time."""
        self.sources, self.known_at = {}, {}
        targets = [self.jump_target(op, operands) for _, op, operands in lines]
        for i, target in enumerate(targets):
            self.sources.setdefault(target, []).append(i)
        for turn in range(3):
            self.known, self.falls = {}, True
            for i, (address, op, operands) in enumerate(lines):
                self.said, self.accessed = [], None
                self.arrive(address)
                if self.falls or turn == 2:
                    self.falls = True
                    self.execute(op, operands, address)
                    if targets[i]:
                        self.known_at[i] = dict(self.known)
                if turn == 2:
                    print('%s:\t%s' % (address, ' '.join([op, self.shown(op, operands)] + self.said)))


class Aarch64(Follower):
    """Registers are called by their numbers, whatever their width."""

    def begin(self):
        self.hold('zr', 0, False)

    @staticmethod
    def register(operand):
        return operand[1:] if re.fullmatch('[xw]([0-9]+|zr)', operand) else None

    @staticmethod
    def value(immediate):
        return int(immediate.lstrip('#'), 0)

    @staticmethod
    def scale(shift):
        """Of `lsl #3', `sxtw #3'."""
        amount = re.search('#([0-9]+)$', shift)
        return 1 << int(amount.group(1)) if amount else 1

    @staticmethod
    def jump_target(op, operands):
        target = re.search('([0-9a-f]+) <', operands)
        return target.group(1) if target and re.fullmatch(r'b|b\..*|cbn?z|tbn?z', op) else None

    @staticmethod
    def shown(op, operands):
        """Where calls go; other places are said by symbols of their own."""
        return operands if op in ('b', 'bl') else re.sub(' *<[^>]*>', '', operands)

    def memory(self, text):
        """[BASE, INDEX OR DISTANCE]"""
        operand = re.split(', *', re.sub(r'[][!]', '', text)) + ['', '']
        base, index = operand[0][1:], self.register(operand[1])
        if index:
            self.access(self.part(base) + self.scale(operand[2]) * self.part(index),
                        self.is_based(base) or self.is_based(index))
        else:
            self.access(self.part(base) + (self.value(operand[1]) if operand[1] else 0), self.is_based(base))

    def add(self, to, operand, sign):
        one, other = operand[1][1:], self.register(operand[2])
        shift = operand[3] if len(operand) > 3 else ''
        if other:
            more = self.scale(shift) * self.part(other)
            self.say_use(other)
            self.hold(to, self.part(one) + sign * more, self.is_based(one) or self.is_based(other))
        elif operand[2].startswith('#'):
            more = self.value(operand[2]) * (4096 if '#12' in shift else 1)
            self.hold(to, self.part(one) + sign * more, self.is_based(one))
        else:
            self.forget(to)
            return
        # Pages alone are a part of something.
        if not shift:
            self.say_held(to)

    def access_memory(self, op, text, operand, to):
        if op.startswith('st'):
            self.say_use(to)
        place = re.search(r'\[.*\]', text)
        if place:
            self.memory(place.group())
        if op.startswith('ld'):
            self.load(to)
            if op.startswith('ldp'):
                self.forget(operand[1][1:])
        changed = re.search(r'\[x([0-9]+).*(!$|\], )', text)
        if changed:
            self.forget(changed.group(1))

    def execute(self, op, text, _):
        text = re.sub(r'[ \t]*(//.*)?$', '', text)
        operand = re.split(', *', text)
        to, second = self.register(operand[0]), operand[1] if len(operand) > 1 else ''
        if op in ('b', 'ret', 'br'):
            self.falls = False
        elif op in ('bl', 'blr'):
            self.forget(*map(str, range(19)))
        elif op.startswith(('ld', 'st')):
            self.access_memory(op, text, operand, to)
        elif op == 'adrp':
            self.hold(to, int(second.partition(' ')[0], 16), False)
        elif op == 'mov' and second.startswith('#'):
            self.hold(to, self.value(second), False)
            self.say_held(to)
        elif op == 'movk' and operand[2].endswith('#16') and not self.is_based(to) and self.part(to) < 65536:
            self.hold(to, self.part(to) + 65536 * self.value(second), False)
            self.say_held(to)
        elif op == 'mov' and self.register(second):
            if self.is_based(second[1:]) and self.part(second[1:]) == 0:
                self.forget(to)
            else:
                self.hold(to, self.part(second[1:]), self.is_based(second[1:]))
        elif op == 'lsl' and operand[2].startswith('#'):
            self.hold(to, self.scale(operand[2]) * self.part(second[1:]), self.is_based(second[1:]))
        elif op in ('add', 'sub'):
            self.add(to, operand, 1 if op == 'add' else -1)
        else:
            reads = re.match('(cmp|cmn|ccmp|ccmn|tst|cbn?z|tbn?z)', op)
            self.say_use(*map(self.register, operand if reads else operand[1:]))
            if not reads:
                self.forget(to)


class Riscv64(Follower):
    def begin(self):
        self.hold('zero', 0, False)
        self.hold('gp', self.place.get('__global_pointer$', 0), False)

    @staticmethod
    def high(text):
        """Of 20 bits, for lui and auipc."""
        number = int(text, 16)
        return 4096 * (number - 1048576 if number >= 524288 else number)

    @staticmethod
    def jump_target(op, operands):
        target = re.search('([0-9a-f]+) <', operands)
        return target.group(1) if target and re.match('b|j$', op) else None

    @staticmethod
    def shown(op, operands):
        """Where calls go; other places are said by symbols of their own."""
        return operands if op in ('jal', 'jalr', 'j', 'jr') else re.sub(' *(# .*|<[^>]*>)', '', operands)

    def memory(self, text):
        """DISTANCE(BASE)"""
        distance, _, base = text.rstrip(')').partition('(')
        self.access(self.part(base) + int(distance), self.is_based(base))

    def execute(self, op, text, address):
        operand = re.sub(' *# .*', '', text).split(',')
        to, second = operand[0], operand[1] if len(operand) > 1 else ''
        if op in ('j', 'ret', 'jr'):
            self.falls = False
        elif op in ('jal', 'jalr'):
            self.forget(*['a%d' % i for i in range(8)], *['t%d' % i for i in range(7)])
        elif re.fullmatch('l[bhw]u?|ld|fl[wd]', op):
            self.memory(second)
            self.load(to)
        elif re.fullmatch('s[bhwd]|fs[wd]', op):
            self.say_use(to)
            self.memory(second)
        elif op == 'lui':
            self.hold(to, self.high(second), False)
            self.say_held(to)
        elif op == 'auipc':
            self.hold(to, int(address, 16) + self.high(second), False)
        elif op == 'li':
            self.hold(to, int(second, 0), False)
            self.say_held(to)
        elif op in ('addi', 'addiw'):
            self.hold(to, self.part(second) + int(operand[2]), self.is_based(second))
            self.say_held(to)
        elif op in ('add', 'addw'):
            self.say_use(second, operand[2])
            self.hold(to, self.part(second) + self.part(operand[2]), self.is_based(second) or self.is_based(operand[2]))
            if self.is_based(to) and self.part(to) % 4096 != 0:
                self.say_held(to)
        elif op == 'slli':
            self.hold(to, self.part(second) << int(operand[2], 16), self.is_based(second))
        elif op == 'mv':
            self.hold(to, self.part(second), self.is_based(second))
        else:
            self.say_use(*(operand if op.startswith('b') else operand[1:]))
            if not op.startswith('b'):
                self.forget(to)


def main(cpu, symbols):
    with open(symbols) as lines:
        follower = {'aarch64': Aarch64, 'riscv64': Riscv64}[cpu](lines)
    function = []
    for line in sys.stdin:
        if re.fullmatch('[0-9a-f]+ <.*>:\n', line):
            follower.follow(function)
            function = []
        elif re.match(' *[0-9a-f]+:\t', line):
            address, op, operands = (line.rstrip('\n') + '\t\t').split('\t')[:3]
            function.append((address.strip(' :'), op, operands))
    follower.follow(function)


main(*sys.argv[1:])

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the waits of a data file (mlmon.out(5), version 15), and compares them with what the program
wrote itself. Independent of mlprof.

    waits.py shares FILE OWN POINTS    Each state's share of the time of all threads is within POINTS
                                       of the program's own share (own.h), and at most POINTS are
                                       unknown.
    waits.py owners FILE OWN PERCENT   At least PERCENT of the waits for mutexes have the right thread
                                       and call (owners.c).
    waits.py balance FILE POINTS       Of each thread's time, at most POINTS percent are unknown.
    waits.py sums FILE                 Prints REASON END NANOSECONDS COUNT.

Prints the figures. Exit status 1 if they are off, 2 if the file is not as mlmon.out(5) says."""

import bisect
import statistics
import sys

REASONS = ('mutex rwlock spin filelock condition semaphore barrier futex join openmp child poll accept connect '
           'receive send pipe device file sync async sleep signal lookup').split()
ENDS = 'thread outside timeout open'.split()
# A wait is recorded from 10 microseconds on. The clocks of both sides are read at different moments.
LONG_FOR_SURE = 15000


class Malformed(Exception):
    pass


def check(condition, text):
    if not condition:
        raise Malformed(text)


class State:
    def __init__(self, words):
        check(len(words) == 5, f'state {words}')
        self.thread, self.start, self.wall, self.cpu = map(int, words[:4])
        self.ready = None if words[4] == '-' else int(words[4])


class Sum:
    """A line after `waiting'."""

    def __init__(self, words, objects, stacks):
        check(len(words) == 11, f'waiting {words}')
        self.stack, self.reason, self.end = int(words[0]), words[1], words[4]
        self.object, held, self.cause = (None if word == '-' else int(word) for word in (words[2], words[3], words[5]))
        self.taken = words[6], int(words[7], 16)
        self.count, self.time, self.longest = map(int, words[8:])
        self.key = tuple(words[:8])
        check(self.reason in REASONS and self.end in ENDS, f'waiting {words}')
        check(self.stack < stacks and (self.cause or 0) < stacks, f'waiting {words}: no such stack')
        check(max(self.object or 0, held or 0) < max(objects, 1), f'waiting {words}: no such object')
        check(self.count > 0 and self.longest <= self.time <= self.longest * self.count, f'waiting {words}: numbers')


class Waits:
    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            self.lines = file.read().split('\n')
        check(self.lines[0] == 'ccprof mlmon 15', self.lines[0])
        check(self.lines[-2:] == ['end', ''], 'the end')
        self.bias = {}
        for line in self.lines:
            words = line.split(' ', 4)
            if words[0] == 'module':
                self.bias[words[1]] = int(words[3], 16)
        # Names of labels or messages cannot begin a line.
        starts = [i for i, line in enumerate(self.lines) if line.startswith('waits ')]
        check(len(starts) == 2, 'the lines `waits\'')
        self.at = starts[1]
        self.least, self.unrecorded = self.numbers('waits', 2)
        self.states = [State(words) for words in self.table('states')]
        self.objects = self.table('objects')
        self.stacks = self.parents(self.table('stacks'))
        self.sums = [Sum(words, len(self.objects), len(self.stacks)) for words in self.table('waiting')]
        check(len({one.key for one in self.sums}) == len(self.sums), 'equal lines of waits')
        check(len({one.thread for one in self.states}) == len(self.states), 'two states of a thread')
        self.longest_least, count = self.numbers('longest', 2)
        self.longest = [list(map(int, words)) for words in self.take(count)]
        check(self.lines[self.at] == 'end', f'{self.lines[self.at]} instead of the end')
        self.check_longest()

    def numbers(self, word, count):
        words = self.lines[self.at].split(' ')
        check(words[0] == word and len(words) == count + 1, self.lines[self.at])
        self.at += 1
        return list(map(int, words[1:]))

    def take(self, count):
        check(self.at + count < len(self.lines), 'lines are missing')
        lines = [line.split(' ') for line in self.lines[self.at:self.at + count]]
        self.at += count
        return lines

    def table(self, word):
        return self.take(self.numbers(word, 1)[0])

    @staticmethod
    def parents(lines):
        """Turns points into (module, address, number of the parent)."""
        points, open_points = [], []
        for number, words in enumerate(lines):
            depth = int(words[0])
            check(depth <= len(open_points) and (depth > 0) == (words[1] != 'thread'), f'point {words}')
            points.append((words[1], int(words[2], 16), open_points[depth - 1] if depth else None))
            open_points[depth:] = [number]
        return points

    def check_longest(self):
        spent = {}
        for number, start, length, time in self.longest:
            check(number < len(self.sums), 'a wait without a line')
            check(self.longest_least <= time <= length, f'a wait of {time} of {length}')
            spent.setdefault(number, []).append(time)
        for number, times in spent.items():
            one = self.sums[number]
            check(len(times) <= one.count and sum(times) <= one.time and max(times) <= one.longest,
                  f'more single waits than {one.key}')
        if self.longest_least == 0:
            check(sum(one.count for one in self.sums) == len(self.longest), 'waits are missing')

    def thread(self, point):
        """The thread of a stack."""
        while self.stacks[point][2] is not None:
            point = self.stacks[point][2]
        return self.stacks[point][1]

    def in_memory(self, place):
        module, address = place
        return address + self.bias.get(module, 0)


def own_words(path):
    with open(path, encoding='utf-8') as file:
        return [line.split() for line in file]


def shares(waits, path, points):
    """Compares the parts of all threads' time."""
    own = {}
    for name, number in own_words(path):
        own[name] = own.get(name, 0) + int(number)
    wall = sum(one.wall for one in waits.states)
    ours = {'cpu': sum(one.cpu for one in waits.states)}
    # Without the kernel's figure the time is among the unknown.
    if all(one.ready is not None for one in waits.states):
        ours['ready'] = sum(one.ready for one in waits.states)
    else:
        print('the time of waiting for a processor is not known')
    for one in waits.sums:
        # It is part of the CPU time.
        if one.reason != 'spin':
            ours[one.reason] = ours.get(one.reason, 0) + one.time
    off = []
    for name in sorted(ours.keys() | own.keys() - {'wall', 'threads'}):
        got, want = 100 * ours.get(name, 0) / wall, 100 * own.get(name, 0) / own['wall']
        print(f'    {name}: {got:.1f}, its own {want:.1f}')
        if abs(got - want) > points:
            off.append(name)
    unknown = 100 * (1 - sum(ours.values()) / wall)
    print(f'    unknown: {unknown:.1f}, of {wall / 1e9:.3f} s, its own {own["wall"] / 1e9:.3f} s')
    if abs(unknown) > points:
        off.append('unknown')
    if len(waits.states) != own['threads']:
        off.append(f'{len(waits.states)} threads, not {own["threads"]}')
    if off:
        print('off: ' + ', '.join(off))
    return not off


def owners(waits, path, percent):
    """Compares the waits one by one, by thread and begin."""
    words = own_words(path)
    calls = [(one[1], int(one[2], 16), int(one[3], 16)) for one in words if one[0] == 'call']
    marker = next(int(one[1]) for one in words if one[0] == 'marker')
    own = [(*map(int, one[1:4]), one[4], int(one[5]), one[6]) for one in words if one[0] == 'wait']
    check(waits.longest_least == 0, 'not every wait is there: set a larger wait=N')

    def call(place):
        address = waits.in_memory(place)
        return next((name for name, start, end in calls if start <= address < end), hex(address))

    # The first sleep of the first thread tells when measuring began.
    sleeps = [start for number, start, length, time in waits.longest
              if waits.sums[number].reason == 'sleep' and waits.thread(waits.sums[number].stack) == 1]
    check(sleeps, 'no sleep of the first thread')
    origin = marker - min(sleeps)
    starts = {}
    for number, start, length, time in waits.longest:
        one = waits.sums[number]
        if one.reason == 'mutex':
            starts.setdefault(waits.thread(one.stack), []).append((origin + start, length, one))
    for entries in starts.values():
        entries.sort(key=lambda entry: entry[0])
    begins = {thread: [entry[0] for entry in entries] for thread, entries in starts.items()}
    compared, missing, wrong_waiter, no_thread, wrong_thread, no_call, wrong_call = 0, 0, 0, 0, 0, 0, 0
    distances = []
    for thread, begin, length, own_call, owner, owner_call in own:
        if length < LONG_FOR_SURE:
            continue
        compared += 1
        entries = starts.get(thread, [])
        # Between the program's own readings of the clock around the call.
        i = bisect.bisect_left(begins.get(thread, []), begin - 5000)
        if i == len(entries) or entries[i][0] > begin + length:
            missing += 1
            continue
        start, _, one = entries[i]
        distances.append(start - begin)
        wrong_waiter += call(waits.stacks[one.stack][:2]) != own_call
        if one.cause is None:
            no_thread += 1
        elif waits.thread(one.cause) != owner:
            wrong_thread += 1
        elif one.taken[1] == 0:
            no_call += 1
        elif call(one.taken) != owner_call:
            wrong_call += 1
    check(compared, 'no wait to compare')
    right = 100 * (compared - missing - no_thread - wrong_thread - no_call - wrong_call) / compared
    print(f'    of {compared} waits {missing} missing, {wrong_waiter} in another call; owners: {no_thread} without '
          f'a thread, {wrong_thread} another thread, {no_call} without a call, {wrong_call} another call: '
          f'{right:.2f} % right')
    if distances:
        print(f'    begin {statistics.median(distances) / 1000:.1f} us after its own')
    return right >= percent and wrong_waiter <= compared * (100 - percent) / 100


def sums(waits):
    table = {}
    for one in waits.sums:
        time, count = table.get((one.reason, one.end), (0, 0))
        table[one.reason, one.end] = time + one.time, count + one.count
    for (reason, end), (time, count) in sorted(table.items()):
        print(reason, end, time, count)
    return True


def balance(waits, points):
    """Each thread's times add up to its time."""
    good = waits.sums != []
    for one in waits.states:
        known = one.cpu + (one.ready or 0) + sum(wait.time for wait in waits.sums if waits.thread(wait.stack) == one.thread
                                                 and wait.reason != 'spin')
        unknown = 100 * (1 - known / one.wall)
        print(f'    thread {one.thread}: {unknown:.1f} % of {one.wall / 1e9:.3f} s unknown')
        good = good and abs(unknown) <= points
    return good


def main(words):
    try:
        waits = Waits(words[1])
        if words[0] == 'shares':
            return shares(waits, words[2], float(words[3]))
        if words[0] == 'balance':
            return balance(waits, float(words[2]))
        if words[0] == 'owners':
            return owners(waits, words[2], float(words[3]))
        return sums(waits)
    except (Malformed, ValueError, IndexError) as error:
        print(f'{words[1]}: {error!r}')
        sys.exit(2)


if __name__ == '__main__':
    sys.exit(0 if main(sys.argv[1:]) else 1)

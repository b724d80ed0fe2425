# SPDX-License-Identifier: GPL-3.0-or-later
"""served.py PROGRAM CASE...: asks the program (served.c) while it runs, and checks what it answers."""

import os
import signal
import subprocess
import sys
import time

import asker

program = sys.argv[1]


class Served:
    """The program as it runs, in the mode HOW."""

    def __init__(self, *how, settings='', command=None):
        variables = dict(os.environ, CCPROF='output=never.mlmon' + settings)
        if os.environ.get('SETTINGS') == 'none':
            del variables['CCPROF']
        self.process = subprocess.Popen([*(command or [program]), *how], env=variables, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, encoding='utf-8')
        self.pid = self.process.pid
        self.expect('ready')

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.kill()
        self.process.communicate()

    def expect(self, line):
        got = self.process.stdout.readline().rstrip('\n')
        check(got == line or (line.endswith('*') and got.startswith(line[:-1])), f'line {got}, not {line}')
        return got

    def tell(self):
        self.process.stdin.write('go\n')
        self.process.stdin.flush()

    def lines_after_end(self):
        self.process.kill()
        return self.process.communicate()[0].split('\n')[:-1]

    def pidfd(self):
        return os.pidfd_open(self.pid)


def check(holds, what):
    if not holds:
        sys.exit(f'FAIL: {case}: {what}')


def answer(served, *request, **more):
    text = asker.ask(served.pid, *request, **more)
    check(text is not None, 'no answer')
    check(text.startswith('ccprof mlmon 14\n') and text.endswith('\nend\n'), f'not a data file: {text[:200]}')
    process = asker.field(text, 'process').split(' ')[0]
    check(process == str(served.pid), f'process {process}')
    return text


def number(text, word):
    found = asker.field(text, word)
    check(found is not None, f'no line {word}')
    return int(found.split(' ')[0])


def until(holds, what):
    """Waits until the condition holds."""
    for _ in range(20000):
        if holds():
            return
        time.sleep(0.005)
    check(False, f'never: {what}')


def has_signal(pid, word):
    """Whether SIGURG is in the set of this line of /proc/PID/status."""
    with open(f'/proc/{pid}/status', encoding='utf-8') as status:
        caught = next(line.split()[1] for line in status if line.startswith(word))
    return bool(int(caught, 16) >> (signal.SIGURG - 1) & 1)


def catches(pid):
    return has_signal(pid, 'SigCgt')


def kill_urgently(served):
    """Sends SIGURG as other processes do. A request that is pending would swallow it."""
    until(lambda: not has_signal(served.pid, 'ShdPnd'), 'the last request arrives')
    os.kill(served.pid, signal.SIGURG)


def state(pid):
    with open(f'/proc/{pid}/stat', encoding='utf-8') as stat:
        return stat.read().rsplit(')', 1)[1].split()[0]


def grows():
    """Answers of a program that computes grow, and belong to one run."""
    with Served() as served:
        first = answer(served)
        until(lambda: number(answer(served), 'samples') > number(first, 'samples') + 20, 'samples')
        last = answer(served)
        check(asker.field(first, 'answer') == asker.field(last, 'answer'), 'another run')
        check(asker.field(last, 'answer').endswith(' 0 open'), asker.field(last, 'answer'))
        check(number(last, 'cpu') > number(first, 'cpu'), 'no CPU time')
        check(number(last, 'threads') == 3, 'threads')
        check(len(asker.answers(served.pid)) == 1, 'more than one answer is open')


def idles():
    """A program that waits answers, too. It is interrupted once by the request, and once when the answer is closed."""
    with Served('idle') as served:
        until(lambda: state(served.pid) == 'S', 'it waits')
        answer(served)
        served.expect('interrupted 1')
        check(len(asker.answers(served.pid)) == 1, 'no answer is open')
        before = time.monotonic()
        until(lambda: not asker.answers(served.pid), 'the answer is closed')
        check(time.monotonic() - before > 5, 'it was closed too early')
        served.expect('interrupted 1')
        check(served.lines_after_end() == [], 'it was interrupted more than twice')


def starts():
    """With start=no nothing is measured until a request says so, and only until its time has passed."""
    with Served(settings=',start=no') as served:
        if os.path.exists(f'/proc/{served.pid}/timers'):
            with open(f'/proc/{served.pid}/timers', encoding='utf-8') as timers:
                check(timers.read() == '', 'it has a timer')
        before = answer(served)
        check(asker.field(before, 'answer').endswith(' closed'), 'it measures')
        check(number(before, 'samples') == 0 and number(before, 'cpu') == 0, 'it has measured')
        sampling = answer(served, asker.SAMPLE, 1)
        check(asker.field(sampling, 'answer').endswith(' open'), 'it does not measure')
        until(lambda: number(answer(served), 'samples') > 20, 'samples')
        threads = number(answer(served), 'threads')
        check(threads == 3, f'{threads} threads')
        until(lambda: asker.field(answer(served), 'answer').endswith(' closed'), 'the end of sampling')
        after = answer(served)
        time.sleep(0.5)
        later = answer(served)
        check(number(after, 'cpu') == number(later, 'cpu'), 'time is still measured')
        check(number(after, 'samples') == number(later, 'samples'), 'samples are still taken')
        answer(served, asker.SAMPLE, 1)
        until(lambda: number(answer(served), 'samples') > number(after, 'samples') + 20, 'samples, the second time')


def stops():
    """The request to stop ends what a request has started, but not what the program measures by itself."""
    with Served(settings=',start=no') as served:
        answer(served, asker.SAMPLE, 600)
        check(asker.field(answer(served, asker.STOP), 'answer').endswith(' open'), 'it was stopped before the answer')
        check(asker.field(answer(served), 'answer').endswith(' closed'), 'it measures')
    with Served() as served:
        answer(served, asker.SAMPLE, 600)
        answer(served, asker.STOP)
        check(asker.field(answer(served), 'answer').endswith(' open'), 'it was stopped')
    with Served(settings=',start=no') as served:
        child = os.fork()
        if child == 0:
            os._exit(0 if asker.ask(served.pid, asker.SAMPLE, 600) else 1)
        check(os.waitpid(child, 0)[1] == 0, 'no answer for the other asker')
        answer(served, asker.SAMPLE, 600)
        answer(served, asker.STOP)
        check(asker.field(answer(served), 'answer').endswith(' open'), 'another asker was stopped')


def chooses():
    """The rate and the times can be chosen until the first sample, and are those of the samples."""
    with Served(settings=',start=no') as served:
        check(number(answer(served), 'rate') == 100, 'rate at first')
        check(number(answer(served, asker.RATE, 50), 'rate') == 50, 'first choice')
        text = answer(served, asker.RATE, 1000)
        check(number(text, 'rate') == 1000 and asker.field(text, 'times') is None, 'second choice')
        check(number(answer(served, asker.TIMES, 20), 'times') == 20000000, 'times')
        before = answer(served, asker.SAMPLE, 600)
        until(lambda: number(answer(served), 'samples') > 1000, 'samples')
        text = answer(served)
        check(number(text, 'rate') == 1000, 'rate')
        samples = number(text, 'samples') - number(before, 'samples')
        seconds = (number(text, 'cpu') - number(before, 'cpu')) / 1e9
        check(700 < samples / seconds < 1300, f'{samples} samples in {seconds} s')
        check(asker.ask(served.pid, asker.RATE, 100) == 'refused rate 1000\n', 'the rate can change')
        check(asker.ask(served.pid, asker.TIMES, 0) == 'refused times 20\n', 'times can change')
        answer(served, asker.RATE, 1000)
        answer(served, asker.TIMES, 20)
    if os.environ.get('SETTINGS') != 'none':
        with Served(settings=',samples=no') as served:
            check(asker.ask(served.pid, asker.RATE, 50) == 'refused samples\n', 'there are samples')
        with Served() as served:
            check(asker.ask(served.pid, asker.RATE, 50) == 'refused rate 100\n', 'the rate can change')
            check(asker.ask(served.pid, asker.TIMES, 50) == 'refused times 0\n', 'times can change')


def refuses():
    """ask=no and CCPROF=off: the signal is not caught."""
    for settings in ',ask=no', ',off':
        with Served(settings=settings) as served:
            check(not catches(served.pid), 'SIGURG is caught')
            check(asker.ask(served.pid, seconds=0.3) is None, 'it answers')
    with Served(settings=',samples=no') as served:
        text = asker.ask(served.pid, asker.SAMPLE, 1)
        check(text.startswith('ccprof mlmon 14\n'), text)


def ignores():
    """What is not a request of this version has no effect."""
    with Served() as served:
        now = time.clock_gettime_ns(time.CLOCK_REALTIME)
        later = now + 60 * 10 ** 9
        pidfd = served.pidfd()
        asker.send(pidfd, asker.value(0, 0, later, mark=0xcca4))
        asker.send(pidfd, asker.value(0, 0, later, version=2))
        asker.send(pidfd, asker.value(0, 0, later, version=0))
        asker.send(pidfd, asker.value(3, 0, later))
        asker.send(pidfd, asker.value(5, 0, later))
        asker.send(pidfd, asker.value(0, 1, later))
        asker.send(pidfd, asker.value(1, 0, later))
        asker.send(pidfd, asker.value(0, 0, now - 10 ** 9))
        asker.send(pidfd, asker.value(0, 0, later), code=-2)
        time.sleep(1)
        check(not asker.answers(served.pid), 'there is an answer')
        answer(served)
        os.close(pidfd)


def passes_on():
    """The program's own handler sees its own signals, and no request."""
    with Served('own') as served:
        answer(served)
        kill_urgently(served)
        served.expect('sent 0')
        pidfd = served.pidfd()
        asker.send(pidfd, 77)
        os.close(pidfd)
        served.expect('queued 77')
        answer(served)
        check(served.lines_after_end() == [], 'it has seen a request')


def waits():
    """A program whose only thread that takes signals waits for them answers, and does not see the request."""
    with Served('waits') as served:
        answer(served)
        kill_urgently(served)
        served.expect(f'waited {int(signal.SIGURG)}')
        answer(served)
        check(served.lines_after_end() == [], 'it has seen a request')


def reads():
    """Signals that are read from a descriptor: all but requests; SIGURG alone belongs to the program."""
    with Served('reads') as served:
        os.kill(served.pid, signal.SIGUSR1)
        served.expect(f'read {int(signal.SIGUSR1)}')
        check(asker.ask(served.pid, seconds=0.3) is None, 'it answers')
        os.kill(served.pid, signal.SIGUSR2)
        served.expect(f'read {int(signal.SIGUSR2)}')
    with Served('reads-it') as served:
        check(not catches(served.pid), 'SIGURG is caught')
        os.kill(served.pid, signal.SIGURG)
        served.expect(f'read {int(signal.SIGURG)}')


def late():
    """A process that is stopped does not answer after the deadline, but answers the next request."""
    with Served() as served:
        os.kill(served.pid, signal.SIGSTOP)
        check(asker.ask(served.pid, seconds=0.5) is None, 'it answers while it is stopped')
        time.sleep(0.5)
        os.kill(served.pid, signal.SIGCONT)
        time.sleep(0.5)
        check(not asker.answers(served.pid), 'it answers after the deadline')
        answer(served)
    with Served('blocked') as served:
        check(asker.ask(served.pid, seconds=0.5) is None, 'it answers with blocked signals')


def loads():
    """A library without the plugin, loaded after the start, is a module of the answer."""
    with Served('loads', './library.so') as served:
        before = answer(served)
        check('library.so' not in before, 'it is there too early')
        served.tell()
        served.expect('loaded')
        until(lambda: number(answer(served), 'samples') > 10, 'samples')
        text = answer(served)
        module = [line.split(' ') for line in text.split('\n')
                  if line.startswith('module ') and line.endswith('/library.so')]
        check(len(module) == 1, f'{len(module)} modules')
        check(module[0][2] == sys.argv[3], f'build ID {module[0][2]}')
        inside = sum(int(line.split(' ')[3]) for line in text.split('counts ')[1].split('\n')[1:]
                     if line[:1].isdigit() and line.split(' ')[1] == module[0][1])
        check(inside > 0, 'no sample is in the library')
        numbers = [line.split(' ')[1] for line in text.split('\n') if line.startswith('module ')]
        check(numbers == [str(i) for i in range(len(numbers))], 'modules')


def forks():
    """A forked child answers for itself; it has neither the parent's answer nor its request."""
    with Served('forks', settings=',start=no') as served:
        answer(served, asker.SAMPLE, 600)
        served.tell()
        child = int(served.expect('child *').split(' ')[1])
        until(lambda: not asker.answers(child), "the child closes its parent's answer")
        of_child = asker.ask(child)
        check(of_child is not None, 'no answer')
        check(number(of_child, 'process') == child, 'process')
        check(asker.field(of_child, 'answer').endswith(' closed'), 'the child measures')
        of_parent = answer(served)
        check(asker.field(of_parent, 'answer').split(' ')[0] != asker.field(of_child, 'answer').split(' ')[0], 'epoch')
        check(asker.field(of_parent, 'answer').endswith(' open'), 'the parent does not measure')
        until(lambda: number(asker.ask(child, asker.SAMPLE, 600), 'samples') > 10, 'samples of the child')


def takes():
    """What leaves the run in slices is counted."""
    folder = 'slices'
    with Served(settings=f',output={folder}/,slice=1') as served:
        first = answer(served)
        until(lambda: asker.field(answer(served), 'answer').split(' ')[1] != '0', 'a slice')
        second = answer(served)
        check(asker.field(first, 'answer').split(' ')[0] == asker.field(second, 'answer').split(' ')[0], 'epoch')
    check(not [name for name in os.listdir(folder) if 'memfd' in name], 'a file of an answer')


def sleeps():
    """A dormant process has only a handler, until it is asked."""
    with Served('idle') as served:
        until(lambda: state(served.pid) == 'S', 'it waits')
        with open(f'/proc/{served.pid}/status', encoding='utf-8') as status:
            caught = next(line.split()[1] for line in status if line.startswith('SigCgt'))
        check(int(caught, 16) == 1 << (signal.SIGURG - 1), f'it catches {caught}')
        text = answer(served)
        check(asker.field(text, 'answer').endswith(' closed'), 'it measures')
        check(number(text, 'samples') == 0, 'it has samples')


def overtaken():
    """A dormant process whose program takes SIGURG for itself does not answer, and continues."""
    with Served('takes-it') as served:
        check(asker.ask(served.pid, seconds=0.5) is None, 'it answers')
        check(served.process.poll() is None, 'it has ended')


def small():
    """Handlers on a small alternate stack: each answer fits, with all that is measured."""
    for settings in '', ',heap=exact,threads=yes,times=yes', ',heap=64K':
        with Served('small', settings=settings) as served:
            text = asker.ask(served.pid, seconds=300)
            check(text is not None and text.endswith('\nend\n'), f'{settings}: {text}')
            check(served.process.poll() is None, f'{settings}: it has ended')


def limited():
    """A program that may write no file answers with the error, and continues."""
    with Served('limited') as served:
        for _ in range(3):
            text = asker.ask(served.pid)
            check(text in ('', 'refused error 27\n'), f'answer: {text}')
            time.sleep(0.2)
            check(served.process.poll() is None, 'it has ended')


def full():
    """A process without a free descriptor gives no answer, and mlprof says why. Later it answers."""
    with Served('full') as served:
        told = subprocess.run([os.environ['MLPROF'], '-pid', str(served.pid)], stderr=subprocess.PIPE,
                              encoding='utf-8', check=False).stderr
        check('an answer needs a descriptor, and all 40 that it may have are open' in told, told)
        check(not asker.answers(served.pid), 'an answer')
        served.tell()
        answer(served)


def allocates():
    """Requests arrive in the middle of the allocator. Each answer is consistent."""
    with Served('allocates', settings=',heap=exact,rate=1000') as served:
        for _ in range(200):
            text = answer(served)
            allocated, freed, alive = (int(asker.field(text, word).split(' ')[0])
                                       for word in ('allocated', 'freed', 'alive'))
            check(allocated - freed == alive, f'{allocated} - {freed} is not {alive}')


def many():
    """A thousand requests in a row, and fifty askers at a time."""
    with Served() as served:
        for _ in range(int(os.environ.get('REQUESTS', '200'))):
            answer(served)
        askers = []
        for _ in range(50):
            child = os.fork()
            if child == 0:
                os._exit(0 if asker.ask(served.pid, seconds=300) else 1)
            askers.append(child)
        failed = sum(os.waitpid(child, 0)[1] != 0 for child in askers)
        check(failed == 0, f'{failed} of 50 askers had no answer')


for case in sys.argv[2:3]:
    globals()[case]()

# SPDX-License-Identifier: GPL-3.0-or-later
"""serve.py CASE...: starts ccprof-live serve, and checks how it answers."""

import gzip
import http.client
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time

LIVE = os.environ['O'] + '/ccprof-live'
# How long to wait for what must happen. A correct program needs a part of it, also on a busy machine.
LIMIT = 120


def check(good, message):
    if not good:
        raise SystemExit(message)


def until(condition, message):
    end = time.monotonic() + LIMIT
    while not condition():
        check(time.monotonic() < end, message)
        time.sleep(0.02)


class Program:
    """A program that runs while a profile of it is served."""

    def __init__(self, program='./server', settings=''):
        variables = dict(os.environ, CCPROF='output=never.mlmon' + settings)
        self.process = subprocess.Popen([program], env=variables, stdout=subprocess.PIPE)
        self.process.stdout.readline()
        self.pid = str(self.process.pid)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.kill()
        self.process.communicate()


class UnixConnection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.host)


class Live:
    """ccprof-live serve with these words."""

    def __init__(self, *words, before=None):
        self.process = subprocess.Popen([LIVE, 'serve', *words], stdout=subprocess.PIPE, encoding='utf-8',
                                        preexec_fn=before)
        line = self.process.stdout.readline()
        match = re.match(r'(.*): (http://127\.0\.0\.1:(\d+)|http\+unix:(.*))/(\?token=(.*))?$', line)
        check(match, f'the line is: {line}')
        self.name, self.url, port, self.path, _, self.token = match.groups()
        self.port = int(port or 0)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.send_signal(signal.SIGTERM)
        check(self.process.wait(LIMIT) == 0, f'exit status {self.process.returncode}')
        self.process.communicate()

    def connect(self):
        """A socket that is connected, for requests that are not as they should be."""
        return socket.create_connection(('127.0.0.1', self.port), LIMIT)

    def begin(self, path, method='GET', token=True, headers=None):
        connection = (UnixConnection(self.path, timeout=LIMIT) if self.path else
                      http.client.HTTPConnection('127.0.0.1', self.port, timeout=LIMIT))
        own = {'Authorization': 'Bearer ' + self.token} if token and self.token else {}
        connection.request(method, path, headers={**own, **(headers or {})})
        return connection

    def get(self, path, status=200, **how):
        """The headers and the body of the response, whose status is checked."""
        connection = self.begin(path, **how)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        check(response.status == status, f'{path}: {response.status}, not {status}: {body[:300]}')
        return response, body

    def memory(self):
        with open(f'/proc/{self.process.pid}/status', encoding='utf-8') as file:
            return int(re.search(r'VmRSS:\s*(\d+)', file.read()).group(1))

    def descriptors(self):
        return len(os.listdir(f'/proc/{self.process.pid}/fd'))

    def children(self):
        with open(f'/proc/{self.process.pid}/task/{self.process.pid}/children', encoding='utf-8') as file:
            return file.read().split()


def endpoints():
    """What pprof and browsers ask for."""
    with Program(settings=',heap=exact') as program, Live(program.pid) as live:
        check(live.name == f'server, PID {program.pid}', live.name)
        _, words = live.get('/debug/pprof/cmdline')
        check(words == b'./server\0', f'cmdline: {words}')
        for path in 'profile?seconds=0', 'profile?seconds=1', 'heap', 'heap?seconds=1':
            response, profile = live.get('/debug/pprof/' + path)
            check(gzip.decompress(profile), path)
            check(response.headers['Cache-Control'] == 'no-store', path)
        _, index = live.get('/debug/pprof/')
        for link in re.findall(rb'href="(/debug/[^"]*)"', index):
            live.get(link.decode(), method='HEAD')
        response, page = live.get('/?from=60&compare=1&refresh=7')
        check(b'src="/report?from=60&amp;to=0&amp;compare=1"' in page and b'http-equiv="refresh" content="7"' in page, page)
        check("default-src 'none'" in response.headers['Content-Security-Policy'], response.headers)
        response, page = live.get('/report?from=60')
        check(re.search(rb'<title>server, PID \d+, [\d:]+ - [\d:]+</title>', page), page[:1000])
        check('sandbox' in response.headers['Content-Security-Policy'], response.headers)
        _, page = live.get('/report')
        check(re.search(rb'<title>server, PID \d+, until [\d:]+</title>', page), page[:1000])
        _, why = live.get('/report?from=3600&compare=1', status=503)
        check(b'not known yet' in why, why)
        # Answers are kept now.
        until(lambda: live.begin('/report?from=2&compare=1').getresponse().status == 200, 'no comparison')


def pprof():
    """go tool pprof shows inlined functions of a stripped program."""
    with Program() as program, Live(program.pid) as live:
        url = f'{live.url}/debug/pprof/profile?seconds=2&token={live.token}'
        out = subprocess.run(['go', 'tool', 'pprof', '-top', url], capture_output=True, encoding='utf-8', check=False,
                             env=dict(os.environ, HOME=os.getcwd())).stdout
        check(re.search(r' mix_key \(inline\)$', out, re.M), out)
        check(re.search(r' handle_request$', out, re.M), out)


def refused():
    """Without the token, from other sites, with other methods and paths."""
    with Program() as program, Live(program.pid) as live:
        for path in '/', '/report', '/debug/pprof/', '/debug/pprof/profile?seconds=0', '/debug/pprof/cmdline', '/no':
            live.get(path, 401, token=False)
            live.get(path, 401, token=False, headers={'Authorization': 'Bearer ' + 'x' * 32})
            live.get(path, 421, headers={'Host': 'attacker.example:' + str(live.port)})
        for method in 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'CONNECT':
            live.get('/', 405, method=method)
        for path in '/../../etc/passwd', '/%2e%2e/etc/passwd', '/report/', '/proc/self/environ':
            live.get(path, 404)
        for query in 'seconds=301', 'seconds=-1', 'seconds=x':
            live.get('/debug/pprof/profile?' + query, 400)
        live.get('/?token=' + 'x' * 32, 401, token=False)
        response, _ = live.get('/?token=' + live.token, 303, token=False)
        cookie = response.headers['Set-Cookie']
        check('HttpOnly' in cookie and 'SameSite' in cookie and response.headers['Location'] == '/', cookie)
        live.get('/', token=False, headers={'Cookie': cookie.split(';')[0]})
        with open('token', 'w', encoding='utf-8') as file:
            file.write('of-a-file:16+characters=\n')
        with Live('-token-file', 'token', program.pid) as other:
            check(other.token is None, other.token)
            other.get('/', 401)
            other.get('/', headers={'Authorization': 'Bearer of-a-file:16+characters='})
            response, _ = other.get('/?token=of-a-file:16%2Bcharacters=', 303)
            other.get('/', headers={'Cookie': response.headers['Set-Cookie'].split(';')[0]})


def unix():
    """A unix socket is for its owner, and needs no token."""
    with Program() as program:
        with Live('unix:socket', program.pid) as live:
            check(os.stat('socket').st_mode & 0o777 == 0o600, oct(os.stat('socket').st_mode))
            live.get('/debug/pprof/profile?seconds=0')
            live.get('/', headers={'Host': 'x'})
            second = subprocess.run([LIVE, 'serve', 'unix:socket', program.pid], capture_output=True, encoding='utf-8',
                                    check=False)
            check(second.returncode == 1 and 'Address already in use' in second.stderr, second.stderr)
        check(not os.path.exists('socket'), 'the socket is still there')
        with Live('unix:socket', program.pid) as live:
            live.process.kill()
            live.process.wait()
            live.process.returncode = 0
        # One that a killed server has left is replaced.
        with Live('unix:socket', program.pid) as live:
            live.get('/')


def hostile():
    """Whatever the bytes are, the next request is answered, and nothing stays."""
    random.seed(7)
    with Program() as program, Live(program.pid) as live:
        whole = (f'GET /debug/pprof/profile?seconds=0&token={live.token} HTTP/1.1\r\nHost: localhost\r\n'
                 f'Cookie: ccprof-live-{live.port}={live.token}; a=b\r\nContent-Length: 3\r\n\r\nabc').encode()
        descriptors = live.descriptors()
        live.get('/')
        memory = live.memory()
        for _ in range(int(os.environ.get('REQUESTS', '100'))):
            text = bytearray(whole)
            for _ in range(random.choice((0, 1, 3, 20))):
                at = random.randrange(len(text))
                text[at:at + random.randrange(4)] = random.choice(
                    (b'', b'\0', b'\r\n', b'\n\n', b'%', b'%00', b'A' * 20000, b'\xff', b'/..', b'=', b';', b' HTTP/1.0',
                     b'Transfer-Encoding: chunked\r\n', b'99999999999999999999'))
            with live.connect() as connection:
                try:
                    connection.sendall(text[:random.randrange(len(text) + 1)])
                    if random.random() < 0.5:
                        connection.shutdown(socket.SHUT_WR)
                        connection.settimeout(0.01)
                        connection.recv(100)
                except OSError:
                    pass
        live.get('/debug/pprof/profile?seconds=0')
        until(lambda: live.descriptors() <= descriptors and not live.children(), 'descriptors stay open')
        check(live.memory() < memory + 4096, f'memory grows from {memory} to {live.memory()} KB')


def cut():
    """Clients that go away, or that are too many."""
    with Program() as program, Live(program.pid) as live:
        descriptors = live.descriptors()
        live.get('/debug/pprof/profile?seconds=0')
        waiting = [live.begin('/debug/pprof/profile?seconds=300') for _ in range(16)]
        until(lambda: live.descriptors() >= descriptors + 32, 'the requests are not taken')
        response, _ = live.get('/debug/pprof/profile?seconds=0', 503)
        check(int(response.headers['Retry-After']) > 0, response.headers)
        live.get('/')
        for connection in waiting:
            connection.close()
        until(lambda: live.descriptors() <= descriptors, 'descriptors stay open')
        live.get('/debug/pprof/profile?seconds=0')
        for _ in range(20):
            live.begin('/report').close()
        until(lambda: live.descriptors() <= descriptors + 10 and not live.children(), 'reports of nobody are made')


def slow():
    """Clients that send or read slowly are cut, and others do not notice them."""
    with Program() as program, Live('-connections', '10', program.pid) as live:
        senders = [live.connect() for _ in range(6)]
        readers = []
        for _ in range(3):
            reader = socket.socket()
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            reader.connect(('127.0.0.1', live.port))
            reader.sendall(f'GET /report?token={live.token} HTTP/1.1\r\nHost: localhost\r\n\r\n'.encode())
            readers.append(reader)
        live.get('/debug/pprof/profile?seconds=0')
        start = time.monotonic()
        for sender in senders:
            # A byte now and then does not help.
            while True:
                check(time.monotonic() < start + LIMIT, 'a slow client is not cut')
                try:
                    sender.sendall(b'G')
                    sender.settimeout(0.5)
                    if sender.recv(1000) == b'':
                        break
                except TimeoutError:
                    continue
                except OSError:
                    break
        live.get('/debug/pprof/profile?seconds=0')
        for reader in readers:
            reader.settimeout(LIMIT)
            check(reader.recv(12) == b'HTTP/1.1 200', 'a slow reader gets nothing')


def stops():
    """SIGHUP ends the server although a client does not read its response, and another one waits for one; not under
    nohup."""
    with Program() as program, Live('unix:socket', program.pid) as live:
        waiting = live.begin('/debug/pprof/profile?seconds=300')
        # The response is larger than the buffer of the socket.
        reader = live.begin('/report')
        check(reader.sock.recv(12) == b'HTTP/1.1 200', 'no report')
        start = time.monotonic()
        live.process.send_signal(signal.SIGHUP)
        live.process.wait(LIMIT)
        check(time.monotonic() < start + 10, 'SIGHUP waits for a client')
        reader.close()
        waiting.close()
    with Program() as program, Live(program.pid, before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as live:
        live.process.send_signal(signal.SIGHUP)
        live.get('/')


def ends():
    """The process ends. What is known of it is still shown."""
    with Program() as program, Live(program.pid) as live:
        descriptors = live.descriptors()
        live.get('/debug/pprof/profile?seconds=0')
        waiting = live.begin('/debug/pprof/profile?seconds=300')
        until(lambda: live.descriptors() == descriptors + 2 and not live.children(), 'the request does not wait')
        live.get('/report?from=60')
        program.process.kill()
        response = waiting.getresponse()
        check(response.status == 410, f'{response.status}')
        check(response.read().decode() == f'PID {program.pid}: the process has ended\n', 'another reason')
        live.get('/debug/pprof/heap', 410)
        live.get('/report?from=60')
        live.get('/report')
        live.get('/?from=60')
        _, words = live.get('/debug/pprof/cmdline')
        check(words == b'', words)


def again():
    """The process executes its program again: no span has data of both runs."""
    with Program() as program, Live(program.pid) as live:
        def execute():
            program.process.send_signal(signal.SIGUSR1)
            program.process.stdout.readline()

        descriptors = live.descriptors()
        waiting = live.begin('/debug/pprof/profile?seconds=10')
        until(lambda: live.descriptors() == descriptors + 2 and not live.children(), 'the request does not wait')
        execute()
        response = waiting.getresponse()
        check(response.status == 503, f'{response.status}')
        check(b'executed its program again' in response.read(), 'another reason')
        live.get('/report')
        execute()
        live.get('/report?from=60')
        live.get('/debug/pprof/profile?seconds=0')


def upgraded():
    """The file of the program is replaced while the process runs."""
    shutil.copy('server', 'old')
    shutil.copy('server', 'named')
    with open('new', 'w', encoding='utf-8') as file:
        file.write('another build')
    with Program('./old') as program, Live(program.pid) as live, Live('named', program.pid) as named:
        live.get('/report')
        os.rename('new', 'old')
        live.get('/report')
        live.get('/debug/pprof/profile?seconds=1')
        # The user has named the program: this file is read.
        os.remove('named')
        named.get('/report', 404)


def few():
    """The limit of descriptors is raised, or too low for all connections."""
    def limit(most):
        return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))

    with Program() as program:
        with Live(program.pid, before=limit(4096)) as live:
            check(resource.prlimit(live.process.pid, resource.RLIMIT_NOFILE)[0] > 64 + 64, 'the limit is not raised')
        result = subprocess.run([LIVE, 'serve', program.pid], capture_output=True, encoding='utf-8', check=False,
                                preexec_fn=limit(64))
        check(re.match(r'ccprof-live: option -connections: 64 connections need \d+ descriptors, but the limit is 64 ',
                       result.stderr), result.stderr)


def sleeps():
    """A process that nobody asks does nothing, and no more than what is asked for."""
    with Program(settings=',start=no') as program:
        with Live(program.pid) as live:
            live.get('/')
            live.get('/debug/pprof/')
            check(os.listdir(f'/proc/{program.pid}/fd') == ['0', '1', '2'], 'it has answered')
            response, profile = live.get('/debug/pprof/profile?seconds=1')
            check(response.status == 200 and gzip.decompress(profile), 'no profile')


def folder():
    """The slices in a folder."""
    os.mkdir('slices')
    with Live('slices') as live:
        _, why = live.get('/report', 404)
        check(b'no slices' in why, why)
        program = subprocess.Popen(['./server'], env=dict(os.environ, CCPROF='output=slices/,slice=1'),
                                   stdout=subprocess.DEVNULL)
        until(lambda: len([name for name in os.listdir('slices') if name.endswith('.mlmon')]) > 2, 'no slices')
        program.kill()
        program.wait()
        with open('slices/other.mlmon', 'w', encoding='utf-8') as file:
            file.write('not a slice')
        os.utime('slices/other.mlmon', (1, 1))
        names = sorted(name for name in os.listdir('slices') if name.startswith('server.'))
        now = time.time()
        for i, name in enumerate(names):
            os.utime('slices/' + name, (now - 1000 * i,) * 2)
        for path in ('/report', '/report?from=3600', '/report?from=1500&compare=1', '/debug/pprof/profile?seconds=1500',
                     '/debug/pprof/profile'):
            live.get(path)
        live.get('/report?from=900&to=500', 404)
        _, why = live.get('/debug/pprof/heap', 404)
        check(b'heap' in why, why)


def later():
    """The first question about the heap switches it on, if the program was prepared for this."""
    with Program(settings=',heap=later') as program, Live(program.pid) as live:
        live.get('/report')
        live.get('/debug/pprof/profile?seconds=0')
        for path in 'heap', 'heap', 'heap?seconds=1':
            _, profile = live.get('/debug/pprof/' + path)
            check(b'inuse_space' in gzip.decompress(profile), path)
    with Program() as program, Live(program.pid) as live:
        _, why = live.get('/debug/pprof/heap', 404)
        check(b'the heap was not measured' in why, why)
        live.get('/debug/pprof/profile?seconds=0')


def limits():
    with Program() as program:
        with Live('-seconds', '5', '-memory', '16', program.pid) as live:
            live.get('/debug/pprof/profile?seconds=6', 400)
            if not os.environ.get('SAN'):
                _, why = live.get('/report', 404)
                check(b'memory' in why, why)
            live.get('/')
        for words, want in (
                ((), 'serve: which process, or which folder? -help lists the operands'),
                (('-x', program.pid), 'serve: unknown option, or one without its argument: -x'),
                (('-seconds', '0', program.pid), 'option -seconds takes a whole number from 1 to 65535, not: 0'),
                (('0.0.0.0:0', program.pid), '0.0.0.0:0: not a loopback address: '),
                (('127.0.0.1:99999', program.pid), '127.0.0.1:99999: not an address'),
                (('example.com:80', program.pid), 'example.com:80: not an address'),
                (('unix:no/such', program.pid), 'no/such: No such file'),
                (('-token-file', 'empty', program.pid), 'empty: its first line has fewer than 16 characters'),
                (('-token-file', 'comma', program.pid), 'comma: its first line has characters that a cookie cannot have: '),
                (('-token-file', 'blank', program.pid), 'blank: its first line has characters that a cookie cannot have: '),
                ((str(2 ** 32 + int(program.pid)),), f'{2 ** 32 + int(program.pid)}: no running process has this name'),
                (('4194304',), 'PID 4194304: there is no such process')):
            for name, text in ('empty', ''), ('comma', 'sixteen,characters\n'), ('blank', 'sixteen characters\n'):
                with open(name, 'w', encoding='utf-8') as file:
                    file.write(text)
            result = subprocess.run([LIVE, 'serve', *words], capture_output=True, encoding='utf-8', check=False,
                                    timeout=LIMIT)
            check(result.returncode == 1 and result.stderr.startswith('ccprof-live: ' + want), result.stderr)
        with Live('-allow-remote', '127.0.0.1:0', program.pid):
            pass


for case in sys.argv[1:]:
    globals()[case]()

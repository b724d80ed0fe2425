# SPDX-License-Identifier: GPL-3.0-or-later
"""A browser for the tests of the page: `with browser.window() as w:' is a window of Chromium without a screen, or of
the browser that $PAGE_BROWSER names (chromium, firefox: firefox.py).

Window has what a person does in any browser. It is made of the few calls that each browser has for itself: start,
evaluate, load, key, mouse, click_at, picture, complaints. Chromium is driven by its DevTools protocol over a pipe."""

import base64
import json
import os
import subprocess
import tempfile
import time

import inside

# For what a page makes in milliseconds on a quiet machine.
MOST_SECONDS = 240


class Window:
    def __init__(self, width=1280, height=800):
        self.width, self.height = width, height
        self.opened, self.page = 0, None  # pages that were loaded, the one that is shown

    def __enter__(self):
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.start()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.home.cleanup()

    def wait(self, expression):
        """Until it is true."""
        end = time.monotonic() + MOST_SECONDS
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise TimeoutError(expression)
            time.sleep(0.02)

    def wait_frame(self):
        """Until the browser has drawn what was asked for so far, and told of scrolling."""
        self.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))')

    # Pages.

    def open_itself(self, path, address=''):
        """Loads a page of mlprof, unchanged, and waits until it is there. With another query the browser reads it
        anew, which it does not for another ADDRESS behind #, and need not begin a process as behind about:blank."""
        self.opened, self.page = self.opened + 1, None
        query = '?%d' % self.opened
        self.load('file://' + os.path.abspath(path) + query + address)
        self.wait('location.search === %s && document.body && document.body.dataset.ready' % json.dumps(query))

    def open(self, path, address='', anew=False):
        """Shows ADDRESS of a page, in a copy that can be looked into (inside.py): `page.NAME' there. To load a page
        costs most: one that is there only gets another address, unless it is to be loaded ANEW."""
        if anew or self.page != path:
            self.open_itself(self.copy(path, inside.with_names), address)
            self.page = path
            return
        self.evaluate('''(function () {
            document.activeElement.blur();
            history.pushState(null, '', %s);
            page.state_read();
            page.show_again();
        })()''' % json.dumps(address or '#'))

    def copy(self, path, change):
        """A copy of a page as CHANGE makes it; the same file each time."""
        copy = os.path.join(self.home.name, '%s-%s' % (change.__name__, os.path.basename(path)))
        if not os.path.exists(copy) or os.path.getmtime(copy) <= os.path.getmtime(path):
            with open(path, encoding='utf-8', newline='') as page:
                text = change(page.read())
            with open(copy, 'w', encoding='utf-8', newline='') as out:
                out.write(text)
        return copy

    def follow(self, address):
        """Follows a link within the page."""
        self.evaluate('''new Promise(function (done) {
            if (location.hash === %s) return done(0);
            addEventListener('hashchange', () => done(0), {once: true});
            location.hash = %s;
        })''' % (json.dumps(address), json.dumps(address)))

    def go(self, **words):
        """Changes words of the address: go(view='flame', f=3)."""
        self.evaluate('page.go(%s)' % json.dumps(words))

    def state(self, name):
        return self.evaluate('page.state[%s]' % json.dumps(name))

    # What is there.

    def texts(self, selector):
        return self.each(selector, 'e.textContent')

    def cells(self, selector):
        """The texts of the cells of each row that matches."""
        return self.each(selector, 'Array.from(e.cells, c => c.textContent)')

    def count(self, selector):
        return self.evaluate('document.querySelectorAll(%s).length' % json.dumps(selector))

    def each(self, selector, expression):
        """An expression of each element e that matches."""
        return self.evaluate('Array.from(document.querySelectorAll(%s), e => %s)' % (json.dumps(selector), expression))

    def of_model(self, expression):
        """An expression, or a function's body, of the profile that is shown: `model', its `data' and their `texts'."""
        if 'return ' not in expression:
            expression = 'return %s;' % expression
        return self.evaluate('''(function () {
            const model = page.profile(), data = model.data, texts = data.texts;
            %s
        })()''' % expression)

    def number(self, name):
        """The number of a function, as addresses have it."""
        return str(self.of_model('data.functions.name.findIndex(n => texts[n] === %s)' % json.dumps(name)))

    def views(self, *names):
        """The page's views; of NAMES those that are among them."""
        there = self.evaluate('Object.keys(page.views)')
        return [view for view in there if view in names] if names else there

    def rectangle(self, selector):
        """Left, top and width of the first element that matches."""
        return self.evaluate('(r => [r.left, r.top, r.width])(document.querySelector(%s).getBoundingClientRect())'
                             % json.dumps(selector))

    def rows_of_csv(self, columns, rows):
        """What the page copies of a table: by two expressions for its columns and its rows."""
        return self.of_model('const columns = %s; return page.csv_text(columns, %s);' % (columns, rows))

    # What is done there.

    def catch_copies(self):
        """What is copied is not put into the clipboard, but is to be had by copied."""
        self.evaluate('''void Object.defineProperty(navigator, 'clipboard', {configurable: true, value: {
            writeText: text => Promise.resolve(window.copied = text)}})''')

    def copied(self):
        return self.evaluate('window.copied')

    def type(self, text):
        for letter in text:
            self.key(letter)

    def press(self, key, shift=False):
        """A key as the page gets it, with Shift perhaps."""
        event = json.dumps({'key': key, 'shiftKey': shift, 'bubbles': True})
        self.evaluate('document.body.dispatchEvent(new KeyboardEvent("keydown", %s))' % event)

    def where(self, selector):
        """The middle of the first element that matches."""
        return self.evaluate('''(function () {
            const element = document.querySelector(%s);
            if (!element) return null;
            element.scrollIntoView({block: 'nearest'});
            const box = element.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
        })()''' % json.dumps(selector))

    def click(self, selector):
        # On a busy machine it may be drawn later than what it belongs to.
        end = time.monotonic() + MOST_SECONDS
        while not self.where(selector):
            if time.monotonic() > end:
                raise LookupError(selector)
            time.sleep(0.02)
        # What scrolling changes is changed before the mouse goes down: rows are made anew.
        self.wait_frame()
        self.click_at(*self.where(selector))

    def drag(self, begin, stop, y):
        """Presses the mouse at BEGIN, and lets it go at STOP, a little lower."""
        self.mouse('mousePressed', begin, y)
        self.mouse('mouseMoved', stop, y + 5)
        self.mouse('mouseReleased', stop, y + 5)


class Chromium(Window):
    def start(self):
        ours_in, its_out = os.pipe()
        its_in, ours_out = os.pipe()

        # It reads from 3 and writes to 4.
        def in_place():
            os.dup2(its_in, 100)
            os.dup2(its_out, 101)
            os.dup2(100, 3)
            os.dup2(101, 4)

        self.process = subprocess.Popen(
            ['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe',
             '--user-data-dir=' + self.home.name, '--force-color-profile=srgb',
             '--window-size=%d,%d' % (self.width, self.height), 'about:blank'],
            preexec_fn=in_place, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(its_in)
        os.close(its_out)
        self.input, self.output = os.fdopen(ours_in, 'rb'), os.fdopen(ours_out, 'wb')
        self.sent, self.session, self.events, self.held = 0, None, [], b''
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in 'Page', 'Runtime', 'Log', 'Network':
            self.call(domain + '.enable')
        self.call('Emulation.setDeviceMetricsOverride', width=self.width, height=self.height,
                  deviceScaleFactor=1, mobile=False)

    def receive(self):
        while True:
            message, end, rest = self.held.partition(b'\0')
            if end:
                self.held = rest
                return json.loads(message)
            more = self.input.read1(1 << 20)
            if not more:
                raise EOFError('chromium has ended')
            self.held += more

    def call(self, method, **arguments):
        self.sent += 1
        message = {'id': self.sent, 'method': method, 'params': arguments}
        if self.session:
            message['sessionId'] = self.session
        self.output.write(json.dumps(message).encode() + b'\0')
        self.output.flush()
        while True:
            answer = self.receive()
            if answer.get('id') == self.sent:
                if 'error' in answer:
                    raise RuntimeError('%s: %s' % (method, answer['error']))
                return answer['result']
            self.events.append(answer)

    def evaluate(self, expression):
        """What an expression of JavaScript is; promises are waited for."""
        answer = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError('%s: %s' % (expression, answer['exceptionDetails']))
        return answer['result'].get('value')

    def load(self, url):
        self.call('Page.navigate', url=url)

    def key(self, key):
        text = {'text': key} if len(key) == 1 else {}
        self.call('Input.dispatchKeyEvent', type='keyDown', key=key, **text)
        self.call('Input.dispatchKeyEvent', type='keyUp', key=key)

    def mouse(self, kind, x, y):
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, button='left', clickCount=1)

    def click_at(self, x, y):
        self.mouse('mousePressed', x, y)
        self.mouse('mouseReleased', x, y)

    def picture(self, path):
        """What is to be seen, as .png or, much smaller, .webp."""
        kind = {'format': 'webp', 'quality': 60} if path.endswith('.webp') else {'format': 'png'}
        with open(path, 'wb') as out:
            out.write(base64.b64decode(self.call('Page.captureScreenshot', **kind)['data']))

    def complaints(self):
        """Errors, refusals by the policy, and what was to be fetched."""
        self.evaluate('1')
        found = []
        for event in self.events:
            method, about = event.get('method'), event.get('params', {})
            if method == 'Log.entryAdded':
                found.append(about['entry']['text'])
            elif method == 'Runtime.exceptionThrown':
                found.append(str(about['exceptionDetails']))
            elif method == 'Network.requestWillBeSent':
                url = about['request']['url']
                if not url.startswith(('file:', 'data:', 'about:', 'blob:')):
                    found.append('fetches ' + url)
        return found


def window(*arguments):
    """A window of the browser that is asked for: WIDTH and HEIGHT in pixels."""
    name = os.environ.get('PAGE_BROWSER') or 'chromium'
    if name == 'firefox':
        from firefox import Firefox
        return Firefox(*arguments)
    if name != 'chromium':
        raise ValueError('PAGE_BROWSER: no %r is known' % name)
    return Chromium(*arguments)

# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the page do in a browser's window, the same in each browser: opens a file,
presses keys, clicks things and asks what is there.  For chromium.py and firefox.py, which have
the few calls below it."""

import json
import os
import tempfile
import time

import inside

# For what a page makes in milliseconds where it is alone.
MOST_SECONDS = 240


class Window:
    """What a person does there, by the few calls that a browser has for it: evaluate, key, mouse,
    click_at, load, complaints, picture."""

    def __init__(self, width=1280, height=800):
        self.width, self.height = width, height
        self.opened = 0  # pages

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

    def open_itself(self, path, address=''):
        """Opens a page of mlprof and waits until it is there.  With another query the browser reads it anew, which it does not
        for another ADDRESS behind #, and need not begin a process as it does behind about:blank."""
        self.opened += 1
        query = '?%d' % self.opened
        self.load('file://' + os.path.abspath(path) + query + address)
        self.wait('location.search === %s && document.body && document.body.dataset.ready' % json.dumps(query))

    def open(self, path, address=''):
        """The same with a copy that can be looked into (inside.py): `page.NAME' there."""
        self.open_itself(self.copy(path, inside.with_names), address)

    def copy(self, path, change):
        """A copy of a page as CHANGE makes it; the same file each time."""
        copy = os.path.join(self.home.name, '%s-%s' % (change.__name__, os.path.basename(path)))
        if not os.path.exists(copy) or os.path.getmtime(copy) <= os.path.getmtime(path):
            with open(path, encoding='utf-8', newline='') as page:
                text = change(page.read())
            with open(copy, 'w', encoding='utf-8', newline='') as out:
                out.write(text)
        return copy

    def go(self, address):
        """Follows a link within the page."""
        self.evaluate('''new Promise(function (done) {
            if (location.hash === %s) return done(0);
            addEventListener('hashchange', () => done(0), {once: true});
            location.hash = %s;
        })''' % (json.dumps(address), json.dumps(address)))

    def catch_copies(self):
        """What is copied is not put into the clipboard, but is to be had by copied."""
        self.evaluate('''void Object.defineProperty(navigator, 'clipboard', {configurable: true, value: {
            writeText: text => Promise.resolve(window.copied = text)}})''')

    def copied(self):
        return self.evaluate('window.copied')

    def type(self, text):
        for letter in text:
            self.key(letter)

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

    def texts(self, selector):
        return self.evaluate('Array.from(document.querySelectorAll(%s), e => e.textContent)'
                             % json.dumps(selector))

    def drag(self, begin, stop, y):
        """Presses the mouse at BEGIN, and lets it go at STOP, a little lower."""
        self.mouse('mousePressed', begin, y)
        self.mouse('mouseMoved', stop, y + 5)
        self.mouse('mouseReleased', stop, y + 5)

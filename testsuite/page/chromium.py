# SPDX-License-Identifier: GPL-3.0-or-later
"""Chromium without a window, for browser.py (Chrome DevTools Protocol over a pipe)."""

import base64
import json
import os
import subprocess

from browserwindow import Window


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
        self.number, self.session, self.events, self.held = 0, None, [], b''
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
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': arguments}
        if self.session:
            message['sessionId'] = self.session
        self.output.write(json.dumps(message).encode() + b'\0')
        self.output.flush()
        while True:
            answer = self.receive()
            if answer.get('id') == self.number:
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

    def key(self, key, text=None):
        kind = {'key': key}
        if text or len(key) == 1:
            kind['text'] = text or key
        self.call('Input.dispatchKeyEvent', type='keyDown', **kind)
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

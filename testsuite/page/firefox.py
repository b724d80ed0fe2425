# SPDX-License-Identifier: GPL-3.0-or-later
"""Firefox without a window, for browser.py (its Marionette protocol over a socket)."""

import base64
import json
import os
import socket
import subprocess
import time

from browser import Window

# Of Firefox's keys those that the tests press (WebDriver, "Keyboard actions").
KEYS = {'Escape': '\ue00c', 'Enter': '\ue007', 'Tab': '\ue004', 'Backspace': '\ue003', 'ArrowLeft': '\ue012',
        'ArrowUp': '\ue013', 'ArrowRight': '\ue014', 'ArrowDown': '\ue015', 'Home': '\ue011', 'End': '\ue010'}

# What it wants of itself is not the page's: no start page, no questions, nothing from outside.
PREFERENCES = {'marionette.port': 0, 'browser.startup.page': 0, 'browser.shell.checkDefaultBrowser': False,
               'datareporting.policy.dataSubmissionEnabled': False, 'network.captive-portal-service.enabled': False,
               'network.connectivity-service.enabled': False, 'app.update.enabled': False,
               'toolkit.telemetry.enabled': False, 'layout.css.devPixelsPerPx': '1.0'}

# Each message of the console, and each address that the page wants.
WATCH = '''
    globalThis.fetched = [];
    Services.obs.addObserver(channel => {
        channel = channel.QueryInterface(Ci.nsIChannel);
        const from = channel.loadInfo?.triggeringPrincipal;
        if (from && !from.isSystemPrincipal) globalThis.fetched.push(channel.URI.spec);
    }, 'http-on-modify-request');
    Services.console.reset();'''
TELL = '''
    const ours = m => /^(file|data|blob):/.test(m.sourceName || '') ||
        /Content-Security-Policy/.test(m.errorMessage || '');
    return globalThis.fetched.map(url => 'fetches ' + url).concat(Services.console.getMessageArray()
        .filter(m => m instanceof Ci.nsIScriptError && ours(m)).map(m => m.errorMessage));'''


class Firefox(Window):
    def start(self):
        with open(self.home.name + '/user.js', 'w', encoding='utf-8') as out:
            for name, value in PREFERENCES.items():
                out.write('user_pref(%s, %s);\n' % (json.dumps(name), json.dumps(value)))
        self.process = subprocess.Popen(
            ['firefox-esr', '--headless', '--marionette', '--remote-allow-system-access', '--no-remote',
             '--profile', self.home.name, 'about:blank'],
            env=dict(os.environ, HOME=self.home.name), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = socket.create_connection(('127.0.0.1', self.port())).makefile('rwb')
        self.receive()
        self.sent = 0
        self.call('WebDriver:NewSession')
        for _ in range(2):
            inner = self.evaluate('[window.outerWidth - window.innerWidth, window.outerHeight - window.innerHeight]')
            self.call('WebDriver:SetWindowRect', width=self.width + inner[0], height=self.height + inner[1])
        self.as_browser(WATCH)

    def __exit__(self, *what):
        self.socket.close()
        super().__exit__(*what)

    def port(self, seconds=240):
        """The number that it has chosen for itself."""
        path = self.home.name + '/MarionetteActivePort'
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            if os.path.exists(path) and os.path.getsize(path):
                with open(path, encoding='ascii') as port:
                    return int(port.read())
            time.sleep(0.05)
        raise TimeoutError('firefox-esr does not start')

    def receive(self):
        size = b''
        while not size.endswith(b':'):
            more = self.socket.read(1)
            if not more:
                raise EOFError('firefox has ended')
            size += more
        return json.loads(self.socket.read(int(size[:-1])))

    def call(self, method, **arguments):
        self.sent += 1
        message = json.dumps([0, self.sent, method, arguments]).encode()
        self.socket.write(b'%d:%s' % (len(message), message))
        self.socket.flush()
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError('%s: %s' % (method, error['message']))
        return result

    def as_browser(self, script):
        """What a script is that may do all that Firefox itself may."""
        self.call('Marionette:SetContext', value='chrome')
        result = self.call('WebDriver:ExecuteScript', script=script, args=[], sandbox='watch', newSandbox=False)
        self.call('Marionette:SetContext', value='content')
        return result['value']

    def evaluate(self, expression):
        """What an expression of JavaScript is; promises are waited for."""
        # Values as JSON: functions and elements of the page are nothing to be sent.
        script = 'return Promise.resolve((%s)).then(value => JSON.stringify(value));' % expression.strip().rstrip(';')
        text = self.call('WebDriver:ExecuteScript', script=script, args=[])['value']
        return None if text is None else json.loads(text)

    def load(self, url):
        self.call('WebDriver:Navigate', url=url)

    def act(self, kind, actions, **parameters):
        self.call('WebDriver:PerformActions',
                  actions=[{'type': kind, 'id': kind, 'actions': actions, 'parameters': parameters}])

    def key(self, key):
        value = KEYS.get(key, key)
        self.act('key', [{'type': 'keyDown', 'value': value}, {'type': 'keyUp', 'value': value}])

    def mouse(self, kind, x, y):
        move = {'type': 'pointerMove', 'x': round(x), 'y': round(y), 'duration': 0}
        then = {'mousePressed': [{'type': 'pointerDown', 'button': 0}], 'mouseMoved': [],
                'mouseReleased': [{'type': 'pointerUp', 'button': 0}]}
        self.act('pointer', [move] + then[kind], pointerType='mouse')

    def click_at(self, x, y):
        self.act('pointer', [{'type': 'pointerMove', 'x': round(x), 'y': round(y), 'duration': 0},
                             {'type': 'pointerDown', 'button': 0}, {'type': 'pointerUp', 'button': 0}],
                 pointerType='mouse')

    def picture(self, path):
        with open(path, 'wb') as out:
            out.write(base64.b64decode(self.call('WebDriver:TakeScreenshot', full=False)['value']))

    def complaints(self):
        """Errors, refusals by the policy, and what was to be fetched."""
        return self.as_browser(TELL)

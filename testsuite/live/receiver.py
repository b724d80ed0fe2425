# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that receives profiles as Pyroscope (/ingest) and as OTLP, and checks each request.

receiver.py FOLDER [CERTIFICATE KEY]: FOLDER/port is its port. Each request gets the answer in the first line of
FOLDER/answers, which is then removed unless it is the last one:

    200             accept it
    STATUS [AFTER]  refuse it, with Retry-After
    cut             close the connection in the middle of the request
    interim         send only an interim status, and close the connection
    slow            answer after FOLDER/go exists
    partial NUMBER  accept it, but say that so many parts were refused (OTLP)
    long            accept it with an endless response
    moved           send it to another place

FOLDER/log has a line for each request: N ANSWER WHAT. FOLDER/sums has the values of the profiles that were accepted,
lines TYPE VALUE FUNCTION, where the function is the innermost one; of the type `start' is their start. FOLDER/wrong says what is wrong with requests.
"""

import email.parser
import email.policy
import http.server
import itertools
import json
import os
import re
import ssl
import sys
import time
import traceback
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "formats"))
import otlp
import pprof

LABEL = re.compile(r"[A-Za-z0-9_.]+")


def label_set(name):
    """The service and the labels in a name, as pyroscope/api/model/labelset reads them."""
    match = re.fullmatch(r"([A-Za-z0-9_./-]+)\{(?:([^{}]*))\}", name)
    assert match, f"the name {name}"
    labels = [label.split("=", 1) for label in match[2].split(",")] if match[2] else []
    assert all(LABEL.fullmatch(key) and value for key, value in labels), f"the labels {match[2]}"
    assert len({key for key, _ in labels}) == len(labels), f"a label is there twice: {match[2]}"
    return match[1], labels


def form_of(kind, body):
    """The fields of a form: {name: content}."""
    text = b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(text)
    return {part.get_param("name", header="content-disposition"): part.get_payload(decode=True) for part in message.iter_parts()}


def read_pyroscope(query, headers, body, path):
    """Does what Pyroscope's handler of /ingest does, and checks what it does not."""
    values = urllib.parse.parse_qs(query, strict_parsing=True)
    assert all(len(value) == 1 for value in values.values()), query
    start, end = int(values["from"][0]), int(values["until"][0])
    # With format=pprof the body is the profile itself.
    assert "format" not in values and headers["Content-Type"].startswith("multipart/form-data"), "no form"
    form = form_of(headers["Content-Type"], body)
    assert {*form} == {"profile", "sample_type_config"}, {*form}
    with open(path, "wb") as file:
        file.write(form["profile"])
    profile = pprof.Profile(path)
    types = json.loads(form["sample_type_config"])
    for name, unit in profile.types:
        assert types[name]["units"] in ("samples", "objects", "bytes"), name
        assert (types[name]["units"] == "bytes") == (unit == "bytes"), name
        assert types[name]["aggregation"] in ("sum", "average"), name
        assert types[name]["display-name"] and types[name]["sampled"] in (True, False), name
    assert start * 10**9 <= profile.time <= end * 10**9, f"the time {profile.time} of the profile from {start} until {end}"
    service, labels = label_set(values["name"][0])
    stacks = {kind: profile.stacks(kind) for kind, _ in profile.types}
    stacks["start"] = [("-", profile.time)]
    return stacks, [service, *(f"{key}={value}" for key, value in labels)]


def read_otlp(headers, body, path):
    assert headers["Content-Type"] == "application/x-protobuf" and headers["Content-Encoding"] == "gzip", headers
    with open(path, "wb") as file:
        file.write(body)
    request = otlp.Request(path)
    request.check()
    (start,) = {profile["time_unix_nano"] for profile in request.profiles}
    assert 1.6 * 10**18 < start < time.time() * 1e9, f"the start {start}"
    (resource,) = [group["resource"]["attributes"] for group in request.groups]
    stacks = {kind: request.stacks(kind) for kind in {request.type(profile)[0] for profile in request.profiles}}
    stacks["start"] = [("-", start)]
    return stacks, [f"{one['key']}={request.value(one['value'])}" for one in resource if not one["key"].startswith("process.")]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    numbers = itertools.count(1)
    folder = ""

    def log_message(self, *_):
        pass

    def note(self, name, text):
        with open(os.path.join(self.folder, name), "a", encoding="utf-8") as file:
            file.write(text + "\n")

    def answer(self, status, headers=(), body=b""):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        number = next(self.numbers)
        with open(os.path.join(self.folder, "answers"), "r+", encoding="utf-8") as file:
            answers = file.read().splitlines()
            file.seek(0)
            file.write("\n".join(answers[1:] or answers))
            file.truncate()
        action, *more = answers[0].split()
        if action == "cut":
            self.rfile.read(10)
            self.note("log", f"{number} cut")
            self.connection.shutdown(2)
            self.close_connection = True
            return
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if action == "interim":
            self.note("log", f"{number} interim")
            self.wfile.write(b"HTTP/1.1 103 Early Hints\r\n\r\n")
            self.connection.shutdown(2)
            self.close_connection = True
            return
        url = urllib.parse.urlsplit(self.path)
        path = os.path.join(self.folder, f"{number}.{'pprof' if url.path == '/ingest' else 'otlp'}.gz")
        try:
            if url.path == "/ingest":
                stacks, what = read_pyroscope(url.query, self.headers, body, path)
            else:
                assert url.path == "/v1development/profiles" and not url.query, self.path
                stacks, what = read_otlp(self.headers, body, path)
        except BaseException:
            self.note("wrong", traceback.format_exc())
            self.answer(400)
            return
        for name in ("Authorization", "X-Scope-OrgID"):
            if self.headers[name]:
                what.append(f"{name}: {self.headers[name]}")
        self.note("log", " ".join([str(number), action, *what]))
        while action == "slow" and not os.path.exists(os.path.join(self.folder, "go")):
            time.sleep(0.01)
        if action in ("200", "slow", "long", "partial"):
            for kind, values in stacks.items():
                for stack, value in values:
                    self.note("sums", f"{kind} {value} {stack[-1]}")
        if action.isdigit() and action != "200":
            self.answer(int(action), [("Retry-After", more[0])] if more else [], b"no \x1b[31mroom\nfor it")
        elif action == "moved":
            self.answer(307, [("Location", "/elsewhere")])
        elif action == "partial":
            text = b"one is \x1btoo old"
            inner = bytes([8, int(more[0]), 18, len(text)]) + text
            self.answer(200, [("Content-Type", "application/x-protobuf")], b"\x0a" + bytes([len(inner)]) + inner)
        elif action == "long":
            self.answer(200, [], b"x" * 10**7)
        else:
            self.answer(200)


def serve(folder, *tls):
    Handler.folder = folder
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    with open(os.path.join(folder, "port.new"), "w", encoding="utf-8") as file:
        file.write(str(server.server_address[1]))
    os.rename(os.path.join(folder, "port.new"), os.path.join(folder, "port"))
    server.serve_forever()


if __name__ == "__main__":
    serve(*sys.argv[1:])

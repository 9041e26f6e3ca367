#!/usr/bin/env python3
"""A judge of one's own as a server: is posted a question as JSON and answers it.

    [[judges]]
    name = "served"
    endpoint = "http://127.0.0.1:8765/judge"

Start it with `python3 own_judge_server.py 8765`. It asks the function `judge` of own_judge.py. If the variable JUDGE_KEY
is set, requests need it: `key = "JUDGE_KEY"` in llull.toml sends it as a bearer token.
"""

import hmac
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from own_judge import judge


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        question = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        key = os.environ.get("JUDGE_KEY")
        if key and not hmac.compare_digest(self.headers.get("Authorization", ""), f"Bearer {key}"):
            return self.answer(401, {"error": "no such key"})
        try:
            question = json.loads(question)
            self.answer(200, {"id": question["id"], **judge(question)})
        except (ValueError, KeyError, TypeError) as error:
            self.answer(400, {"error": repr(error)})

    def answer(self, status, answer):
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8765), Handler)
    print(f"http://127.0.0.1:{server.server_port}/judge", flush=True)
    server.serve_forever()

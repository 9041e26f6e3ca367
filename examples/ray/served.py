"""Asks a server of OpenAI's protocol, such as vLLM's: LLULL_SERVER is its address, http://localhost:8000/v1."""

import json
import os
import urllib.request
from concurrent.futures import ThreadPoolExecutor

CONCURRENCY = 16


class Model:
    def __init__(self):
        self.url = os.environ["LLULL_SERVER"].rstrip("/") + "/chat/completions"
        self.threads = ThreadPoolExecutor(CONCURRENCY)

    def __call__(self, bodies):
        return list(self.threads.map(self.reply, bodies))

    def reply(self, body):
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get("LLULL_SERVER_KEY"):
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(self.url, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=600) as reply:
                return json.load(reply)
        except (OSError, ValueError) as failure:
            return failure

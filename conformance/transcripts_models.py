"""A server that simulates models. Its answers depend only on the request."""

import hashlib
import json
import re
from http.server import BaseHTTPRequestHandler


def fraction(*parts):
    """Returns a number from 0 to 1 that depends only on the parts."""
    digest = hashlib.blake2b("\0".join(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64


class Model(BaseHTTPRequestHandler):
    """Chat completions. The path sets the behaviour: /good, /plain (without json_schema), /denied."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        behaviour = self.path.split("/")[1]
        if behaviour == "denied":
            return self.answer(401, {"error": {"message": "invalid key", "code": "invalid_api_key"}})
        if behaviour == "plain" and "response_format" in body:
            message = "response_format of type json_schema is not supported by this server"
            return self.answer(400, {"error": {"message": message}})
        text, logprobs = self.reply(body)
        prompt = sum(len(message["content"]) for message in body["messages"])
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        if logprobs and body.get("logprobs"):
            choice["logprobs"] = {"content": logprobs}
        usage = {"prompt_tokens": prompt // 4, "completion_tokens": len(text) // 4}
        self.answer(200, {"id": "1", "model": body["model"], "choices": [choice], "usage": usage})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def reply(self, body):
        """Returns the text of the reply, and log-probabilities of its tokens for a choice of two."""
        asked = body["messages"][-1]["content"]
        shown = re.findall(r"<document(?:-(\w+))?-\d+>\n(.*?)\n</document", asked, re.S)
        query = re.search(r"<query-\d+>\n(.*?)\n</query", asked, re.S)
        query = query.group(1) if query else ""
        worth = {label: fraction(query, text) + 0.3 * fraction(body["model"], text) for label, text in shown}
        if fraction(body["model"], asked) < 0.04:
            return "I would rather not say.", None
        if '"choice"' in asked:
            left, right = worth["LHS"], worth["RHS"]
            choice = "Neither" if abs(left - right) < 0.1 else "LHS" if left > right else "RHS"
            tokens = [('{"rationale": "as it is", "choice": "', 0.0), (choice, -0.2), ('"}', 0.0)]
            content = [{"token": token, "logprob": p, "top_logprobs": []} for token, p in tokens]
            other = "RHS" if choice == "LHS" else "LHS"
            content[1]["top_logprobs"] = [{"token": choice, "logprob": -0.2}, {"token": other, "logprob": -1.8}]
            return "".join(token for token, _ in tokens), content
        order = sorted(worth, key=lambda label: (-round(worth[label] * 20), label))
        if '"ranking"' in asked:
            places = {}
            for label in order:
                places.setdefault(round(worth[label] * 20), []).append(label)
            return json.dumps({"rationale": "as it is", "ranking": list(places.values())}), None
        if '"best"' in asked:
            return json.dumps({"best": order[0]}), None
        grade = min(3, int(sum(worth.values()) * 3))
        if '"grade"' not in asked:
            return "ok", None
        facets = {"facets_covered": ["one"], "facets_missing": [], "rationale": "as it is"}
        facets = facets if "facets_covered" in asked else {}
        return json.dumps({**facets, "grade": grade}), None

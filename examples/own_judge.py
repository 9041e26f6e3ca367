#!/usr/bin/env python3
"""A judge of one's own as a program: reads questions as JSON lines and prints an answer to each.

    [[judges]]
    name = "numbers"
    command = ["python3", "own_judge.py"]

It says that a passage holds an expected answer if it has all of its numbers, or all of its words if it has none.
Without an expected answer it grades by the share of the query's words. Replace `judge` by your own.
Nothing but answers may be printed; what is printed to sys.stderr is shown if the program ends with an error.
"""

import json
import re
import sys


def words(text):
    return set(re.findall(r"\w+", text.lower()))


def judge(question):
    passage = words(question["title"] + " " + question["text"])
    rubric = question["rubric"]
    if "expected" in question:
        wanted = set(re.findall(r"\d+", question["expected"])) or words(question["expected"])
        missing = sorted(wanted - passage)
        if rubric["high"] - rubric["low"] == 1:
            return {"match": not missing, "rationale": f"without {', '.join(missing)}" if missing else "all is there"}
    else:
        wanted = words(question["query"])
    if not wanted:
        return {"error": "nothing is asked for"}
    share = len(wanted & passage) / len(wanted)
    grade = rubric["low"] + round(share * (rubric["high"] - rubric["low"]))
    return {"grade": grade, "rationale": f"{len(wanted & passage)} of {len(wanted)} words"}


if __name__ == "__main__":
    # A line is UTF-8, whatever the terminal's encoding is.
    for line in sys.stdin.buffer:
        question = json.loads(line)
        answer = {"id": question["id"], **judge(question)}
        # Flushed at once: llull waits for it.
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()

#!/usr/bin/env python3
"""Judges a wave of requests on a Ray cluster, a block at a time.

    llull batch export wave.jsonl
    python judge.py wave.jsonl results.jsonl --model served.py
    llull batch import results.jsonl

The lines of the wave hold the prompts as llull renders them, and `llull batch import` reads the replies as strictly as
`llull run`, so the machines of the cluster need no llull. The program of `--model` defines `Model`: an object of it
takes the bodies of a block's requests and returns a body, or an exception, for each.

A block's results are on the disk before the next block counts. After a kill, the same command judges what is left.
"""

import argparse
import json
import os
from pathlib import Path

import ray
import ray.data


class Judge:
    """Asks the model; one for each worker."""

    def __init__(self, model, done):
        program = {"__name__": "model"}
        exec(compile(model, "the file of --model", "exec"), program)
        self.model, self.done = program["Model"](), ray.get(done)

    def __call__(self, block):
        requests = [json.loads(line) for line in block["text"]]
        requests = [request for request in requests if request["custom_id"] not in self.done]
        bodies = self.model([request["body"] for request in requests])
        return {"text": [result(request, body) for request, body in zip(requests, bodies, strict=True)]}


def result(request, body):
    """Returns a line of results; a failed request is exported again by llull."""
    line = {"custom_id": request["custom_id"]}
    if isinstance(body, Exception):
        return json.dumps(line | {"error": {"message": repr(body)}})
    return json.dumps(line | {"response": {"status_code": 200, "body": body}})


def answered(results):
    """Returns the identifiers of the results in the file, after cutting off the line in which it was killed."""
    done, end = set(), 0
    if results.exists():
        with results.open("rb+") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                found = json.loads(line)
                end += len(line)
                if "response" in found:
                    done.add(found["custom_id"])
            lines.truncate(end)
    return done


def judge(wave, results, model, block, workers):
    """Appends to `results` a line for each request of `wave` without one; returns their number."""
    done = ray.put(answered(results))
    requests = ray.data.read_text(str(wave.resolve())).repartition(target_num_rows_per_block=block)
    judged = requests.map_batches(
        Judge,
        fn_constructor_args=(model.read_text(), done),
        batch_size=block,
        batch_format="numpy",
        # Workers that held every CPU would leave none for reading their input.
        num_cpus=0.5,
        compute=ray.data.ActorPoolStrategy(size=workers),
    )
    written = 0
    with results.open("ab") as out:
        for rows in judged.iter_batches(batch_size=None, batch_format="numpy"):
            out.write("".join(f"{line}\n" for line in rows["text"]).encode())
            out.flush()
            os.fsync(out.fileno())
            written += len(rows["text"])
    return written


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("wave", type=Path)
    arguments.add_argument("results", type=Path)
    arguments.add_argument("--model", type=Path, required=True, help="a Python file that defines Model")
    arguments.add_argument("--block", type=int, default=100, help="requests that a worker gets at a time")
    arguments.add_argument("--workers", type=int, default=2)
    options = arguments.parse_args()
    print(judge(options.wave, options.results, options.model, options.block, options.workers), "judged")


if __name__ == "__main__":
    main()

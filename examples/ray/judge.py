#!/usr/bin/env python3
"""Judges a wave of requests on a Ray cluster, a block at a time.

    llull batch export wave.jsonl                                      # or wave.parquet
    python judge.py wave.jsonl results.jsonl --model served.py
    python judge.py wave.jsonl results.jsonl --vllm Qwen/Qwen3-32B     # the model on the cluster's GPUs
    llull batch import results.jsonl

The requests of the wave hold the prompts as llull renders them, and `llull batch import` reads the replies as strictly
as `llull run`, so the machines of the cluster need no llull. The program of `--model` defines `Model`: an object of it
takes the bodies of a block's requests and returns a body, or an exception, for each.

A block's results are on the disk before the next block counts. After a kill, the same command judges what is left.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import ray
import ray.data


class Judge:
    """Asks the model; one for each worker."""

    def __init__(self, model):
        program = {"__name__": "model"}
        exec(compile(model, "the file of --model", "exec"), program)
        self.model = program["Model"]()

    def __call__(self, block):
        bodies = self.model([json.loads(body) for body in block["body"]])
        return {"line": [result(name, body) for name, body in zip(block["custom_id"], bodies, strict=True)]}


def result(name, body):
    """Returns a line of results; a failed request is exported again by llull."""
    line = {"custom_id": str(name)}
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


def row_of_line(line):
    request = json.loads(line["text"])
    return {"custom_id": request["custom_id"], "body": json.dumps(request["body"])}


def without_result(block, done):
    done = ray.get(done)
    left = [row for row, name in enumerate(block["custom_id"]) if name not in done]
    return {name: column[left] for name, column in block.items()}


def requests_of(wave, done, block):
    """Returns the identifiers and bodies of a wave's requests without a result, in blocks."""
    path = str(wave.resolve())
    if wave.suffix == ".parquet":
        requests = ray.data.read_parquet(path, columns=["custom_id", "body"])
    else:
        requests = ray.data.read_text(path).map(row_of_line)
    left = requests.map_batches(without_result, batch_size=None, batch_format="numpy", fn_args=(ray.put(done),))
    # Else a file of this size is one block, which a worker judges whole before any result is written.
    return left.repartition(target_num_rows_per_block=block)


def by_program(requests, model, block, workers):
    return requests.map_batches(
        Judge,
        fn_constructor_args=(model.read_text(),),
        batch_size=block,
        batch_format="numpy",
        # Workers that held every CPU would leave none for reading their input.
        num_cpus=0.5,
        compute=ray.data.ActorPoolStrategy(size=workers),
    )


def by_vllm(requests, model, block, workers):
    """Each worker has an engine of its own on a GPU; needs `ray[llm]`."""
    from ray.data.llm import build_processor, vLLMEngineProcessorConfig

    config = vLLMEngineProcessorConfig(
        model_source=model, batch_size=block, concurrency=(workers, workers), should_continue_on_error=True
    )
    return build_processor(config, preprocess=for_engine)(requests).map(of_engine, fn_kwargs={"model": model})


# Log-probabilities are not returned, which changes no answer.
LOGPROBS = {"logprobs", "top_logprobs"}
TAKEN = {"model", "messages", "max_tokens", "temperature", "top_p", "seed", "response_format"} | LOGPROBS


def for_engine(row):
    """Returns what vLLM's engine takes of a body. Schemas stay texts: Ray would merge their fields into one type."""
    body = json.loads(row["body"])
    # A field that is left out would make it the answer of another judge.
    unknown = sorted(set(body) - TAKEN)
    if body.get("response_format", {}).get("type", "json_schema") != "json_schema":
        unknown.append("response_format")
    if unknown:
        raise ValueError(f"--vllm does not pass on {', '.join(unknown)}: ask `vllm serve` by --model served.py")
    sampling = {name: body[name] for name in ("temperature", "top_p", "seed") if name in body}
    sampling["max_tokens"] = body["max_tokens"]
    if "response_format" in body:
        sampling["structured_outputs"] = {"json": json.dumps(body["response_format"]["json_schema"]["schema"])}
    return {"messages": body["messages"], "sampling_params": sampling}


def of_engine(row, model):
    """Returns a line of results, with the model that the request names; `model` is the one that answered.

    The engine does not say why it stopped: a reply as long as allowed counts as cut.
    """
    body = json.loads(row["body"])
    named = body["model"]
    if row.get("__inference_error__"):
        return {"line": result(row["custom_id"], RuntimeError(row["__inference_error__"])), "named": named}
    tokens = int(row["num_generated_tokens"])
    message = {"role": "assistant", "content": row["generated_text"]}
    choice = {"index": 0, "message": message, "finish_reason": "length" if tokens >= body["max_tokens"] else "stop"}
    usage = {"prompt_tokens": int(row["num_input_tokens"]), "completion_tokens": tokens}
    return {"line": result(row["custom_id"], {"model": model, "choices": [choice], "usage": usage}), "named": named}


def judge(options):
    """Appends a line to the results for each request of the wave without one; returns their number."""
    requests = requests_of(options.wave, answered(options.results), options.block)
    by = by_vllm if options.vllm else by_program
    judged = by(requests, options.vllm or options.model, options.block, options.workers)
    written, named = 0, set()
    with options.results.open("ab") as out:
        for block in judged.iter_batches(batch_size=None, batch_format="numpy"):
            out.write("".join(f"{line}\n" for line in block["line"]).encode())
            out.flush()
            os.fsync(out.fileno())
            written += len(block["line"])
            for model in sorted(set(block.get("named", ())) - named - {options.vllm}):
                print(f"{options.vllm} answers requests to {model}, whose labels these will be", file=sys.stderr)
            named.update(block.get("named", ()))
    return written


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("wave", type=Path, help="JSON lines or Parquet")
    arguments.add_argument("results", type=Path)
    model = arguments.add_mutually_exclusive_group(required=True)
    model.add_argument("--model", type=Path, help="a Python file that defines Model")
    model.add_argument("--vllm", metavar="MODEL", help="a model that each worker loads into vLLM, on a GPU")
    arguments.add_argument("--block", type=int, default=100, help="requests that a worker gets at a time")
    arguments.add_argument("--workers", type=int, default=2)
    print(judge(arguments.parse_args()), "judged")


if __name__ == "__main__":
    main()

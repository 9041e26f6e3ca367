"""The commands that transcripts.py records: one function per scenario, each run in its own folder.

A scenario gets a recorder `s`: `s("measure --json")` runs a command, and `s.write` and `s.edit` change files before
it.
"""

import os
from pathlib import Path

from transcripts_models import fraction

DATA = Path(os.environ.get("LLULL_DATA") or Path(__file__).parents[1] / "../shared/data").resolve()
SCENARIOS = {}


def scenario(function):
    SCENARIOS[function.__name__] = function
    return function


SIMILARITY = '[[judges]]\nname = "similarity"\nmodel = "similarity"\n'
RUNS = ["p_bert", "idst_bert_p1", "bm25base_p", "UNH_bm25"]
PLAIN = " ".join(f"dl19/runs/{name}.run.gz" for name in RUNS)


def replay(name, labels, more="", table="judges"):
    return f'[[{table}]]\nname = "{name}"\nmodel = "replay"\nlabels = "{labels}"\n{more}\n'


def served(name, url, more="", table="judges"):
    """A judge that is asked one question at a time, so that its answers are recorded in a fixed order."""
    head = f'[[{table}]]\nname = "{name}"\nmodel = "vllm/{name}"\nbase_url = "{url}"\nconcurrency = 1\n'
    return f"{head}{more}\n"


def dl19(judges, head="", depth=5, runs=RUNS):
    """A study of TREC DL 2019. The corpus has only the judged passages."""
    systems = "".join(f'[[systems]]\nname = "{name}"\nrun = "dl19/runs/{name}.run.gz"\n\n' for name in runs)
    return (
        'version = 1\nname = "dl19"\ntopics = "dl19/topics.tsv"\ncorpus = "dl19/passages.jsonl.gz"\n'
        f"{head}\n[pool]\ndepth = {depth}\n\n[compare]\nresamples = 500\n\n{systems}{judges}"
    )


def noveleval(s, judges, head="", depth=5):
    """A study of NovelEval: two built-in retrievers and the order of the file."""
    run = [line.split() for line in read("noveleval/qrels.txt").splitlines()]
    lines = [f"{q} Q0 {d} {int(d.split('-')[1]) + 1} {20 - int(d.split('-')[1])} given\n" for q, _, d, _ in run]
    s.write("given.run", "".join(lines))
    s.write(
        "llull.toml",
        'version = 1\nname = "noveleval"\ntopics = "noveleval/queries.tsv"\ncorpus = "noveleval/corpus.tsv.gz"\n'
        f"{head}\n[pool]\ndepth = {depth}\n\n[compare]\nresamples = 500\n\n"
        '[[systems]]\nname = "given"\nrun = "given.run"\n\n[[systems]]\nname = "bm25"\nretriever = "bm25"\n\n'
        f'[[systems]]\nname = "ngrams"\nretriever = "ngram"\n\n{judges}',
    )


def read(name):
    """Returns the text of a data file."""
    return (DATA / name).read_text()


@scenario
def help_texts(s):
    for command in [
        "", "help", "--version", "-h", "--help", "help rank", "nonsense", "run --nonsense",
        *(f"{command} --help" for command in COMMANDS),
        *(f"{command} -h" for command in ["measure", "compare", "rank", "report"]),
        *(f"ledger {command} --help" for command in ["status", "export", "import"]),
        *(f"completions {shell}" for shell in ["bash", "zsh", "fish"]), "completions tcsh",
        "report --format schema",
    ]:  # fmt: skip
        s(command)


COMMANDS = (
    "demo init doctor run retrieve pool prompt plan judge label rank measure compare agree report ledger completions"
).split()


@scenario
def demo(s):
    s("demo")
    s("demo")
    for command in [
        "measure", "measure --json", "measure -q --format csv", "measure --format trec",
        "measure -m AP -m P@5 -q --format trec", "measure -m AP --format jsonl", "report", "report --json",
        "report --format markdown", "label", "label --json", "label -o -", "pool --retrieve",
        "pool --retrieve --show 1 --json", "pool", "pool --topic q01", "pool --json", "pool --pairs",
        "pool --depth 3 --topic q02", "compare bm25 ngrams", "compare bm25 ngrams bm25-titles --json",
        "compare bm25 bm25-titles --gate 'nDCG@10 >= -0.1'", "compare bm25 nobody",
        "agree llull-demo/authors.qrels", "agree llull-demo/authors.qrels --json",
        "agree llull-demo/authors.qrels --power", "doctor", "doctor --json", "doctor --offline",
        "ledger status", "ledger status --json", "ledger export ledger.jsonl.gz", "rank", "run --no-report",
        "run --dry-run", "prompt", "prompt --judge openai/m",
        "prompt --judge openai/m --topic q03 --document p001 --json",
        "prompt --judge openai/m --prompt umbrela", "prompt --judge openai/m --paradigm listwise",
        "prompt --judge openai/m --paradigm pairwise --prompt pairwise-direct",
        "run --judge openai/m --dry-run", "run --judge openai/m --dry-run --json",
        "run --judge openai/m --paradigm listwise --dry-run --json", "run --judge openai/m",
        "-Q run --depth 3", "run --judge replay:authors.qrels -m AP -m 'P(rel=2)@3' --baseline ngrams",
        "run --json -m AP", "run --paradigm pairwise", "run --paradigm listwise --json",
    ]:  # fmt: skip
        s(f"-C llull-demo {command}")


@scenario
def init(s):
    s("init study --name mine --topics noveleval/queries.tsv --corpus noveleval/corpus.tsv.gz --run a=x.run --yes")
    s("init study")
    s("init other --judge replay:human.qrels --json")
    s("init third --run runs/one.run --run two=runs/two.run --judge openai/gpt-4o-mini")
    s("-C third doctor --offline")
    s("-C third run")
    s("init fourth --run /")


@scenario
def plan(s):
    for options in [
        "--documents 20 --seeds 20", "--documents 20 --seeds 20 --json",
        "--documents 12 --window 2 --top 5 --seeds 10",
        "--documents 30 --window 5 --top 10 --queries 50 --noise 0.5 --ties 0.1 --schedule balanced --seeds 10",
        "--documents 15 --schedule exhaustive --rejudge 2 --prior 0.2 --seeds 10 --queries 1 --json",
        "--documents 1200 --seeds 1 --schedule parallel", "--documents 5 --top 6", "--documents 1",
        "--documents 5 --ties 2", "--documents 900 --schedule exhaustive", "",
    ]:  # fmt: skip
        s(f"plan {options}")


@scenario
def measure_files(s):
    qrels = "dl19/human.qrels"
    for options in [
        "", "-m nDCG@10 -m AP -m 'P(rel=2)@10' -m RR@10 -m R@100",
        "-m Judged@10 -m infAP -m 'RBP(p=0.8)' --json",
        "-m 'nDCG(dcg=\"exp-log2\")@10' -m 'Compat(p=0.9)' -m bpref",
        "-m ERR@20 -m Success@5 -m IPrec@0.1 -m NumQ", "-m nDCG@10 -q --format csv",
        "-m nDCG@10 -q --format jsonl", "-m nDCG@10 -q --json", "-m nDCG@10 -q",
        "-m official -q --format trec", "-m all_trec --format trec", "-m set --format trec", "-m all_trec",
        "-l 2 -m AP -m P@5", "-M 20 -m nDCG -m AP", "--answered-only -m AP", "-c -m AP",
    ]:  # fmt: skip
        s(f"measure {qrels} {PLAIN if 'all_trec' not in options else PLAIN.split()[0]} {options}")
    v10 = "trec_eval/v10"
    for line in [
        f"measure -q -m all_trec --format trec {v10}/qrels.test {v10}/results.test",
        f"measure -q -R qrels_jg --format trec {v10}/qrels.123 {v10}/results.test",
        f"measure -R qrels_jg {v10}/qrels.123 {v10}/results.test -m AP",
        f"measure -q -R prefs --format trec {v10}/prefs.test {v10}/prefs.results.test",
        f"measure -R prefs {v10}/prefs.test {v10}/prefs.results.test --json",
        f"measure -q -R qrels_prefs --format trec {v10}/qrels.test {v10}/results.test",
        f"measure -q -Z {v10}/zscores_file --format trec {v10}/qrels.test {v10}/results.test",
        f"measure -Z {v10}/zscores_file {v10}/qrels.test {v10}/results.test",
        f"measure {v10}/qrels.test {v10}/results.trunc -m AP -c",
        f"measure {v10}/qrels.test {v10}/results.test -R subtopics -m 'alpha_nDCG@20' -m 'StRecall@20'",
        "measure dl19/labels/preferences.gpt-4o.qrels.gz dl19/runs/p_bert.run.gz -m 'Compat(p=0.9)' --json",
    ]:  # fmt: skip
        s(line)
    s("measure - dl19/runs/p_bert.run.gz", stdin=read("dl19/human.qrels"))


@scenario
def compare_files(s):
    few = "--draws 500"
    head = f"compare dl19/human.qrels {PLAIN}"
    for options in [
        "", "-m AP -m nDCG@10", "--json", "--format latex -m AP -m RR@10", "--format markdown -m AP",
        "--test t", "--test wilcoxon --correct bh", "--test sign --correct none", "--test bootstrap --json",
        "--test tukey", "--baseline p_bert", "--baseline dl19/runs/bm25base_p.run.gz --json",
        "--gate 'nDCG@10 >= -0.05'", "--gate 'low(AP) >= -0.01' --gate 'nDCG@10 >= 0.5' --json",
        "--equivalent 0.02 --significance 0.01", "--test tukey --correct holm",
        "-m GMAP", "--gate 'AP = 0'", "--baseline nobody",
    ]:  # fmt: skip
        s(f"{head} {few} {options}")
    s("compare dl19/human.qrels dl19/runs/p_bert.run.gz")
    s("compare dl19/human.qrels dl19/runs/p_bert.run.gz dl19/runs/p_bert.run.gz")


@scenario
def agree_files(s):
    labels = "dl19/labels/{}.gpt-4o.qrels.gz".format
    for line in [
        f"dl19/human.qrels {labels('umbrela')}", f"dl19/human.qrels {labels('umbrela')} --json",
        f"dl19/human.qrels {labels('umbrela')} {labels('binary')} {labels('exam_graded_max')}",
        f"dl19/human.qrels {labels('umbrela')} {labels('exam_graded_max')} --json --clamp 0..3",
        f"dl19/human.qrels {labels('nuggets_all')}",
        f"dl19/human.qrels {labels('umbrela')} --runs {PLAIN} -m nDCG@10 -m AP",
        f"dl19/human.qrels {labels('umbrela')} --runs {PLAIN} -m nDCG@10 --json --test permutation --correct bh",
        f"dl19/human.qrels {labels('preferences')} --runs {PLAIN} -m nDCG@10 --other-measure 'Compat(p=0.9)'",
        f"dl19/human.qrels {labels('umbrela')} {labels('binary')} --runs {PLAIN} --power",
        f"dl19/human.qrels {labels('umbrela')} --runs {PLAIN} --power --json --test t",
        "dl19/human.qrels dl19/human.qrels", f"dl19/human.qrels {labels('umbrela')} {labels('umbrela')}",
        f"dl19/human.qrels {labels('umbrela')} --power", f"dl19/human.qrels {labels('umbrela')} --clamp 3..0",
        "dl19/human.qrels dl19/labels/umbrela.llama3.2.qrels.gz",
        "llmjudge/llmjudge_test_qrel_idx.txt llmjudge/submissions/Olz-exp.qrels.gz",
    ]:  # fmt: skip
        s(f"agree {line}")
    for line in [
        "dl19/human.qrels preferences/gpt4o-dl19/judge.00.gz",
        "dl19/human.qrels preferences/gpt4o-dl19/judge.00.gz --json",
        "preferences/human-cast19/TREC-CAsT-2019.pref.gz preferences/human-cast19/TREC-CAsT-2019.local.pref.gz",
        "dl19/human.qrels games.csv", "dl19/human.qrels games.csv --judge ann --json",
        "dl19/human.qrels games.csv --judge bob", "games.csv games.csv",
        "dl19/human.qrels games.csv --runs a.run",
    ]:  # fmt: skip
        if not (s.dir / "games.csv").exists():
            documents = [line.split() for line in read("dl19/human.qrels").splitlines()[:40]]
            rows = [
                f"{a[0]},{a[2]},{b[2]},{'left' if fraction(a[2], b[2]) < 0.5 else 'right'},ann\n"
                for a in documents for b in documents if a[2] != b[2]
            ]  # fmt: skip
            s.write("games.csv", "query,left,right,winner,judge\n" + "".join(rows))
        s(f"agree --preferences {line}")


@scenario
def rank_files(s):
    s.write("games.csv", "left,right,winner\na,b,left\nc,a,right\nb,c,tie\nb,d,b\nd,c,right\na,d,left\n")
    s.write("prefs.txt", "q1 a b\nq1 a c\nq1 a d\nq1 b c\nq1 c d\nq1 d b\nq2 x y\nq2 u v\n")
    s.write("orders.jsonl", '{"query":"q1","ranking":[["d3"],["d1","d7"]],"rest":["d2"]}\n' * 2)
    s.write("anchors.qrels", "q1 0 a 3\nq1 0 c 1\n")
    methods = "bradley-terry plackett-luce thurstone elo copeland tiers".split()
    for method in methods:
        s(f"rank games.csv --method {method}")
        s(f"rank prefs.txt --method {method} --json")
    cast, gpt4o = "preferences/human-cast19/TREC-CAsT-2019.pref.gz", "preferences/gpt4o-dl19"
    for options in [
        f"{cast} --method tiers", f"{cast} --query 31_1", f"{gpt4o} --method tiers --json",
        f"{gpt4o} --query 19335", "prefs.txt --method tiers --format dot",
        "prefs.txt --method tiers --format prefs", "orders.jsonl --json",
        "prefs.txt --query q1 --method copeland --format qrels-prefs -o c.qrels",
        "prefs.txt --format qrels-prefs", "prefs.txt --format qrels",
        "prefs.txt --format qrels --labels geometric --query q1 -o g.qrels",
        "prefs.txt --format qrels --labels 'binary(1)'",
        "prefs.txt --format qrels --labels anchored --anchors anchors.qrels",
        "prefs.txt --format qrels --labels anchored", "prefs.txt --labels ordinal",
        "games.csv --format qrels", "games.csv --prior none", "games.csv --prior logistic:1",
        "games.csv --prior choix:0.01", "games.csv --prior 1", "games.csv --method tiers --ties equal",
        "games.csv --method glicko", "games.csv --judge ann", "prefs.txt --query q9",
        "trec_eval/v10/prefs.test --method tiers",
        "trec_eval/v10/qrels.test --input qrels-prefs --method copeland --query 001", "dl19/human.qrels",
        "no.csv", "", "prefs.txt --format dot", "- -",
    ]:  # fmt: skip
        s(f"rank {options}")
    s("rank -", stdin="left,right,winner\na,b,left\n")


@scenario
def label_files(s):
    files = "dl19/labels/umbrela.gpt-4o.qrels.gz dl19/labels/binary.gpt-4o.qrels.gz dl19/human.qrels"
    for line in [
        f"{files} -o panel.qrels", f"{files} --json", "dl19/human.qrels -o -",
        "dl19/human.qrels dl19/human.qrels", "no.qrels", "", "dl19/human.qrels --json -o -",
    ]:  # fmt: skip
        s(f"label {line}")


@scenario
def dl19_graded(s):
    reference = 'reference = "dl19/labels/umbrela.gpt-4o.qrels.gz"'
    s.write("llull.toml", dl19(replay("human", "dl19/human.qrels"), reference))
    for command in [
        "doctor", "pool", "run --dry-run", "run", "run", "measure",
        "compare p_bert bm25base_p --format markdown", "report --json", "label --json",
        "agree dl19/human.qrels --power", "ledger status",
        "run --judge replay:dl19/labels/umbrela.gpt-4o.qrels.gz",
        "run --depth 8 -m AP -m nDCG@10 --baseline UNH_bm25",
    ]:  # fmt: skip
        s(command)


@scenario
def dl19_panel(s):
    labels = {name: f"dl19/labels/{name}.gpt-4o.qrels.gz" for name in ["umbrela", "binary", "exam_graded_max"]}
    s.write("llull.toml", dl19("".join(replay(name, file) for name, file in labels.items()), depth=3))
    for command in [
        "run", "label", "label --judge umbrela --judge binary", "label --judge umbrela -o one.qrels",
        "agree dl19/human.qrels", "agree dl19/human.qrels --judge umbrela --json", "report --format markdown",
        "measure -q --json",
    ]:  # fmt: skip
        s(command)


@scenario
def dl19_listwise(s):
    listwise = 'paradigm = "listwise"\n\n[tournament]\nwindow = 5\ntop = 5'
    s.write("llull.toml", dl19(replay("human", "dl19/human.qrels"), listwise))
    for command in [
        "run --dry-run", "run --dry-run --json", "run", "run --json", "rank --method tiers --json",
        "rank --query 19335", "label", "measure", "compare p_bert bm25base_p", "report",
        "agree dl19/human.qrels", "ledger status --json", "agree --preferences dl19/human.qrels",
    ]:  # fmt: skip
        s(command)


@scenario
def noveleval_graded(s):
    noveleval(s, replay("known", "noveleval/qrels.txt"), 'reference = "noveleval/qrels.txt"')
    for command in [
        "pool --retrieve", "doctor", "run", "measure --json", "compare given bm25 ngrams --test tukey",
        "run --judge similarity", "run --judge similarity --judge replay:noveleval/qrels.txt", "report",
        "ledger status", "label",
    ]:  # fmt: skip
        s(command)


@scenario
def noveleval_pairwise(s):
    noveleval(s, SIMILARITY, 'paradigm = "pairwise"\n\n[tournament]\ntop = 3', 4)
    for command in [
        "measure", "run --dry-run --json", "run", "rank --method tiers --format dot",
        "rank --format prefs -o p", "report --json", "label -o -",
        "agree --preferences noveleval/qrels.txt --json",
    ]:  # fmt: skip
        s(command)
    s.edit("llull.toml", "top = 3", 'top = 3\ndouble_check = true\nschedule = "parallel"')
    for command in ["run", "rank", "agree --preferences noveleval/qrels.txt", "run --dry-run"]:
        s(command)
    s.edit("llull.toml", 'schedule = "parallel"', 'labels = "geometric"')
    s("run")


@scenario
def noveleval_anchored(s):
    graders = replay("grader", "noveleval/qrels.txt", table="graders")
    judges = replay("known", "noveleval/qrels.txt")
    anchored = 'paradigm = "listwise"\n\n[tournament]\nwindow = 4\nlabels = "anchored"\nanchors = 1'
    noveleval(s, judges + graders, anchored, 4)
    for command in [
        "run --dry-run", "run --max-calls 20", "run", "report", "label --json", "measure", "ledger status",
        "run --dry-run --json", "doctor",
    ]:  # fmt: skip
        s(command)


@scenario
def noveleval_panel_compared(s):
    judges = replay("known", "noveleval/qrels.txt", "weight = 2.0\n") + SIMILARITY
    noveleval(s, judges, 'paradigm = "listwise"\n\n[tournament]\nwindow = 4\norders = 2\nschedule = "exhaustive"', 3)
    for command in [
        "run", "rank --judge similarity", "rank --method tiers --json", "label --judge known", "report --json",
        "agree --preferences noveleval/qrels.txt --judge similarity",
    ]:  # fmt: skip
        s(command)


@scenario
def served_graded(s):
    price = "price = { input = 0.15, output = 0.6 }\n"
    noveleval(s, served("good", s.server(), price) + served("plain", s.server("plain")), depth=3)
    for command in [
        "doctor", "run --dry-run", "run --dry-run --json", "run --max-calls 30 --judge good",
        "run --dry-run", "run --no-report --max-calls 25 --judge plain", "run", "run", "ledger status",
        "ledger status --json", "report --json", "label --judge good", "run --prompt umbrela --judge good",
        "ledger export all.jsonl",
    ]:  # fmt: skip
        s(command)
    s.write("elsewhere/llull.toml", (s.dir / "llull.toml").read_text().replace('= "noveleval/', '= "../noveleval/'))
    s("-C elsewhere ledger import all.jsonl")
    s("-C elsewhere ledger import -", stdin=(s.dir / "all.jsonl").read_text())


@scenario
def served_compared(s):
    judges = served("good", s.server(), "logprobs = true\n")
    noveleval(s, judges, 'paradigm = "pairwise"\n\n[tournament]\ntop = 2', 3)
    for command in [
        "run --dry-run", "run --max-calls 40", "run --dry-run", "run", "rank --method tiers --json",
        "report", "agree --preferences noveleval/qrels.txt --json", "ledger status",
    ]:  # fmt: skip
        s(command)
    s.edit("llull.toml", "top = 2", "top = 2\ndouble_check = true")
    for command in ["run", "rank --method tiers --json", "label -o -", "measure", "report"]:
        s(command)
    s.edit("llull.toml", "double_check = true", "window = 4")
    s.edit("llull.toml", "logprobs = true\n", "")
    s.edit("llull.toml", 'paradigm = "pairwise"', 'paradigm = "listwise"')
    for command in ["run", "run --prompt setwise", "rank --judge good"]:
        s(command)


@scenario
def served_anchored(s):
    price = "price = { input = 1.0, output = 4.0 }\n"
    graders = served("grader", s.server("plain"), price, "graders")
    anchored = 'paradigm = "listwise"\n\n[tournament]\nwindow = 4\nlabels = "anchored"'
    noveleval(s, served("good", s.server()) + graders, anchored, 4)
    for command in [
        "run --dry-run", "run --max-calls 30", "run --max-calls 30", "run", "report --json",
        "ledger status",
    ]:  # fmt: skip
        s(command)


@scenario
def servers_that_fail(s):
    noveleval(s, served("denied", s.server("denied")), depth=2)
    for command in [
        "doctor", "run", "ledger status", "run --judge vllm/m --base-url http://127.0.0.1:9/v1 --max-calls 1",
    ]:  # fmt: skip
        if "127.0.0.1:9" not in command:
            s(command)
    s.environment["VLLM_API_KEY"] = "sk-secret"
    s("doctor")
    s.environment = {"LLULL_JUDGE": "replay:noveleval/qrels.txt", "LLULL_SEED": "7"}
    s("run")
    s.environment = {"LLULL_JUDGE": "opnai/m"}
    s("run")
    s.environment = {"LLULL_SEED": "forty-two"}
    s("run")


@scenario
def wrong_usage(s):
    s.write("one.run", "q1\n")
    s.write("bad.qrels", "q1 0 a2 good\n")
    s.write("two.qrels", "q1 0 a2 1\nq1 0 a2 2\n")
    for line in [
        "run", "-C elsewhere measure", "report", "pool", "ledger status", "ledger import no.jsonl",
        "agree dl19/human.qrels", "compare a b", "measure dl19/human.qrels",
        "measure dl19/human.qrels no.run", "measure dl19/human.qrels one.run",
        "measure bad.qrels dl19/runs/p_bert.run.gz", "measure two.qrels dl19/runs/p_bert.run.gz",
        "measure dl19/runs/p_bert.run.gz dl19/human.qrels", "measure dl19/human.qrels dl19",
        f"measure dl19/human.qrels {PLAIN} -m nDGC@10", f"measure dl19/human.qrels {PLAIN} -m nDCG@0",
        f"measure dl19/human.qrels {PLAIN} -m AP,P@5", f"measure dl19/human.qrels {PLAIN} -m R",
        f"measure dl19/human.qrels {PLAIN} --json --format csv",
        f"measure dl19/human.qrels {PLAIN} --format latex", f"measure dl19/human.qrels {PLAIN} -l 2 -R prefs",
        f"measure dl19/human.qrels {PLAIN.split()[0]} ./{PLAIN.split()[0]}",
        f"compare dl19/human.qrels {PLAIN} -m official", f"compare dl19/human.qrels {PLAIN} --test anova",
        "measure - -", f"agree dl19/human.qrels dl19/labels/binary.gpt-4o.qrels.gz --judge x", "rank one.run",
        "plan --documents 5 --top 9",
    ]:  # fmt: skip
        s(line)


@scenario
def wrong_studies(s):
    def with_one(old, new, command="run"):
        noveleval(s, replay("known", "noveleval/qrels.txt"), 'measures = ["nDCG@3"]')
        s.edit("llull.toml", old, new)
        s(command)

    with_one("[pool]", "[pool")
    with_one("corpus = ", "corpsu = ")
    with_one("version = 1", "version = 2")
    with_one("queries.tsv", "querys.tsv")
    with_one('name = "bm25"', 'name = "given"')
    with_one('retriever = "bm25"', 'retriever = "bm52"')
    with_one('"nDCG@3"', '"nDGC@3"')
    with_one("[compare]", '[compare]\nbaseline = "nobody"')
    with_one("depth = 5", "depth = 0")
    with_one("resamples = 500", "resamples = 10")
    with_one('model = "replay"', 'model = "opnai/m"')
    with_one('model = "replay"', 'model = "gpt"')
    with_one("noveleval/qrels.txt", "no.qrels")
    with_one("measures", 'paradigm = "setwise"\nmeasures')
    with_one("measures", 'rubric = "rubrik.md"\nmeasures')
    with_one("measures", 'reference = "no.qrels"\nmeasures')
    with_one("[pool]", "[tournament]\nwindow = 1\n\n[pool]")
    with_one("given.run", "noveleval/qrels.txt")
    with_one("[pool]", "[pool]", "run --judge nobody")
    with_one("[pool]", "[pool]", "run --judge openai/")
    with_one("[pool]", "[pool]", "run --prompt gradde")
    with_one("[pool]", "[pool]", "run --paradigm boolean")
    with_one("[pool]", "[pool]", "run --baseline nobody")
    with_one("[pool]", "[pool]", "prompt")
    with_one("[pool]", "[pool]", "pool --topic nobody")
    with_one("[pool]", "[pool]", "run -m mDCG@10")
    s.write(".llull/ledger.sqlite", "these are notes, and longer than the head of a database file: 100 bytes" * 2)
    with_one("[pool]", "[pool]", "run")
    s("ledger status")

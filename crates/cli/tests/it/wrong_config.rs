//! An `llull.toml`, rubric or prompt that cannot be: the file, the line and the remedy.

use crate::sandbox::{Sandbox, Transcript, tiny, tiny_judged_by};

/// The tiny study with one thing changed.
fn with(from: &str, to: &str) -> Transcript {
    let sandbox = tiny();
    sandbox.edit("llull.toml", from, to);
    let transcript = sandbox.llull(&["run"]).refused(1, &["error: llull.toml"]);
    assert!(
        !sandbox.path("report.md").exists() && !sandbox.path(".llull/ledger.sqlite").exists(),
        "nothing was done"
    );
    transcript
}

#[test]
fn no_study_here() {
    let remedy = "`llull init DIR` makes a study, `llull demo DIR`";
    Sandbox::new().llull(&["run"]).refused(1, &["there is no llull.toml", remedy]);
    Sandbox::new()
        .llull(&["-C", "elsewhere", "measure"])
        .refused(1, &["there is no elsewhere/llull.toml", remedy]);
}

#[test]
fn a_misspelt_key_is_answered_with_the_right_one() {
    for (from, to, meant) in [
        ("corpus = ", "corpsu = ", "corpus"),
        ("depth = 3", "deph = 3", "depth"),
        ("run = \"new.run\"", "run = \"new.run\"\nordre = \"rank\"", "order"),
    ] {
        with(from, to).says(&[&format!("Did you mean `{meant}`?")]);
    }
    assert!(!with("corpus = ", "qqq = ").to_string().contains("Did you mean"));
}

#[test]
fn what_a_configuration_cannot_say() {
    let at = |table: &str| format!("[{table}\n\n[pool]");
    for (from, to, parts) in [
        ("[pool]", "[pool", ["line 7, column 6", "expected `]`"]),
        ("corpus = ", "corpsu = ", ["line 4, column 1", "unknown field `corpsu`, expected one of `version`"]),
        ("depth = 3", "deph = 3", ["line 8, column 1", "unknown field `deph`, expected `depth`"]),
        ("version = 1", "version = 2", ["line 1: version 2", "this llull reads (1)"]),
        (
            "topics = \"topics.tsv\"\n",
            "",
            ["`topics` is missing; add a line such as", "add a line such as\n  topics = \"topics.tsv\""],
        ),
        ("name = \"new\"", "name = \"old\"", ["line 14: ", "\"old\"; names must differ"]),
        ("run = \"new.run\"", "", ["line 14: system \"new\"", "retriever = \"bm25\", or command = ["]),
        (
            "run = \"new.run\"",
            "retriever = \"bm52\"",
            ["line 14: retriever = \"bm52\"", "\"bm25\", \"ngram\""],
        ),
        ("\"nDCG@3\"", "\"nDGC@3\"", ["line 5: no measure is called \"nDGC\"", "did you mean nDCG@3?"]),
        ("\"nDCG@3\"", "\"P\"", ["line 5: \"P\" needs a cutoff", "write P@10"]),
        ("\"nDCG@3\"", "\"nDCG@0\"", ["line 5: the cutoff \"0\" of \"nDCG@0\"", "from 1 to 4294967295"]),
        ("\"nDCG@3\"", "\"P(rel=x)@1\"", ["line 5: rel=x in \"P(rel=x)@1\"", "a whole number from 1"]),
        ("[pool]", &at("compare]\nbaseline = \"odl\""), ["line 8: baseline \"odl\"", "there are old, new"]),
        ("depth = 3", "depth = 0", ["line 8: pool.depth", "from 1 to 10000000"]),
        (
            "[pool]",
            &at("compare]\nconfidence = 95"),
            ["line 8: compare.confidence", "at least 0.5 and below 1"],
        ),
        ("[pool]", &at("compare]\nresamples = 10"), ["line 8: 10 resamples are too few", "at least 40"]),
        (
            "[pool]",
            &at("compare]\nconfidence = 0.9999"),
            ["line 8: 10000 resamples are too few", "at least 20001"],
        ),
        ("[pool]", &at("budget]\nusd = -1.0"), ["line 8: budget.usd", "0 or more"]),
        (
            "[pool]",
            &at("checks]\nposition_flips = \"<= 0.2\""),
            [
                "line 8: no check is called \"position_flips\"; did you mean \"position_flip\"?",
                "there are first_side, ",
            ],
        ),
        ("[pool]", &at("checks]\nkappa = \"0.2\""), ["line 8: \"0.2\" is no bound", "kappa = \">= 0.2\""]),
        ("[pool]", &at("checks]\nkappa = 0.2"), ["line 8, column 9", "expected a string"]),
    ] {
        with(from, to).refused(1, &parts);
    }
}

#[test]
fn files_that_are_not_there() {
    for (from, to, place) in [
        ("topics.tsv", "topcis.tsv", "llull.toml line 3: topics = \"topcis.tsv\""),
        ("old.run", "odl.run", "llull.toml line 12: run old = \"odl.run\""),
        ("known.qrels", "unknown.qrels", "llull.toml line 21: labels = \"unknown.qrels\""),
        ("measures", "rubric = \"rubrik.md\"\nmeasures", "llull.toml line 5: rubric = \"rubrik.md\""),
        (
            "measures",
            "reference = \"human.qrels\"\nmeasures",
            "llull.toml line 5: reference = \"human.qrels\"",
        ),
    ] {
        with(from, to)
            .refused(1, &[place, "there is no such file. Paths are relative to the folder of llull.toml"]);
    }
}

#[test]
fn judges_that_are_none() {
    for (judge, parts) in [
        ("name = \"x\"", ["llull.toml line 18: a judge needs a model", "model = \"openai/"]),
        ("model = \"gpt-4o\"", ["llull.toml line 18: model \"gpt-4o\"", "write PROVIDER/MODEL"]),
        (
            "model = \"opnai/gpt-4o\"",
            ["llull.toml line 18: ", "no provider \"opnai\" (known providers: openai, "],
        ),
        (
            "model = \"openai/gpt-4o\"",
            ["judge gpt-4o: model \"openai/gpt-4o\" needs a key", "set OPENAI_API_KEY"],
        ),
        (
            "model = \"similarity\"\nprompt = \"graded\"",
            ["llull.toml line 18: a similarity judge", "remove those keys"],
        ),
        (
            "model = \"vllm/m\"\nbase_url = \"localhost:8000\"",
            ["judge m: address \"localhost:8000\"", "http:// or https://"],
        ),
        ("model = \"vllm/m\"\ntimeout = 0", ["llull.toml line 20: timeout = 0", "from 1 to 86400"]),
    ] {
        tiny_judged_by(&format!("[[judges]]\n{judge}\n")).llull(&["run"]).refused(1, &parts);
    }
    let nobody = tiny().llull(&["run", "--judge", "nobody"]);
    nobody.refused(1, &["--judge nobody: neither a judge of llull.toml (known)", "provider/model"]);
}

#[test]
fn a_prompt_that_is_none() {
    let sandbox = tiny_judged_by("[[judges]]\nmodel = \"vllm/m\"\nprompt = \"mine.j2\"\n");
    sandbox
        .llull(&["prompt"])
        .refused(1, &["llull.toml line 20: prompt = \"mine.j2\": there is no such file"]);
    let head = "+++\nversion = 1\nname = \"mine\"\ndescription = \"short\"\nanswer = \"grade\"\n+++\n";
    sandbox.write("mine.j2", &format!("{head}[user]\n{{{{ document }}}} for\n{{{{ qeury }}}}?\n"));
    sandbox
        .llull(&["prompt"])
        .refused(1, &["mine.j2:9: there is no variable `qeury`; there are query, document"]);
    sandbox
        .llull(&["prompt", "--prompt", "gradde"])
        .refused(2, &["--prompt gradde", "choose one of graded, "]);
}

#[test]
fn a_rubric_with_a_gap() {
    let sandbox = tiny();
    sandbox.llull(&["init", "other"]).ends(0);
    sandbox.write("rubric.md", &sandbox.read("other/rubric.md").replace("grade = 2", "grade = 4"));
    sandbox.edit("llull.toml", "measures", "rubric = \"rubric.md\"\nmeasures");
    sandbox
        .llull(&["run"])
        .ends(1)
        .says(&["error: rubric.md:22: no grade is defined between 1 and 3; a scale has every whole number"]);
}

#[test]
fn an_environment_that_says_nonsense() {
    let mut sandbox = tiny();
    sandbox.set("LLULL_SEED", "forty-two");
    sandbox.llull(&["run"]).ends(1).says(&[
        "error: LLULL_SEED=\"forty-two\" in the environment is not a whole number; set one or unset it",
    ]);
}

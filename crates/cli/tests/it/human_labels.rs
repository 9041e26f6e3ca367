//! `llull measure` and `compare` with people's labels of a random sample.

use crate::sandbox::{Sandbox, check};

const QUERIES: usize = 30;

/// 30 queries of 16 documents. The judge takes every third irrelevant document for relevant, and the good run returns
/// such documents only at its end. People labelled a random sample of a third of the pairs (of whole queries).
fn labelled() -> Sandbox {
    let sandbox = Sandbox::new();
    let truth = |query: usize, n: usize| (query * 7 + n * n * 5 + n) % 11 < 4;
    let told = |query: usize, n: usize| truth(query, n) || (query + n).is_multiple_of(3);
    let mut noise = 7_u64;
    let mut drawn = || {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (noise >> 33).is_multiple_of(3)
    };
    let mut files: [String; 7] = Default::default();
    let [judge, pairs, queries, sample, good, bad, chosen] = &mut files;
    sample.push_str("# llull-sample: 1\n# design: independent\nquery\tdocument\tprobability\tdrawn\n");
    chosen.push_str("query\tdocument\tprobability\n");
    for query in 0..QUERIES {
        let whole = drawn();
        for n in 0..16 {
            let label = format!("q{query} 0 d{n} {}\n", u8::from(truth(query, n)));
            judge.push_str(&format!("q{query} 0 d{n} {}\n", u8::from(told(query, n))));
            let is_drawn = drawn();
            if is_drawn {
                pairs.push_str(&label);
            }
            if whole {
                queries.push_str(&label);
            }
            sample.push_str(&format!("q{query}\td{n}\t0.33333\t{}\n", u8::from(is_drawn)));
            chosen.push_str(&format!("q{query}\td{n}\t{}\n", u8::from(n < 3)));
            let rank = |best: bool| match best {
                true => (2 * usize::from(!truth(query, n)) + usize::from(told(query, n))) * 16 + n,
                false => (n * 5 + query) % 16,
            };
            good.push_str(&format!("q{query} Q0 d{n} 1 -{} t\n", rank(query % 4 != 0)));
            bad.push_str(&format!("q{query} Q0 d{n} 1 -{} t\n", rank(false)));
        }
    }
    let names =
        ["judge.qrels", "pairs.qrels", "queries.qrels", "sample.tsv", "good.run", "bad.run", "chosen.tsv"];
    for (name, text) in names.iter().zip(&files) {
        sandbox.write(name, text);
    }
    sandbox
}

const MEASURE: [&str; 4] = ["measure", "judge.qrels", "bad.run", "good.run"];
const COMPARE: [&str; 4] = ["compare", "judge.qrels", "bad.run", "good.run"];

#[test]
fn figures_by_sampled_pairs() {
    let more = ["-m", "P@5", "-m", "DCG@5", "--human", "pairs.qrels", "--sampled", "pairs"];
    check!(labelled().llull(&[&MEASURE[..], &more].concat()).ends(0));
}

#[test]
fn a_difference_by_sampled_pairs_decides() {
    let more = ["-m", "P@5", "--human", "pairs.qrels", "--sampled", "pairs"];
    labelled().llull(&[&COMPARE[..], &more].concat()).ends(0).says(&[
        "There are no letters, since human labels correct the figures.",
        "good is better than bad, also after correcting for the judge",
        "P@5 +0.4169 [+0.2664, +0.5674] (95%, 54 human labels",
        "by these alone +0.4184 [+0.2616, +0.5752]",
        "It is 0.3010 wide, 4.0% narrower than by the human labels alone; with a hundred more labels 0.2329, with a",
        "hundred more queries 0.2447; 53.6% of",
        "By the judge's labels alone: good is better than bad: P@5 +0.2067 [+0.0800, +0.3400]",
    ]);
}

/// What people's labels of all pairs would say lies in the interval, and not in the judge's.
#[test]
fn the_interval_holds_what_the_judge_does_not_see() {
    let sandbox = labelled();
    let estimand = ["--estimand", "these_queries"];
    let more = ["-m", "P@5", "--human", "pairs.qrels", "--sampled", "sample.tsv", "--json"];
    let output = sandbox.llull(&[&MEASURE[..], &more, &estimand].concat()).ends(0).json();
    let figure = &output["systems"][0]["figures"][0];
    let ppi = &figure["ppi"];
    let truth = |query: usize, n: usize| (query * 7 + n * n * 5 + n) % 11 < 4;
    let found = |query: usize| {
        let mut ranked: Vec<usize> = (0..16).collect();
        ranked.sort_by_key(|n| (n * 5 + query) % 16);
        ranked.into_iter().take(5).filter(|n| truth(query, *n)).count() as f64 / 5.0
    };
    let true_value = (0..QUERIES).map(found).sum::<f64>() / QUERIES as f64;
    let end = |key: &str| ppi[key].as_f64().unwrap();
    assert!(end("low") < true_value && true_value < end("high"), "{true_value} {ppi}");
    assert!(figure["low"].as_f64().unwrap() > true_value, "{figure}");
    assert_eq!((&ppi["design"], &ppi["lambda"]), (&"independent".into(), &serde_json::Value::Null));
    // Looked at any number of times, it is wider.
    let any = sandbox.llull(&[&MEASURE[..], &more, &estimand, &["--anytime", "50"]].concat()).ends(0).json();
    let any = &any["systems"][0]["figures"][0]["ppi"];
    assert_eq!((&any["any_time"], &any["value"]), (&true.into(), &ppi["value"]));
    assert!(any["low"].as_f64().unwrap() < end("low") && any["high"].as_f64().unwrap() > end("high"));
}

/// Every query with a probability of its own, as an analyst draws who wants more of those that are often asked.
#[test]
fn queries_drawn_with_unequal_probabilities() {
    let sandbox = labelled();
    let truth = |query: usize, n: usize| (query * 7 + n * n * 5 + n) % 11 < 4;
    let (mut sample, mut human) = (
        String::from("# llull-sample: 1\n# design: queries\nquery\tdocument\tprobability\tdrawn\n"),
        String::new(),
    );
    for query in 0..QUERIES {
        let (probability, drawn) =
            if query % 2 == 0 { ("0.6", query % 10 < 6) } else { ("0.4", query % 10 < 4) };
        for n in 0..16 {
            sample.push_str(&format!("q{query}\td{n}\t{probability}\t{}\n", u8::from(drawn)));
            if drawn {
                human.push_str(&format!("q{query} 0 d{n} {}\n", u8::from(truth(query, n))));
            }
        }
    }
    sandbox.write("unequal.tsv", &sample).write("whole.qrels", &human);
    let more =
        ["-m", "nDCG@5", "--human", "whole.qrels", "--sampled", "unequal.tsv", "--estimand", "these_queries"];
    sandbox.llull(&[&COMPARE[..], &more].concat()).ends(0).says(&[
        "good is better than bad on these queries, also after correcting for the judge: nDCG@5 +0.4224",
        "[+0.3031, +0.5417] (95%, 240 human labels",
        "0.0% of the variance is the queries', 100.0% the judge's",
    ]);
    let json = sandbox.llull(&[&COMPARE[..], &more, &["--json"]].concat()).ends(0).json();
    let ppi = &json["comparisons"][0]["ppi"];
    assert_eq!((&ppi["design"], &ppi["labels"]), (&"queries, unequal".into(), &(15 * 16).into()), "{ppi}");
    // What complete human labels would say.
    let whole: String = (0..QUERIES)
        .flat_map(|query| (0..16).map(move |n| format!("q{query} 0 d{n} {}\n", u8::from(truth(query, n)))))
        .collect();
    sandbox.write("truth.qrels", &whole);
    let all =
        sandbox.llull(&["compare", "truth.qrels", "bad.run", "good.run", "-m", "nDCG@5", "--json"]).json();
    let difference = all["comparisons"][0]["mean_difference"].as_f64().unwrap();
    let end = |key: &str| ppi[key].as_f64().unwrap();
    assert!(end("low") < difference && difference < end("high"), "{difference} {ppi}");
    // A query is drawn whole, and every query of the judge's has a probability.
    sandbox.write("unequal.tsv", &sample.replacen("\t0.6\t", "\t0.5\t", 1));
    let said = sandbox.llull(&[&COMPARE[..], &more].concat());
    said.says(&["pairs of query q0 differ in probability or in whether they were drawn"]);
    let without: String =
        sample.lines().filter(|line| !line.starts_with("q3\t")).map(|line| format!("{line}\n")).collect();
    sandbox.write("unequal.tsv", &without);
    sandbox.llull(&[&COMPARE[..], &more].concat()).says(&["query q3"]);
}

#[test]
fn what_is_no_sample_or_cannot_be_corrected_is_refused() {
    let sandbox = labelled();
    let said = |more: &[&str], code: i32, phrases: &[&str]| {
        sandbox.llull(&[&MEASURE[..], more].concat()).ends(code).says(phrases);
    };
    said(&["-m", "P@5", "--human", "pairs.qrels"], 2, &["Labels picked by hand are no sample"]);
    let pairs = ["--human", "pairs.qrels", "--sampled", "pairs"];
    said(&[&["-m", "nDCG@5"][..], &pairs].concat(), 2, &["nDCG@5 of one system", "Compare two systems"]);
    for name in ["nDCG", "AP", "R@5"] {
        said(&[&["-m", name][..], &pairs].concat(), 2, &[name, "whose bias more queries do not remove"]);
    }
    said(&[&["-m", "RR@5"][..], &pairs].concat(), 2, &["depends on the labels above it"]);
    let chosen = ["-m", "P@5", "--human", "pairs.qrels", "--sampled", "chosen.tsv"];
    said(&chosen, 1, &["chosen.tsv line 5, column 3 (probability)", "labels chosen by a rule are no sample"]);
    let csv = ["-m", "P@5", "--format", "csv"];
    said(&[&csv[..], &pairs].concat(), 2, &["leave out --format"]);
    sandbox.llull(&[&MEASURE[..], &["--sampled", "pairs"]].concat()).ends(2).says(&["--human <QRELS>"]);
}

#[test]
fn a_gate_is_tested_on_what_people_correct() {
    let sandbox = labelled();
    let pairs = ["-m", "P@5", "--human", "pairs.qrels", "--sampled", "pairs", "--json"];
    let gated = |gates: &[&str], more: &[&str], code: i32| {
        let gates: Vec<&str> = gates.iter().flat_map(|gate| ["--gate", gate]).collect();
        sandbox.llull(&[&COMPARE[..], &pairs, &gates, more].concat()).ends(code).json()
    };
    let compared = gated(&["low(P@5) > -1", "low(value(P@5)) > 0.05", "high(P@5) < 1"], &[], 0);
    let (gates, ppi) = (&compared["gates"], &compared["comparisons"][0]["ppi"]);
    assert_eq!((&gates[0]["value"], &gates[2]["value"]), (&ppi["low"], &ppi["high"]), "{compared}");
    assert_eq!((&gates[0]["corrected"], &gates[0]["mean"]), (&true.into(), &ppi["value"]));
    let sentence = gates[1]["sentence"].as_str().unwrap();
    assert!(sentence.contains("human labels, it is") && sentence.contains("(95%)"), "{sentence}");
    // The judge's labels alone would pass what the corrected difference fails, or the other way round.
    let judge = ppi["judge_only"]["value"].as_f64().unwrap();
    let between = (judge + ppi["value"].as_f64().unwrap()) / 2.0;
    let gate = format!("P@5 {} {between}", if judge > between { ">" } else { "<" });
    let failed = gated(&[&gate], &[], 100);
    assert!(failed["gates"][0]["sentence"].as_str().unwrap().contains("fails for"), "{failed}");
    sandbox.llull(&[&COMPARE[..], &["-m", "P@5", "--gate", &gate]].concat()).ends(0);
    let any = gated(&["low(P@5) > -1"], &["--anytime", "50"], 0);
    assert!(any["gates"][0]["sentence"].as_str().unwrap().contains("(95%, at any look)"), "{any}");
    assert!(any["gates"][0]["low"].as_f64() < gates[0]["low"].as_f64());
    let alone = [&COMPARE[..], &["-m", "P@5", "--anytime", "50"]].concat();
    sandbox.llull(&alone).ends(2).says(&["name their file with --human"]);
}

#[test]
fn a_figure_that_reads_what_the_judge_did_not_label_says_so() {
    let sandbox = labelled();
    let wide: String = (0..QUERIES).map(|n| format!("q{n} Q0 elsewhere 1 9 t\nq{n} Q0 d1 1 1 t\n")).collect();
    sandbox.write("wide.run", &wide);
    let more = ["wide.run", "-m", "P@5", "--human", "pairs.qrels", "--sampled", "pairs"];
    sandbox
        .llull(&[&MEASURE[..], &more].concat())
        .ends(0)
        .says(&["wide, P@5: not corrected: it reads 30 pairs outside the frame"]);
}

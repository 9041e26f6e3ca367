//! trec_eval's own tests: every value of its `out.test*` files at the four decimals that they print, with the options of
//! `COMMANDS.txt`.
//!
//! Left out, with reasons:
//!
//! - `utility`, `binG`, `G`, `ndcg_rel`, `Rndcg`: trec_eval calls the last four experimental, and neither ir_measures nor ranx has any.
//! - `relstring`: a picture of the list and not a number.
//! - `rbp` where labels have grades above 1 (`out.test.aql`): trec_eval divides the grades of a topic by a highest grade that it starts
//!   from uninitialised memory, and its `-l` has no effect. What it prints there is compared with RBP over the highest grade of the topic.
//! - `out.test.aqZ` (z-scores against the figures of other systems), `out.test.prefs` and `out.test.qrels_prefs` (measures of preferences).
//!
//! `results.trunc` has words behind its sixth column, which llull refuses as a broken line; the test cuts them off. `qrels.123` holds
//! three judges in one file, which the test takes apart.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use llull::core::{Qrels, Ranking, Run};
use llull::metrics::{Measure, Scores, evaluate};
use llull::plain::{read_labels, read_system};
use llull_conformance::data;

const LEFT_OUT: [&str; 6] = ["utility", "binG", "G", "ndcg_rel", "Rndcg", "relstring"];

/// The mean of three recall levels, which has a test of its own.
const THREE_LEVELS: &str = "11pt_avg_.25,.5,.75";

fn text(name: &str) -> String {
    let mut text = String::new();
    llull::data::open(data(&format!("trec_eval/v10/{name}"))).unwrap().read_to_string(&mut text).unwrap();
    text
}

fn labels(name: &str) -> Qrels {
    read_labels(&data(&format!("trec_eval/v10/{name}"))).unwrap().value
}

fn system(path: PathBuf) -> Run {
    read_system(&path, "run", None).unwrap().value
}

fn results(name: &str) -> Run {
    system(data(&format!("trec_eval/v10/{name}")))
}

/// `results.trunc` without what stands behind its columns.
fn truncated() -> Run {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    for line in text("results.trunc").lines() {
        let columns: Vec<&str> = line.split_whitespace().take(6).collect();
        writeln!(file, "{}", columns.join(" ")).unwrap();
    }
    system(file.path().to_owned())
}

/// trec_eval's `-M`.
fn first(run: &Run, depth: usize) -> Run {
    let mut shorter = Run::new(run.name.clone());
    for (topic, ranking) in run.iter() {
        let hits = ranking.iter().take(depth).map(|hit| (hit.document, hit.score));
        shorter.insert(topic, Ranking::from_ordered(hits));
    }
    shorter
}

/// trec_eval's `-l`.
fn at_level(measure: Measure, level: i32) -> Measure {
    if level == 1 || measure.relevant().is_none() {
        return measure;
    }
    let name = measure.to_string();
    let (head, at) =
        name.split_once('@').map_or((name.as_str(), String::new()), |(a, b)| (a, format!("@{b}")));
    let name = match head.split_once('(') {
        _ if head.contains("rel=1") => head.replace("rel=1", &format!("rel={level}")),
        Some((family, rest)) => format!("{family}(rel={level},{rest}"),
        None => format!("{head}(rel={level})"),
    };
    format!("{name}{at}").parse().unwrap()
}

/// A measure by its name in an output, unless it is left out.
fn measure(name: &str) -> Option<Measure> {
    match name {
        "runid" | THREE_LEVELS => None,
        name if LEFT_OUT.iter().any(|left| name == *left || name.starts_with(&format!("{left}_"))) => None,
        // the gains are part of the name
        "ndcg_1=3,2=9,4=4.5" => Some("nDCG(gains={1:3,2:9,4:4.5})".parse().unwrap()),
        name => Some(name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))),
    }
}

/// What an output says of one measure and topic.
fn printed(output: &str, name: &str, topic: &str) -> String {
    let mut lines = output.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    lines.find(|words| words[..2] == [name, topic]).unwrap()[2].to_owned()
}

struct Options {
    /// `-c`.
    complete: bool,
    /// `-l`.
    level: i32,
}

const PLAIN: Options = Options { complete: false, level: 1 };

/// Compares every line of an output but those named. Returns how many.
fn reproduces(output: &str, qrels: &Qrels, run: &Run, options: &Options, differs: &[&str]) -> usize {
    let output_text = text(output);
    let lines: Vec<[&str; 3]> = output_text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter_map(
            |words| if let [name, topic, value] = words[..] { Some([name, topic, value]) } else { None },
        )
        .collect();
    let names: BTreeSet<&str> = lines.iter().map(|[name, ..]| *name).collect();
    let measures: BTreeMap<&str, Measure> =
        names.into_iter().filter_map(|name| Some((name, at_level(measure(name)?, options.level)))).collect();
    let all: Vec<Measure> = measures.values().copied().collect();
    let scores = evaluate(&all, qrels, run);
    let (mut compared, mut wrong) = (0, String::new());
    for [name, topic, expected] in lines {
        let Some(measure) = measures.get(name).filter(|_| !differs.contains(&name)) else { continue };
        let value = figure(&scores, scores.position(measure).unwrap(), topic, options);
        let printed = if expected.contains('.') { format!("{value:.4}") } else { format!("{value}") };
        // a mean that ends in 5 behind the fourth decimal depends on the order of its sum
        if printed != *expected && (value - expected.parse::<f64>().unwrap()).abs() > 0.000_05 + 1e-9 {
            writeln!(wrong, "{output} {name} {topic}: {value} and not {expected}").unwrap();
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    compared
}

fn figure(scores: &Scores, measure: usize, topic: &str, options: &Options) -> f64 {
    match scores.topics.iter().find(|scored| scored.topic == topic) {
        Some(scored) => scored.cells[measure].value,
        None if topic != "all" => panic!("no topic {topic}"),
        None if options.complete => scores.mean(measure).unwrap(),
        None => scores.mean_of_answered(measure).unwrap(),
    }
}

#[test]
fn the_main_measures() {
    assert_eq!(reproduces("out.test", &labels("qrels.test"), &results("results.test"), &PLAIN, &[]), 29);
    let commented = labels("qrels.test.with-comments");
    assert_eq!(reproduces("out.test", &commented, &results("results.test"), &PLAIN, &[]), 29);
    let run = results("results.comment.test.gz");
    assert_eq!(reproduces("out.comment.test", &labels("qrels.comment.test"), &run, &PLAIN, &[]), 29);
}

#[test]
fn all_measures_by_topic() {
    let (qrels, run) = (labels("qrels.test"), results("results.test"));
    assert_eq!(reproduces("out.test.a", &qrels, &run, &PLAIN, &[]), 93);
    assert_eq!(reproduces("out.test.aq", &qrels, &run, &PLAIN, &[]), 363);
}

#[test]
fn a_topic_that_the_run_does_not_answer() {
    let (qrels, run) = (labels("qrels.test"), truncated());
    let options = Options { complete: true, level: 1 };
    assert_eq!(reproduces("out.test.aqc", &qrels, &run, &options, &[]), 363);
    assert_eq!(reproduces("out.test.aqcM", &qrels, &first(&run, 100), &options, &[]), 363);
    // 9.0.8 prints the topic in no line of its own
    assert_eq!(reproduces("../v9.0.8/out.test.aqc", &qrels, &run, &options, &[]), 273);
    assert_eq!(reproduces("../v9.0.8/out.test.aqcM", &qrels, &first(&run, 100), &options, &[]), 273);
}

#[test]
fn a_higher_level() {
    let (qrels, run) = (labels("qrels.rel_level"), results("results.test"));
    let options = Options { complete: false, level: 2 };
    assert_eq!(reproduces("out.test.aql", &qrels, &run, &options, &["rbp"]), 359);
    let output = text("out.test.aql");
    for topic in ["301", "302", "303"] {
        let highest = qrels.topic(topic).unwrap().values().max().unwrap();
        let measure: Measure = format!("RBP(p=0.9,max_rel={highest})").parse().unwrap();
        let value = figure(&evaluate(&[measure], &qrels, &run), 0, topic, &options);
        assert_eq!(format!("{value:.4}"), printed(&output, "rbp", topic), "{topic}");
    }
}

#[test]
fn measures_with_parameters() {
    let (qrels, run) = (labels("qrels.test"), results("results.test"));
    assert_eq!(reproduces("out.test.meas_params", &qrels, &run, &PLAIN, &[]), 80);
    let levels = ["iprec_at_recall_.25", "iprec_at_recall_.5", "iprec_at_recall_.75"];
    let levels: Vec<Measure> = levels.map(|name| name.parse().unwrap()).into();
    let scores = evaluate(&levels, &qrels, &run);
    let output = text("out.test.meas_params");
    for topic in ["301", "302", "303", "all"] {
        let mean = (0..3).map(|level| figure(&scores, level, topic, &PLAIN)).sum::<f64>() / 3.0;
        assert_eq!(format!("{mean:.4}"), printed(&output, THREE_LEVELS, topic), "{topic}");
    }
}

/// The figure of a topic is the mean of its figures under every judge who judged it.
#[test]
fn three_judges_in_one_file() {
    let run = results("results.test");
    for file in ["qrels.123", "qrels.comments.123"] {
        let mut judges: BTreeMap<String, Qrels> = BTreeMap::new();
        for line in text(file).lines().filter(|line| !line.starts_with('#')) {
            let [topic, judge, document, grade] = line.split_whitespace().collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            judges.entry(judge.to_owned()).or_default().insert(topic, document, grade.parse().unwrap());
        }
        assert_eq!(judges.len(), 3);
        let output = text("out.test.qrels_jg");
        let mut compared = 0;
        for line in output.lines().filter(|line| line.contains("_avgjg")) {
            let [name, topic, expected] = line.split_whitespace().collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let measure: Measure = name.replace("_avgjg", "").parse().unwrap();
            let all: Vec<Scores> = judges.values().map(|qrels| evaluate(&[measure], qrels, &run)).collect();
            let of = |topic: &str| {
                let found =
                    all.iter().filter_map(|scores| scores.topics.iter().find(|scored| scored.topic == topic));
                let values: Vec<f64> = found.map(|scored| scored.cells[0].value).collect();
                values.iter().sum::<f64>() / values.len() as f64
            };
            let value = if topic == "all" {
                ["301", "302", "303"].map(of).iter().sum::<f64>() / 3.0
            } else {
                of(topic)
            };
            assert_eq!(format!("{value:.4}"), expected, "{line}");
            compared += 1;
        }
        assert_eq!(compared, 80);
    }
}

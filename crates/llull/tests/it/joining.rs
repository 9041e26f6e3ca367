//! Documents that join a tournament later: they are asked about, and what was settled is not asked again.

use llull::Study;
use llull::config::Overrides;
use llull::core::Seed;
use llull_testkit::SyntheticStudy;

use crate::collection::{PAIRS, judged, label_lines, run};
use crate::folder_study::{FolderStudy, REPLAY};

const PAIRWISE: &str = "paradigm = \"pairwise\"\n";
const THIRD: &str = "[[systems]]\nname = \"third\"\nrun = \"third.run\"\n\n[[judges]]";

/// The study of two systems, beside which the run of a third one lies.
fn folder(lines: &str) -> FolderStudy {
    let folder = FolderStudy::new(lines, REPLAY);
    let third = run("third", [&["a9", "a1", "a8"], &["b1"], &["c1"]]);
    let mut file = Vec::new();
    llull::data::write_run(&third, &mut file).unwrap();
    folder.write("third.run", &String::from_utf8(file).unwrap());
    let grades = folder.read("known.qrels");
    folder.write("known.qrels", &format!("{grades}q1 0 a9 3\nq1 0 a8 0\n"));
    for (id, text) in [("a8", "The weather is fine."), ("a9", "Reset a forgotten password here.")] {
        let corpus = folder.read("corpus.jsonl");
        folder.write("corpus.jsonl", &format!("{corpus}{{\"id\": {id:?}, \"text\": {text:?}}}\n"));
    }
    folder
}

fn attempts(study: &Study) -> u64 {
    judged(study).1.spent.attempts
}

#[test]
fn the_order_in_which_documents_entered_is_kept_in_the_folder() {
    let folder = folder(PAIRWISE);
    judged(&folder.open());
    let kept = || {
        let names = folder.files().into_iter().filter(|name| name.contains("joined-"));
        names.map(|name| folder.read(&name)).collect::<Vec<_>>()
    };
    let [before] = <[String; 1]>::try_from(kept()).unwrap();
    assert!(!before.contains("a9"), "{before}");
    folder.edit("llull.toml", "[[judges]]", THIRD);
    judged(&folder.open());
    let [after] = <[String; 1]>::try_from(kept()).unwrap();
    let order: serde_json::Value = serde_json::from_str(&after).unwrap();
    let entries = order["topics"]["q1"].as_array().unwrap();
    assert_eq!(entries.len(), 2, "{order}");
    let mut joined: Vec<&str> = entries[1].as_array().unwrap().iter().filter_map(|id| id.as_str()).collect();
    joined.sort_unstable();
    assert_eq!(joined, ["a8", "a9"]);
}

#[test]
fn a_system_that_joins_later_is_asked_about_alone() {
    let (in_steps, at_once) = (folder(PAIRWISE), folder(PAIRWISE));
    let first = attempts(&in_steps.open());
    in_steps.edit("llull.toml", "[[judges]]", THIRD);
    let (inputs, second) = judged(&in_steps.open());
    assert_eq!(inputs.pool.pairs(), PAIRS + 2);
    assert_eq!(second.tallies[0].reused as u64, first, "every answer is still wanted");
    at_once.edit("llull.toml", "[[judges]]", THIRD);
    let (_, whole) = judged(&at_once.open());
    assert!(second.spent.attempts > 0 && second.spent.attempts < whole.spent.attempts);
    assert_eq!(label_lines(&second.evidence), label_lines(&whole.evidence));
    assert_eq!(label_lines(&second.evidence)[0], "q1: a1 10, a2 4, a3 0, a4 6, a8 0, a9 10");
}

/// Windows of five hold documents of before and after, so that the order of entry decides which questions are the same.
#[test]
fn a_system_that_joins_a_larger_tournament_costs_less_than_half_of_it() {
    let attempts_with = |systems: &[&[usize]]| -> Vec<u64> {
        let folder = tempfile::tempdir().unwrap();
        let synthetic = SyntheticStudy { topics: 6, pairs: 120, runs: 3, depth: 12, seed: Seed(9) };
        synthetic.write(folder.path()).unwrap();
        let run = |systems: &&[usize]| {
            let systems =
                systems.iter().map(|n| format!("[[systems]]\nname = \"s{n}\"\nrun = \"system-{n}.run\"\n"));
            let config = format!(
                "version = 1\ntopics = \"topics.tsv\"\nparadigm = \"listwise\"\n[pool]\ndepth = 12\n\
                 [tournament]\nwindow = 5\ntop = 4\n{}[[judges]]\nmodel = \"replay\"\nlabels = \"truth.qrels\"\n",
                systems.collect::<String>()
            );
            fs_err::write(folder.path().join("llull.toml"), config).unwrap();
            attempts(&Study::open(folder.path(), &Overrides::default()).unwrap())
        };
        systems.iter().map(run).collect()
    };
    let [_, joined] = attempts_with(&[&[1, 2], &[1, 2, 3]])[..] else { unreachable!() };
    let [at_once] = attempts_with(&[&[1, 2, 3]])[..] else { unreachable!() };
    assert!(joined > 0 && 2 * joined < at_once, "{joined} of {at_once}");
}

#[test]
fn a_graded_system_that_joins_later_has_only_its_new_pairs_judged() {
    let folder = folder("");
    assert_eq!(attempts(&folder.open()), PAIRS as u64);
    folder.edit("llull.toml", "[[judges]]", THIRD);
    let (_, outcome) = judged(&folder.open());
    assert_eq!((outcome.tallies[0].reused, outcome.spent.attempts), (PAIRS, 2));
}

#[test]
fn another_top_scheme_or_schedule_asks_nothing_twice() {
    let folder = folder(&format!("{PAIRWISE}\n[tournament]\ntop = 1\n"));
    let first = attempts(&folder.open());
    folder.edit("llull.toml", "top = 1", "top = 4\nlabels = \"geometric\"\nschedule = \"sequential\"");
    let (_, outcome) = judged(&folder.open());
    assert!(outcome.tallies[0].reused > 0 && outcome.spent.attempts > 0);
    let ledger = folder.open().ledger().file().unwrap();
    let mut keys = Vec::new();
    llull::store::LedgerReader::scan(&ledger, None, llull::store::Detail::Facts, &mut |_, attempt| {
        keys.push(attempt.key);
        Ok(())
    })
    .unwrap();
    assert_eq!(keys.len() as u64, first + outcome.spent.attempts);
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len() as u64, first + outcome.spent.attempts, "no question twice");
}

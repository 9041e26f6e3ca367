//! trec_eval's preference files.

use llull_data::{Preferences, read_prefs, read_qrels, read_qrels_prefs, write_prefs, write_qrels_prefs};
use proptest::prelude::*;

use crate::{complaint, file};

/// Pairs of one topic with different levels in one subgroup.
fn pairs(preferences: &Preferences, topic: &str) -> usize {
    let mut count = 0;
    for levels in preferences.get(topic).unwrap().values().flat_map(|group| group.values()) {
        let levels: Vec<f64> = levels.values().copied().collect();
        count += levels.iter().flat_map(|a| levels.iter().filter(move |b| a > b)).count();
    }
    count
}

/// The examples of get_prefs.c in trec_eval, with their documented number of preferences.
#[test]
fn the_examples_of_trec_eval() {
    let text = "qid1  ujg1  sub1  docno1  3.0\nqid1  ujg1  sub1  docno2  2.0\nqid1  ujg1  sub1  docno3  0.0\n\
                qid1  ujg1  sub1  docno4  6.0\nqid1  ujg1  sub1  docno5  0.0\nqid1  ujg1  sub1  docno6  2.0\n";
    let (_folder, path) = file(text);
    assert_eq!(pairs(&read_prefs(&path).unwrap().preferences, "qid1"), 13);
    let (_folder, path) = file(text.replace("  sub1", ""));
    let read = read_qrels_prefs(&path).unwrap();
    assert_eq!((pairs(&read.preferences, "qid1"), read.notes.lines), (13, 6));
    let several = "# two users\nqid1 ujg1 sub1 docno1 3.0\nqid1 ujg1 sub1 docno2 2.0\nqid1 ujg2 sub1 docno1 0.0\n\
                   qid1 ujg2 sub1 docno3 6.0\nqid1 ujg2 sub1 docno4 2.0\nqid1 ujg2 sub2 docno1 0.0\n\
        qid1 ujg2 sub2 docno2 8.0\n";
    let (_folder, path) = file(several);
    let read = read_prefs(&path).unwrap().preferences;
    assert_eq!(pairs(&read, "qid1"), 5);
    assert_eq!(read.get("qid1").unwrap()["ujg2"]["sub2"]["docno2"], 8.0);
}

#[test]
fn a_wrong_line_is_named() {
    let fails = |text| complaint(read_prefs, text);
    assert_eq!(
        fails("q g 0 d 1\nq g d 1\n"),
        "line 2: found 4 columns, expected the five of prefs: qid ujg ujsubg docno rel_level. \
         Four columns are those of qrels_prefs"
    );
    assert!(
        fails("q g 0 d -1\n")
            .starts_with("line 1, column 5 (level): found \"-1\", expected a number from 0 up")
    );
    assert!(fails("q g 0 d NaN\n").contains("expected a number from 0 up"));
    assert!(
        fails("q g 0 d 1\nq g 0 d 2\n")
            .contains("document d of query q has level 1 and then 2 in subgroup 0")
    );
    // trec_eval: "doc has both 0 and non-0 rel_level assigned"
    assert!(
        fails("q g 0 d 0\nq g 0 e 1\nq g 1 d 2\n")
            .starts_with("lines 1 and 3: document d of query q has level 0")
    );
    let (_folder, path) = file("q g d 0\nq g d 0.0\nq h d 3\n");
    assert_eq!(read_qrels_prefs(&path).unwrap().notes.repeats, 1);
}

#[test]
fn tiers_are_levels_from_one_up() {
    let mut preferences = Preferences::default();
    preferences.insert_tiers("q1", "llull", "0", &[vec!["d3"], vec!["d1", "d7"], vec!["d2"]]);
    let mut text = Vec::new();
    write_qrels_prefs(&preferences, &mut text).unwrap();
    assert_eq!(
        std::str::from_utf8(&text).unwrap(),
        "q1 llull d3 3\nq1 llull d1 2\nq1 llull d7 2\nq1 llull d2 1\n"
    );
    let (_folder, path) = file(&text);
    assert_eq!(read_qrels(&path).unwrap().qrels.grade("q1", "d3"), Some(3), "it is a file of qrels, too");
    preferences.insert("q1", "llull", "1", "d9", 1.0);
    let error = write_qrels_prefs(&preferences, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("\"llull\"") && error.contains("several subgroups"), "{error}");
    preferences.insert("q 2", "llull", "1", "d9", 1.0);
    assert!(write_prefs(&preferences, &mut Vec::new()).unwrap_err().to_string().contains("\"q 2\""));
}

fn name() -> impl Strategy<Value = String> {
    "[^\\s\\p{C}#][^\\s\\p{C}]{0,4}"
}

proptest! {
    #[test]
    fn both_forms_read_back_as_they_were_written(
        judged in proptest::collection::vec((name(), name(), name(), name(), 1e-300f64..1e300), 0..40),
    ) {
        let (mut several, mut one) = (Preferences::default(), Preferences::default());
        for (topic, group, subgroup, document, level) in &judged {
            several.insert(topic, group, subgroup, document, *level);
            one.insert(topic, group, "0", document, level.floor());
        }
        let mut text = Vec::new();
        write_prefs(&several, &mut text).unwrap();
        let (_folder, path) = file(&text);
        prop_assert_eq!(read_prefs(&path).unwrap().preferences, several);
        let mut text = Vec::new();
        write_qrels_prefs(&one, &mut text).unwrap();
        let (_folder, path) = file(&text);
        prop_assert_eq!(read_qrels_prefs(&path).unwrap().preferences, one);
    }
}

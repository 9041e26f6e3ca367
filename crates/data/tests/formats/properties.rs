//! Tests properties of all files.
//!
//! They read back as written, and no bytes make a reader panic.

use llull_core::{Qrels, Ranking, Run};
use llull_data::{
    CorpusFields, DataError, ReadRunOptions, RowPlace, locate, read_prefs, read_qrels, read_qrels_jg,
    read_qrels_prefs, read_run, read_topics, read_zscores, stream_corpus, write_qrels, write_run,
};
use proptest::prelude::*;

use crate::file;

/// Anything but white space, control characters and the beginning of a comment.
fn name() -> impl Strategy<Value = String> {
    "[^\\s\\p{C}#][^\\s\\p{C}]{0,6}"
}

fn run() -> impl Strategy<Value = Run> {
    let score = any::<f64>().prop_filter("a number", |score| !score.is_nan());
    let hits = proptest::collection::vec((name(), score), 1..12);
    (name(), proptest::collection::vec((name(), hits), 0..6)).prop_map(|(tag, topics)| {
        let mut run = Run::new(tag);
        for (topic, hits) in topics {
            run.insert(topic, Ranking::from_scored(hits.iter().map(|(id, score)| (id.as_str(), *score))));
        }
        run
    })
}

/// Lines that are sometimes a run's.
fn nearly_a_run() -> impl Strategy<Value = Vec<u8>> {
    let line = "(q[12] ?){0,2}(Q0 d[1-9] 1 ){0,2}(-?[0-9]{1,2}|NaN|inf|1e[0-9])? ?(tag)?[\r\t#]?";
    proptest::collection::vec(line, 0..8).prop_map(|lines| lines.join("\n").into_bytes())
}

proptest! {
    #[test]
    fn a_run_reads_back_as_it_was_written(run in run()) {
        let mut text = Vec::new();
        write_run(&run, &mut text).unwrap();
        let (_folder, path) = file(&text);
        let name = Some(run.name.clone());
        let read = read_run(&path, &ReadRunOptions { depth: None, name, ..ReadRunOptions::default() }).unwrap();
        prop_assert_eq!(read.run, run);
        prop_assert_eq!(read.notes.duplicates, 0);
    }

    #[test]
    fn qrels_read_back_as_they_were_written(
        labels in proptest::collection::vec((name(), name(), any::<i32>(), any::<Option<i32>>()), 0..40),
    ) {
        let mut qrels = Qrels::default();
        for (topic, document, grade, mean) in &labels {
            qrels.insert(topic, document, *grade % 100);
            if let Some(mean) = mean {
                qrels.set_mean(topic, document, *mean);
            }
        }
        let mut text = Vec::new();
        write_qrels(&qrels, &mut text).unwrap();
        let (_folder, path) = file(&text);
        prop_assert_eq!(read_qrels(&path).unwrap().qrels, qrels);
    }

    #[test]
    fn a_depth_is_the_full_run_cut(
        lines in proptest::collection::vec(("q[1-3]", "d[1-9]{1,2}", -5i8..5), 0..80),
        depth in 1usize..6,
    ) {
        let text: String =
            lines.iter().map(|(topic, document, score)| format!("{topic} Q0 {document} 1 {score} t\n")).collect();
        let (_folder, path) = file(&text);
        let full = read_run(&path, &ReadRunOptions::default()).unwrap();
        let options = ReadRunOptions { depth: Some(depth), ..ReadRunOptions::default() };
        let cut = read_run(&path, &options).unwrap();
        let distinct: usize = full.run.iter().map(|(_, ranking)| ranking.len()).sum();
        prop_assert_eq!(full.notes.duplicates as usize, lines.len() - distinct);
        prop_assert_eq!(cut.run.len(), full.run.len());
        for (topic, ranking) in full.run.iter() {
            let best = Ranking::from_ordered(ranking.iter().take(depth).map(|hit| (hit.document, hit.score)));
            prop_assert_eq!(cut.run.ranking(topic), Some(&best));
        }
        // The first duplicate that is reported is the first in the file.
        let mut seen = std::collections::BTreeSet::new();
        let first = lines.iter().position(|(topic, document, _)| !seen.insert((topic, document)));
        let reported = full.notes.first_duplicate.map(|duplicate| duplicate.place);
        prop_assert_eq!(reported, first.map(|index| RowPlace::Line(index as u64 + 1)));
    }

    #[test]
    fn no_bytes_make_a_reader_panic(
        bytes in prop_oneof![proptest::collection::vec(any::<u8>(), 0..200), nearly_a_run()],
        magic in prop_oneof![
            Just(&b""[..]),
            Just(&[0x1f, 0x8b, 8][..]),
            Just(&[0x28, 0xb5, 0x2f, 0xfd][..]),
            Just(&b"{\"_id\":"[..]),
        ],
    ) {
        let (_folder, path) = file([magic, &bytes].concat());
        for depth in [None, Some(1)] {
            let options = ReadRunOptions { depth, ..ReadRunOptions::default() };
            if let Err(DataError::Line(error)) = read_run(&path, &options) {
                prop_assert!(error.line > 0);
            }
        }
        let _ = (read_qrels(&path), read_topics(&path), locate(&path, "q1", Some("d1")));
        let _ = (read_qrels_jg(&path), read_zscores(&path), read_prefs(&path), read_qrels_prefs(&path));
        let _ = stream_corpus(&path, &CorpusFields::default(), |_, _| Ok(()));
    }
}

#[test]
fn names_that_a_column_cannot_carry_are_refused() {
    for (topic, document, tag) in [("q 1", "d", "t"), ("q", "", "t"), ("q", "d", "a b"), ("#q", "d", "t")] {
        let mut run = Run::new(tag);
        run.insert(topic, Ranking::from_scored([(document, 1.0)]));
        assert!(matches!(write_run(&run, &mut Vec::new()), Err(DataError::Name { .. })));
    }
}

//! Tests means and standard deviations of other systems.

use llull_core::Factors;
use llull_data::read_zscores;

use crate::{complaint, file};

#[test]
fn the_form_of_trec_eval() {
    let (_folder, path) = file(
        "301 map 0.1212 0.1545\n301 num_rel 474.0000 0.0000\n\n 302\tmap 1e-1 2\n301 map 0.1212 0.1545\n",
    );
    let read = read_zscores(&path).unwrap();
    assert_eq!(read.standardization.get("301", "map"), Some(Factors { mean: 0.1212, deviation: 0.1545 }));
    assert_eq!(read.standardization.get("302", "map"), Some(Factors { mean: 0.1, deviation: 2.0 }));
    assert_eq!(
        (read.standardization.get("302", "P_5"), read.standardization.get("303", "map")),
        (None, None)
    );
    assert_eq!((read.notes.lines, read.notes.repeats, read.notes.constant), (4, 1, 1));
    let topics: Vec<(&str, usize)> =
        read.standardization.iter().map(|(topic, all)| (topic, all.len())).collect();
    assert_eq!(topics, [("301", 2), ("302", 1)]);
}

#[test]
fn a_wrong_line_is_named() {
    let fails = |text| complaint(read_zscores, text);
    assert_eq!(
        fails("map all 0.5\n"),
        "line 1: found 3 columns, expected four: qid measure mean stddev. \
         Three columns are the output of trec_eval: the figures of one system"
    );
    assert!(fails("1 map x 1\n").starts_with("line 1, column 3 (mean): found \"x\", expected a number"));
    assert!(fails("1 map inf 1\n").contains("column 3 (mean)"));
    assert!(
        fails("1 map 0 -1\n")
            .starts_with("line 1, column 4 (stddev): found \"-1\", expected a number from 0 up")
    );
    assert!(fails("1 map 0 NaN\n").contains("column 4 (stddev)"));
    assert!(fails("1 map 0.1 1\n1 map 0.2 1\n").starts_with(
        "line 2 and a line before it: map has mean 0.1 and deviation 1 on query 1, and then 0.2 and 1. Keep one of them"
    ));
}

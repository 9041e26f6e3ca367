//! Numbers of llull.toml that are out of range: the line is named, and nothing panics or fills the memory.

use llull::Study;
use llull::config::Overrides;

use crate::folder_study::{FolderStudy, REPLAY};

#[test]
fn a_number_out_of_its_range_is_refused_with_its_line() {
    let most = "9223372036854775807";
    let folder = FolderStudy::new("", REPLAY);
    let usual = folder.read("llull.toml");
    for (table, key, wrong, range) in [
        ("compare", "resamples", &["0", "10000001", most][..], "must be a whole number from 1 to 10000000"),
        ("compare", "confidence", &["0.4", "1.0", "nan", "inf"], "must be at least 0.5 and below 1"),
        ("retrieve", "depth", &["0", most], "must be a whole number from 1 to 10000000"),
        ("tournament", "window", &["1", "10001", most], "must be a whole number from 2 to 10000"),
        ("tournament", "top", &["0", most], "must be a whole number from 1 to 10000"),
        ("tournament", "rejudge", &["101"], "must be a whole number from 0 to 100"),
        ("tournament", "anchors", &["0", most], "must be a whole number from 1 to 10000"),
        ("tournament", "orders", &["0", "3"], "must be a whole number from 1 to 2"),
        (
            "tournament",
            "window_tokens",
            &["99", "4294967295"],
            "must be a whole number from 100 to 100000000",
        ),
    ] {
        for number in wrong {
            let text = usual.replace("[pool]", &format!("[{table}]\n{key} = {number}\n\n[pool]"));
            let text = text.replace("version = 1", "version = 1\nparadigm = \"listwise\"");
            folder.write("llull.toml", &text);
            let line = text.lines().position(|line| line.starts_with(&format!("{key} ="))).unwrap() + 1;
            let error = Study::open(&folder.path(""), &Overrides::default()).unwrap_err().to_string();
            assert!(error.contains(&format!("llull.toml line {line}: {table}.{key} {range}")), "{error}");
        }
    }
    folder.write("llull.toml", &usual.replace("depth = 3", &format!("depth = {most}")));
    let error = Study::open(&folder.path(""), &Overrides::default()).unwrap_err().to_string();
    assert!(error.contains("pool.depth must be a whole number from 1 to 10000000"), "{error}");
}

#[test]
fn the_most_that_is_in_range_is_accepted() {
    let folder = FolderStudy::new("", REPLAY);
    folder.edit(
        "llull.toml",
        "depth = 3",
        "depth = 10000000\n\n[compare]\nresamples = 10000000\nconfidence = 0.99",
    );
    assert_eq!(folder.open().settings().compare.resamples, 10_000_000);
}

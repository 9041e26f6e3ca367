//! Reading a sample.

use std::path::Path;

use llull_core::{DrawnSample, SampleDesign, SamplingUnit};
use rustc_hash::{FxHashMap, FxHashSet};

use super::columns::Columns;
use super::header::Header;
use crate::{Conflict, DataError, error::shown_path, lines::Lines};

/// A sample that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleFile {
    /// The sample.
    pub sample: DrawnSample,
    /// The names of columns that were not read.
    pub unread: Vec<String>,
}

/// Reads a sample: a frame of pairs with the probability of each, as [`write_sample`](crate::write_sample) writes it.
///
/// Header lines have the form `# name: value`. Then come the names of the columns, separated by tabs: `query`,
/// `document`, `probability`, and optionally `drawn` (1 or 0) and `stratum`, in any order. Each further line is a pair
/// that could be drawn; a pair that could not is not listed.
///
/// # Errors
/// Returns an error if the file cannot be read, a line does not have that form, a probability is not above 0 and at
/// most 1, or a pair occurs twice. So it does if the number of pairs differs from that in the header, or if queries
/// were drawn and pairs of one query differ in how.
pub fn read_sample(path: impl AsRef<Path>) -> Result<SampleFile, DataError> {
    let path = path.as_ref();
    let mut lines = Lines::open(path)?;
    let (mut sample, mut header) = (DrawnSample::default(), Header::default());
    let columns = loop {
        match lines.next_filled()? {
            None => {
                return Err(DataError::Empty {
                    file: shown_path(path),
                    wanted: "pair",
                    remedy: "A sample's file lists every pair that could be drawn, with its probability"
                        .into(),
                });
            }
            Some(line) if line.text.trim_ascii_start().starts_with('#') => header.take(&line, &mut sample)?,
            Some(line) => break Columns::of(&line)?,
        }
    };
    let mut pairs = FxHashSet::default();
    let mut queries = Queries::default();
    while let Some(line) = lines.next_filled()? {
        let unit = columns.unit(&line)?;
        let what = || format!("document {} of query {} is listed", unit.document, unit.topic);
        if !pairs.insert((unit.topic.clone(), unit.document.clone())) {
            return Err(twice(line.file, line.number, what(), "Keep one of them"));
        }
        if sample.design == Some(SampleDesign::Queries) {
            queries.check(&unit, line.file, line.number)?;
        }
        sample.units.push(unit);
    }
    header.check(lines.file(), sample.units.len())?;
    if sample.units.is_empty() {
        return Err(DataError::Empty {
            file: shown_path(path),
            wanted: "pair",
            remedy: "List every pair that could be drawn, with its probability".into(),
        });
    }
    Ok(SampleFile { sample, unread: columns.unread })
}

fn twice(file: &str, line: u64, what: String, remedy: &str) -> DataError {
    DataError::from(Conflict {
        file: file.to_owned(),
        first: None,
        second: line,
        what,
        remedy: remedy.into(),
    })
}

/// How each query was drawn, where queries were: all of its pairs must agree.
#[derive(Default)]
struct Queries(FxHashMap<String, (f64, Option<bool>)>);

impl Queries {
    fn check(&mut self, unit: &SamplingUnit, file: &str, line: u64) -> Result<(), DataError> {
        let said = (unit.probability, unit.drawn);
        let first = *self.0.entry(unit.topic.clone()).or_insert(said);
        if first == said {
            return Ok(());
        }
        let what =
            format!("pairs of query {} differ in probability or in whether they were drawn", unit.topic);
        Err(twice(file, line, what, "The design is queries: a query is drawn with all of its pairs"))
    }
}

#[cfg(test)]
mod tests {
    use llull_core::Seed;

    use super::*;
    use crate::write_sample;

    fn read(text: &str) -> Result<SampleFile, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sample.tsv");
        fs_err::write(&path, text).unwrap();
        read_sample(&path).map_err(|error| error.to_string().replace(&shown_path(&path), "sample.tsv"))
    }

    fn unit(topic: &str, document: &str, probability: f64, drawn: bool) -> SamplingUnit {
        SamplingUnit {
            topic: topic.into(),
            document: document.into(),
            probability,
            drawn: Some(drawn),
            stratum: (probability < 0.5).then(|| "2+".to_owned()),
        }
    }

    #[test]
    fn a_sample_is_read_back_as_it_was_written() {
        let sample = DrawnSample {
            design: Some(SampleDesign::Stratified),
            seed: Some(Seed(u64::MAX)),
            notes: vec![("systems".into(), "bm25, dense: two".into())],
            units: vec![unit("q1", "d1", 1.0 / 3.0, true), unit("q1", "d2", 1.0, false)],
        };
        let mut written = Vec::new();
        write_sample(&sample, &mut written).unwrap();
        let text = String::from_utf8(written).unwrap();
        assert!(text.starts_with("# llull-sample: 1\n# design: stratified\n"), "{text}");
        assert_eq!(read(&text).unwrap(), SampleFile { sample, unread: Vec::new() });
    }

    #[test]
    fn a_file_of_probabilities_alone_says_neither_design_nor_draw() {
        let file = read("document\tquery\tprobability\tscore\nd1\tq1\t.25\t7\n").unwrap();
        assert_eq!(file.unread, ["score"]);
        assert_eq!(file.sample.design, None);
        let unit = &file.sample.units[0];
        assert_eq!((unit.topic.as_str(), unit.probability, unit.drawn), ("q1", 0.25, None));
    }

    #[test]
    fn what_is_no_sample_is_refused_and_said() {
        const COLUMNS: &str = "query\tdocument\tprobability\n";
        for (text, said) in [
            (
                format!("{COLUMNS}q1\td1\t0\n"),
                "line 2, column 3 (probability): found \"0\", expected a probability",
            ),
            (format!("{COLUMNS}q1\td1\t1.5\n"), "above 0 and at most 1"),
            (format!("{COLUMNS}q1\td1\tNaN\n"), "above 0 and at most 1"),
            (format!("{COLUMNS}q1\td1\t.5\nq1\td1\t.5\n"), "document d1 of query q1 is listed. Keep one"),
            (
                format!("# frame: 2\n{COLUMNS}q1\td1\t.5\n"),
                "line 1: found a frame of 2 pairs, expected one of 1",
            ),
            (format!("# llull-sample: 2\n{COLUMNS}"), "A newer llull wrote this file"),
            (format!("# design: move-to-front\n{COLUMNS}"), "expected one of pairs, stratified, unequal"),
            ("q1 0 d1 1\n".to_owned(), "the names of columns"),
            (COLUMNS.to_owned(), "there is no pair in it"),
            (
                "# design: queries\nquery\tdocument\tprobability\tdrawn\nq\ta\t.5\t1\nq\tb\t.5\t0\n"
                    .to_owned(),
                "pairs of query q differ",
            ),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}

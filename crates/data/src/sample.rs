//! Samples for annotators: a frame with probabilities, and the drawn pairs.

use std::io::Write;
use std::path::Path;

use llull_core::{DrawnSample, SampleDesign, SamplingUnit, Seed};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::decimal::parse_f64;
use crate::error::{shown_path, so_many_columns};
use crate::identifier::check_identifier;
use crate::lines::{Line, Lines};
use crate::spreadsheet::{marked, without_marks};
use crate::tables::{Columns as NamedColumns, Header as ColumnHeader, Role, TableKind};
use crate::trec::{column, first_column, output};
use crate::{Conflict, DataError, SheetFormat};

/// The values in the header lines.
#[derive(Default)]
struct Header {
    /// The number of pairs in the frame, and the header line with it.
    frame: Option<(usize, u64)>,
}

impl Header {
    /// Takes one line, which begins with `#`.
    fn take(&mut self, line: &Line<'_>, sample: &mut DrawnSample) -> Result<(), DataError> {
        let text = line.text.trim_ascii().trim_start_matches('#').trim_ascii();
        let Some((name, value)) = text.split_once(':') else { return Ok(()) };
        let (name, value) = (name.trim_ascii(), value.trim_ascii());
        match name {
            "llull-sample" => version(line, value)?,
            "design" => sample.design = Some(design(line, value)?),
            "seed" => sample.seed = Some(Seed(number(line, "seed", value)?)),
            "frame" => self.frame = Some((number(line, "frame", value)? as usize, line.number)),
            _ => sample.notes.push((name.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    /// Checks the number of pairs against that in the header.
    fn check(&self, file: &str, found: usize) -> Result<(), DataError> {
        match self.frame {
            Some((said, line)) if said != found => {
                let line = Line { text: "", number: line, file };
                Err(line.wrong(
                    None,
                    format!("a frame of {said} pairs"),
                    &format!("one of {found}, which are the pairs that follow"),
                    "Lines were cut off or added: the file must list every pair that could be drawn, as it was written",
                ))
            }
            _ => Ok(()),
        }
    }
}

fn version(line: &Line<'_>, value: &str) -> Result<(), DataError> {
    match value.parse::<u32>() {
        Ok(version) if (1..=VERSION).contains(&version) => Ok(()),
        _ => Err(line.bad_column(
            1,
            "llull-sample",
            value,
            &format!("a version up to {VERSION}"),
            "A newer llull wrote this file: use that one",
        )),
    }
}

fn design(line: &Line<'_>, value: &str) -> Result<SampleDesign, DataError> {
    SampleDesign::from_name(value).ok_or_else(|| {
        let known = SampleDesign::ALL.map(SampleDesign::name).join(", ");
        line.bad_column(1, "design", value, &format!("one of {known}"), "")
    })
}

fn number(line: &Line<'_>, name: &'static str, value: &str) -> Result<u64, DataError> {
    value.parse().map_err(|_| line.bad_column(1, name, value, "a whole number from 0 up", ""))
}

/// The newest version that is read, and the one that is written.
const VERSION: u32 = 1;

/// Where each column stands, from 0. The others are not read.
struct Columns {
    topic: usize,
    document: usize,
    probability: usize,
    drawn: Option<usize>,
    stratum: Option<usize>,
    count: usize,
}

impl Columns {
    /// Reads the line that names the columns, and notes how they are read.
    fn of(line: &Line<'_>, named: &NamedColumns) -> Result<Self, DataError> {
        let names: Vec<String> = line.text.split('\t').map(|name| name.trim_ascii().to_owned()).collect();
        if let Some(twice) = (1..names.len()).find(|at| names[..*at].contains(&names[*at])) {
            return Err(line.wrong(
                None,
                format!("two columns {:?}", names[twice]),
                "each name once",
                "Rename one of them",
            ));
        }
        let header = ColumnHeader::find(TableKind::Sample, named, names, line)?;
        let place = |role: Role| header.at(role);
        let (Some(topic), Some(document), Some(probability)) =
            (place(Role::Query), place(Role::Document), place(Role::Probability))
        else {
            return Err(line.unexpected(
                "the names of columns, separated by tabs: query, document, probability, and drawn and stratum if there \
                 are such",
                "Name other columns with --columns probability=COLUMN. A sample's file lists every pair that could be \
                 drawn with its probability; docs/reference/files.md shows one. If people labelled a uniform sample, \
                 --sampled pairs or --sampled queries need no file",
            ));
        };
        let counting = [Role::Query, Role::Document, Role::Probability, Role::Drawn, Role::Stratum];
        header.note(line.file, &counting, named);
        let (drawn, stratum) = (place(Role::Drawn), place(Role::Stratum));
        Ok(Self { topic, document, probability, drawn, stratum, count: header.len() })
    }

    /// Reads the pair of a line.
    fn unit(&self, line: &Line<'_>) -> Result<SamplingUnit, DataError> {
        let cells: Vec<&str> = line.text.split('\t').map(str::trim_ascii).collect();
        if cells.len() != self.count {
            let expected = format!("{}, as the line with their names has", self.count);
            return Err(line.wrong(None, so_many_columns(cells.len()), &expected, "Columns end with tabs"));
        }
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
        Ok(SamplingUnit {
            topic: name(line, self.topic, "query", cell(self.topic))?,
            document: name(line, self.document, "document", cell(self.document))?,
            probability: probability(line, self.probability, cell(self.probability))?,
            drawn: self.drawn.map(|at| drawn(line, at, cell(at))).transpose()?,
            stratum: self
                .stratum
                .map(cell)
                .filter(|name| !name.is_empty())
                .map(|name| without_marks(name, SheetFormat::Tabs)),
        })
    }
}

fn name(line: &Line<'_>, at: usize, what: &'static str, id: &str) -> Result<String, DataError> {
    check_identifier(line, id)?;
    if id.is_empty() || id.contains(char::is_whitespace) {
        return Err(line.bad_column(at + 1, what, id, "an identifier without white space", ""));
    }
    Ok(without_marks(id, SheetFormat::Tabs))
}

fn probability(line: &Line<'_>, at: usize, text: &str) -> Result<f64, DataError> {
    parse_f64(text).filter(|probability| *probability > 0.0 && *probability <= 1.0).ok_or_else(|| {
        line.bad_column(
            at + 1,
            "probability",
            text,
            "a probability above 0 and at most 1",
            "A pair that cannot be drawn is not listed; labels chosen by a rule are no sample",
        )
    })
}

fn drawn(line: &Line<'_>, at: usize, text: &str) -> Result<bool, DataError> {
    match text {
        "1" => Ok(true),
        "0" => Ok(false),
        _ => Err(line.bad_column(at + 1, "drawn", text, "1 for a pair that was drawn, else 0", "")),
    }
}

/// Reads a sample: a frame of pairs with the probability of each, as [`write_sample`](crate::write_sample) writes it.
///
/// Header lines have the form `# name: value`. Then come the names of the columns, separated by tabs: `query`,
/// `document`, `probability`, and optionally `drawn` (1 or 0) and `stratum`, in any order; `columns` can give them
/// other names. Each further line is a pair that could be drawn; a pair that could not is not listed.
///
/// # Errors
/// Returns an error if the file cannot be read, a line does not have that form, a probability is not above 0 and at
/// most 1, or a pair occurs twice. So it does if the number of pairs differs from that in the header, or if queries
/// were drawn and pairs of one query differ in how.
pub fn read_sample(path: impl AsRef<Path>, columns: &NamedColumns) -> Result<DrawnSample, DataError> {
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
            Some(line) => break Columns::of(&line, columns)?,
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
    Ok(sample)
}

fn twice(file: &str, line: u64, what: String, remedy: &str) -> DataError {
    DataError::from(Conflict {
        file: file.to_owned(),
        first: None,
        second: line.into(),
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

/// Writes a sample as [`read_sample`](crate::read_sample) reads it: the whole frame, in its order. The column `drawn`
/// is there if it is known of every pair, `stratum` if any pair has one.
///
/// # Errors
/// Returns an error if a name is empty or holds white space or a control character, a query's name begins with `#`, a
/// note would not be one line, or `out` fails.
pub fn write_sample(sample: &DrawnSample, out: &mut dyn Write) -> Result<(), DataError> {
    writeln!(out, "# llull-sample: {VERSION}").map_err(output)?;
    if let Some(design) = sample.design {
        writeln!(out, "# design: {}", design.name()).map_err(output)?;
    }
    if let Some(seed) = sample.seed {
        writeln!(out, "# seed: {}", seed.0).map_err(output)?;
    }
    writeln!(out, "# frame: {}", sample.units.len()).map_err(output)?;
    for (name, value) in &sample.notes {
        writeln!(out, "# {}: {}", note(name, true)?, note(value, false)?).map_err(output)?;
    }
    let drawn = sample.units.iter().all(|unit| unit.drawn.is_some());
    let strata = sample.units.iter().any(|unit| unit.stratum.is_some());
    let more = [drawn.then_some("\tdrawn"), strata.then_some("\tstratum")];
    let more: String = more.into_iter().flatten().collect();
    writeln!(out, "query\tdocument\tprobability{more}").map_err(output)?;
    for unit in &sample.units {
        let (topic, document) = (first_column("query", &unit.topic)?, column("document", &unit.document)?);
        let [topic, document] = [topic, document].map(|name| marked(name, SheetFormat::Tabs));
        write!(out, "{topic}\t{document}\t{:?}", unit.probability).map_err(output)?;
        if drawn {
            write!(out, "\t{}", u8::from(unit.drawn == Some(true))).map_err(output)?;
        }
        if strata {
            let name = unit.stratum.as_deref().map_or(Ok(""), |name| column("stratum", name))?;
            write!(out, "\t{}", marked(name, SheetFormat::Tabs)).map_err(output)?;
        }
        writeln!(out).map_err(output)?;
    }
    out.flush().map_err(output)
}

/// Checks that a note reads back as written.
fn note(text: &str, is_name: bool) -> Result<&str, DataError> {
    let because = if text.contains(char::is_control) {
        "a control character may end the line"
    } else if is_name && (text.is_empty() || text.contains(':')) {
        "it stands before a colon"
    } else {
        return Ok(text);
    };
    Err(DataError::Name { what: "note", name: text.to_owned(), because })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_with(text: &str, columns: &NamedColumns) -> Result<DrawnSample, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sample.tsv");
        fs_err::write(&path, text).unwrap();
        read_sample(&path, columns)
            .map_err(|error| error.to_string().replace(&shown_path(&path), "sample.tsv"))
    }

    fn read(text: &str) -> Result<DrawnSample, String> {
        read_with(text, &NamedColumns::default())
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
        assert_eq!(read(&text).unwrap(), sample);
    }

    #[test]
    fn a_file_of_probabilities_alone_says_neither_design_nor_draw() {
        let columns = NamedColumns::default();
        let sample = read_with("document\tquery\tprobability\tscore\nd1\tq1\t.25\t7\n", &columns).unwrap();
        assert!(columns.take_tables()[0].ends_with("; 1 field unused: score"));
        assert_eq!(sample.design, None);
        let unit = &sample.units[0];
        assert_eq!((unit.topic.as_str(), unit.probability, unit.drawn), ("q1", 0.25, None));
    }

    #[test]
    fn columns_of_other_names_are_found_or_named() {
        let text = "qid\tsku\tpi\nq1\td1\t.25\n";
        let error = read(text).unwrap_err();
        assert!(error.contains("--columns probability=COLUMN"), "{error}");
        let columns: NamedColumns = "probability=pi".parse().unwrap();
        let unit = read_with(text, &columns).unwrap().units.remove(0);
        assert_eq!((unit.topic.as_str(), unit.document.as_str(), unit.probability), ("q1", "d1", 0.25));
        let line = columns.take_tables().remove(0);
        assert!(line.ends_with(": query = qid, document = sku, probability = pi"), "{line}");
        let ambiguous = "query_id\tqid\tdocument\tprobability\nq1\tq1\td1\t.25\n";
        let error = read_with(ambiguous, &columns).unwrap_err();
        assert!(error.contains("--columns query="), "{error}");
        assert_eq!(columns.take_ambiguity().unwrap().0, "query");
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

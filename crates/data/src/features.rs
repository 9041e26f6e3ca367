//! Tables of answers about pairs.
//!
//! A table has a row for each pair, a column for each feature, and LHS, RHS or Neither in each cell.

use std::path::Path;

use llull_core::PairChoice;

use crate::error::{quoted, shown_path};
use crate::lines::Lines;
use crate::{DataError, csv::Records};

/// The most columns of answers: a regression solves a system of so many equations.
const MOST_FEATURES: usize = 1_000;

/// Which columns of a table are something else than features, by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeatureColumns {
    /// The column with the answer to learn; `None` without one.
    pub target: Option<String>,
    /// The column with each pair's query; `None` without one.
    pub group: Option<String>,
    /// Columns that are not read.
    pub ignored: Vec<String>,
    /// If there are any, the only columns that are read as features; all others are ignored.
    pub only: Vec<String>,
}

/// A table of answers about pairs, unchanged from the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeaturesFile {
    /// The features' names, without the calls in the header.
    pub names: Vec<String>,
    /// How many calls an answer to each feature costs.
    pub calls: Vec<u32>,
    /// By feature, by row.
    pub columns: Vec<Vec<PairChoice>>,
    /// The target of each row; empty without such a column.
    pub targets: Vec<PairChoice>,
    /// The query of each row; empty without such a column.
    pub groups: Vec<String>,
    /// The line of each row, from 1.
    pub lines: Vec<u64>,
}

/// Reads a table of answers about pairs, separated by commas, semicolons or tabs, under a header.
///
/// An answer is `LHS`, `RHS` or `Neither`; `left`, `right`, `neither`, `tie`; `A`, `B`; or `1`, `-1`, `0`, whatever
/// the case. An empty cell is a missing answer. A feature's name may end in `@N`: an answer costs N calls, else 1.
///
/// # Errors
/// Returns an error that names the line if a column is missing or occurs twice, a record has another number of fields,
/// or a cell has another word; and if there is no row.
pub fn read_features(path: impl AsRef<Path>, columns: &FeatureColumns) -> Result<FeaturesFile, DataError> {
    let path = path.as_ref();
    let empty = || DataError::Empty {
        file: shown_path(path),
        wanted: "row of answers",
        remedy: "The first line names the columns, and each line below it is a pair".to_owned(),
    };
    let named = [columns.target.as_deref(), columns.group.as_deref()];
    let mut records = Records::find_separator(Lines::open(path)?, |name| named.contains(&Some(name)))?;
    if !records.advance()? {
        return Err(empty());
    }
    let header = Header::find(&records, columns)?;
    let (names, calls) = header.features.iter().map(|feature| (feature.name.clone(), feature.calls)).unzip();
    let mut file = FeaturesFile { names, calls, ..FeaturesFile::default() };
    file.columns = vec![Vec::new(); file.names.len()];
    while records.advance()? {
        header.row(&records, &mut file)?;
    }
    if file.lines.is_empty() {
        return Err(empty());
    }
    Ok(file)
}

/// A column of answers.
struct Feature {
    at: usize,
    name: String,
    calls: u32,
}

impl Feature {
    /// Takes `@N` off the name of a column.
    fn of(at: usize, written: &str) -> Self {
        let costly = written.rsplit_once('@').and_then(|(name, calls)| Some((name, calls.parse().ok()?)));
        let (name, calls) = costly.filter(|(name, _)| !name.is_empty()).unwrap_or((written, 1));
        Self { at, name: name.to_owned(), calls }
    }
}

/// Where the columns are.
struct Header {
    target: Option<usize>,
    group: Option<usize>,
    features: Vec<Feature>,
    /// The target's name.
    target_name: String,
    count: usize,
}

impl Header {
    fn find(record: &Records, columns: &FeatureColumns) -> Result<Self, DataError> {
        let line = record.place();
        let names: Vec<&str> = (0..record.len()).map(|at| record.field_at(at)).collect();
        for (at, name) in names.iter().enumerate() {
            if name.is_empty() || name.contains(char::is_control) {
                let found = format!("column {} named {}", at + 1, quoted(name));
                return Err(line.wrong(None, found, "a name on one line", "Name the column"));
            }
            if names[..at].contains(name) {
                let found = format!("two columns {}", quoted(name));
                return Err(line.wrong(None, found, "one", "Rename the other"));
            }
        }
        let place = |name: &str, option: &str| match names.iter().position(|known| *known == name) {
            Some(at) => Ok(at),
            None => Err(line.wrong(
                None,
                format!("no column {}", quoted(name)),
                &format!("a header with the column of {option}"),
                "Check its name",
            )),
        };
        let target = columns.target.as_deref().map(|name| place(name, "--target")).transpose()?;
        let group = columns.group.as_deref().map(|name| place(name, "--group")).transpose()?;
        let mut other: Vec<usize> = target.into_iter().chain(group).collect();
        for name in &columns.ignored {
            other.push(place(name, "--ignore")?);
        }
        let wanted = |name: &str| columns.only.is_empty() || columns.only.iter().any(|only| only == name);
        let features: Vec<Feature> = (0..names.len())
            .filter(|at| !other.contains(at))
            .map(|at| Feature::of(at, names[at]))
            .filter(|feature| wanted(&feature.name))
            .collect();
        if features.len() > MOST_FEATURES {
            let found = format!("{} columns of answers", features.len());
            return Err(line.wrong(None, found, &format!("at most {MOST_FEATURES}"), "Leave some out"));
        }
        let target_name = columns.target.clone().unwrap_or_default();
        Ok(Self { target, group, features, target_name, count: names.len() })
    }

    fn row(&self, record: &Records, file: &mut FeaturesFile) -> Result<(), DataError> {
        if record.len() != self.count {
            return Err(record.place().wrong(
                None,
                if record.len() == 1 { "1 field".into() } else { format!("{} fields", record.len()) },
                &format!("{}, as in the header", self.count),
                "",
            ));
        }
        for (feature, column) in self.features.iter().zip(&mut file.columns) {
            column.push(answer(record, feature.at, &feature.name)?);
        }
        if let Some(at) = self.target {
            file.targets.push(answer(record, at, &self.target_name)?);
        }
        if let Some(at) = self.group {
            let group = record.field_at(at);
            if group.is_empty() {
                let found = format!("nothing in column {}, the group", at + 1);
                return Err(record.place().wrong(None, found, "a query's name", ""));
            }
            file.groups.push(group.to_owned());
        }
        file.lines.push(record.place().number);
        Ok(())
    }
}

fn answer(record: &Records, at: usize, name: &str) -> Result<PairChoice, DataError> {
    let text = record.field_at(at);
    Ok(match text.to_ascii_lowercase().as_str() {
        "" => PairChoice::Missing,
        "lhs" | "left" | "a" | "1" | "+1" => PairChoice::Lhs,
        "rhs" | "right" | "b" | "-1" => PairChoice::Rhs,
        "neither" | "tie" | "0" => PairChoice::Neither,
        _ => {
            return Err(record.place().wrong(
                None,
                format!("{} in column {} ({})", quoted(text), at + 1, quoted(name)),
                "LHS, RHS or Neither (or left, right, tie; A, B; 1, -1, 0), or nothing where there is no answer",
                "A column that holds something else is left out with --ignore",
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, columns: &FeatureColumns) -> Result<FeaturesFile, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("features.csv");
        fs_err::write(&path, text).unwrap();
        read_features(&path, columns)
            .map_err(|error| error.to_string().replace(&path.display().to_string(), "FILE"))
    }

    fn columns() -> FeatureColumns {
        let (target, group) = (Some("who".to_owned()), Some("q".to_owned()));
        FeatureColumns { target, group, ..FeatureColumns::default() }
    }

    #[test]
    fn every_spelling_is_read() {
        use PairChoice::{Lhs, Missing, Neither, Rhs};
        let text = "q,x,y,who\nq1,LHS,left,1\nq1,Rhs,B,-1\nq2,Neither,tie,0\nq2,,A,rhs\n";
        let file = read(text, &columns()).unwrap();
        assert_eq!(file.names, ["x", "y"]);
        assert_eq!(file.columns, [[Lhs, Rhs, Neither, Missing], [Lhs, Rhs, Neither, Lhs]]);
        assert_eq!(file.targets, [Lhs, Rhs, Neither, Rhs]);
        assert_eq!(file.groups, ["q1", "q1", "q2", "q2"]);
        for separator in ["\t", ";"] {
            assert_eq!(read(&text.replace(',', separator), &columns()).unwrap(), file);
        }
    }

    #[test]
    fn what_is_no_answer_is_named() {
        let error = read("q,x,who\nq1,LHS,RHS\nq1,maybe,RHS\n", &columns()).unwrap_err();
        assert!(error.starts_with("FILE line 3: found \"maybe\" in column 2 (\"x\")"), "{error}");
        let error = read("q,x,who\n,LHS,RHS\n", &columns()).unwrap_err();
        assert!(error.contains("line 2") && error.contains("column 1, the group"), "{error}");
        let error = read("q,x\nq1,LHS\n", &columns()).unwrap_err();
        assert!(error.contains("no column \"who\""), "{error}");
        let error = read("q,x,x,who\n", &columns()).unwrap_err();
        assert!(error.contains("two columns \"x\""), "{error}");
        assert!(read("q,,who\nq1,A,B\n", &columns()).unwrap_err().contains("column 2 named"));
        assert!(read("q,x,who\nq1,LHS\n", &columns()).unwrap_err().contains("2 fields"));
        assert!(read("q,x,who\n", &columns()).unwrap_err().contains("row of answers"));
    }

    #[test]
    fn a_header_says_what_an_answer_costs() {
        let file = read("q,x@2,me@home,@3,who\nq1,LHS,RHS,A,RHS\n", &columns()).unwrap();
        assert_eq!(
            (file.names.as_slice(), file.calls),
            (["x", "me@home", "@3"].map(String::from).as_slice(), vec![2, 1, 1])
        );
    }

    #[test]
    fn columns_can_be_left_out() {
        let text = "q,doc,x,y,who\nq1,d1,LHS,?,RHS\n";
        assert!(read(text, &columns()).is_err());
        let only = FeatureColumns { only: vec!["x".into()], ..columns() };
        assert_eq!(read(text, &only).unwrap().names, ["x"]);
        let ignored = FeatureColumns { ignored: vec!["doc".into(), "y".into()], ..columns() };
        assert_eq!(read(text, &ignored).unwrap().names, ["x"]);
    }
}

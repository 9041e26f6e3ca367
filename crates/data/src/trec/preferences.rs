//! Reads trec_eval's preference judgments.
//!
//! The forms are `qid ujg ujsubg docid level` (`-R prefs`) and `qid ujg docid level` (`-R qrels_prefs`).

use std::path::Path;

use indexmap::{IndexMap, map::Entry};
use llull_core::Preferences;

use super::qrels::QrelsNotes;
use crate::{
    Conflict, DataError, RowPlace,
    error::so_many_columns,
    identifier::check_identifier,
    lines::{Line, Lines},
};

/// The preferences of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct PreferencesFile {
    /// The preferences.
    pub preferences: Preferences,
    /// Remarks on the file.
    pub notes: QrelsNotes,
}

/// Reads `qid ujg ujsubg docid level` in any white space. Blank lines and lines whose first word begins with
/// `#` are skipped. Whether the subgroups of a group agree with each other is not checked.
///
/// # Errors
/// Returns an error if the file cannot be read, a line has another number of columns, or a level is not a number from
/// 0 up. It also refuses a document with two levels in one subgroup, or with level 0 and another level in one group.
pub fn read_prefs(path: impl AsRef<Path>) -> Result<PreferencesFile, DataError> {
    read(Lines::open(path.as_ref())?, PrefsForm::Prefs, |_, _| Ok(()))
}

/// Reads `qid ujg docid level` in any white space, which is how trec_eval reads qrels as preferences: the
/// second column is the judgment group, and each group has one subgroup, `0`.
///
/// # Errors
/// Returns an error in the same cases as [`read_prefs`].
pub fn read_qrels_prefs(path: impl AsRef<Path>) -> Result<PreferencesFile, DataError> {
    read(Lines::open(path.as_ref())?, PrefsForm::QrelsPrefs, |_, _| Ok(()))
}

/// trec_eval's two forms of preferences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PrefsForm {
    /// `qid ujg ujsubg docid level`
    Prefs,
    /// `qid ujg docid level`
    QrelsPrefs,
}

/// Reads preferences from lines. `look` gets every line and its query before it is used.
pub(crate) fn read(
    mut lines: Lines,
    form: PrefsForm,
    mut look: impl FnMut(&Line<'_>, &str) -> Result<(), DataError>,
) -> Result<PreferencesFile, DataError> {
    let mut preferences = Preferences::default();
    let mut notes = QrelsNotes::default();
    // With one subgroup in each group, a subgroup cannot disagree with another.
    let mut zeros = (form == PrefsForm::Prefs).then(Zeros::new);
    while let Some(line) = lines.next_entry()? {
        let judged = Judged::parse(&line, form)?;
        look(&line, judged.topic)?;
        notes.lines += 1;
        if let Some(zeros) = &mut zeros {
            judged.agrees_on_zero(&line, zeros)?;
        }
        let Judged { topic, group, subgroup, document, level } = judged;
        match preferences.insert(topic, group, subgroup, document, level) {
            Some(before) if before != level => {
                return Err(contradiction(
                    &line,
                    None,
                    format!(
                        "document {document} of query {topic} has level {before} and then {level} in subgroup \
                         {subgroup} of group {group}"
                    ),
                ));
            }
            Some(_) => notes.repeat(line.number, topic, document),
            None => {}
        }
    }
    Ok(PreferencesFile { preferences, notes })
}

/// The first line that decides whether a document of a group is relevant at all, and its decision.
type Zeros = IndexMap<(String, String, String), (u64, bool)>;

struct Judged<'a> {
    topic: &'a str,
    group: &'a str,
    subgroup: &'a str,
    document: &'a str,
    level: f64,
}

impl<'a> Judged<'a> {
    fn parse(line: &Line<'a>, form: PrefsForm) -> Result<Self, DataError> {
        let mut columns = line.text.split_ascii_whitespace();
        let (topic, group) = (columns.next(), columns.next());
        let subgroup = if form == PrefsForm::Prefs { columns.next() } else { Some("0") };
        let (Some(topic), Some(group), Some(subgroup), Some(document), Some(level), None) =
            (topic, group, subgroup, columns.next(), columns.next(), columns.next())
        else {
            return Err(wrong_columns(line, form));
        };
        for id in [topic, group, subgroup, document] {
            check_identifier(line, id)?;
        }
        let column = if form == PrefsForm::Prefs { 5 } else { 4 };
        match level.parse::<f64>() {
            // Negative zero is zero.
            Ok(number) if number >= 0.0 && number.is_finite() => {
                Ok(Self { topic, group, subgroup, document, level: number.abs() })
            }
            _ => Err(line.bad_column(
                column,
                "level",
                level,
                "a number from 0 up, such as 2 or 5.5",
                "A higher level is preferred, and 0 is not relevant",
            )),
        }
    }

    /// trec_eval refuses a group that calls a document both relevant and not relevant.
    fn agrees_on_zero(&self, line: &Line<'_>, zeros: &mut Zeros) -> Result<(), DataError> {
        let zero = self.level == 0.0;
        let key = (self.topic.to_owned(), self.group.to_owned(), self.document.to_owned());
        match zeros.entry(key) {
            Entry::Vacant(new) => {
                new.insert((line.number, zero));
                Ok(())
            }
            Entry::Occupied(known) if known.get().1 == zero => Ok(()),
            Entry::Occupied(known) => {
                let Self { topic, group, document, .. } = self;
                let what = format!(
                    "document {document} of query {topic} has level 0, which is not relevant, and another level in \
                     group {group}"
                );
                Err(contradiction(line, Some(known.get().0), what))
            }
        }
    }
}

fn contradiction(line: &Line<'_>, first: Option<u64>, what: String) -> DataError {
    DataError::from(Conflict {
        file: line.file.to_owned(),
        first: first.map(RowPlace::Line),
        second: line.number.into(),
        what,
        remedy: "Keep one of them, or give each judge a group of their own".into(),
    })
}

fn wrong_columns(line: &Line<'_>, form: PrefsForm) -> DataError {
    let found = line.text.split_ascii_whitespace().count();
    let (expected, other) = match form {
        PrefsForm::Prefs => ("the five of prefs: qid ujg ujsubg docno rel_level", 4),
        PrefsForm::QrelsPrefs => ("the four of qrels_prefs: qid ujg docno rel_level", 5),
    };
    let remedy = match (found == other, form) {
        (true, PrefsForm::Prefs) => "Four columns are those of qrels_prefs",
        (true, PrefsForm::QrelsPrefs) => "Five columns are those of prefs",
        (false, _) => "",
    };
    line.wrong(None, so_many_columns(found), expected, remedy)
}

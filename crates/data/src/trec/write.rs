//! Writes runs, qrels and preferences.
//!
//! The files are those that [`read_run`](crate::read_run), [`read_qrels`](crate::read_qrels) and
//! [`read_prefs`](crate::read_prefs) read.

use std::io::Write;

use llull_core::{GRADE_PARTS, Grade, JudgmentGroup, Preferences, Qrels, Run, TopicQrels};

use super::qrels::{DROPPED, MEAN};
use crate::DataError;
use crate::error::output;

/// Writes a run, `qid Q0 docid rank score tag`, with its name as the tag. Scores are the shortest decimals
/// that read back as the same number.
///
/// # Errors
/// Returns an error if a name is empty or holds white space or a control character, a query's name begins
/// with `#`, or `out` fails.
pub fn write_run(run: &Run, out: &mut dyn Write) -> Result<(), DataError> {
    let tag = column("run", &run.name)?;
    for (topic, ranking) in run.iter() {
        let topic = first_column("query", topic)?;
        for hit in ranking.iter() {
            let document = column("document", hit.document)?;
            writeln!(out, "{topic} Q0 {document} {} {:?} {tag}", hit.rank, hit.score).map_err(output)?;
        }
    }
    out.flush().map_err(output)
}

/// Checks that labels of a run's documents can be written: that [`write_qrels`] refuses none of its identifiers.
///
/// # Errors
/// Returns the error of [`write_qrels`].
pub fn check_identifiers(run: &Run) -> Result<(), DataError> {
    for (topic, ranking) in run.iter() {
        let _ = first_column("query", topic)?;
        ranking.iter().try_for_each(|hit| column("document", hit.document).map(drop))?;
    }
    Ok(())
}

/// Writes qrels, `qid 0 docid grade`, queries and documents in their order, and the dropped pairs of each query behind
/// its labels, `qid dropped docid -1`. A query without labels has no line. The second column has the mean of a panel's
/// grades where it is not the grade: `qid mean=1.333333 docid 1`.
///
/// # Errors
/// Returns an error if a name is empty or holds white space or a control character, a query's name begins
/// with `#`, or `out` fails.
pub fn write_qrels(qrels: &Qrels, out: &mut dyn Write) -> Result<(), DataError> {
    for (topic, documents) in qrels.iter() {
        let topic = first_column("query", topic)?;
        for (place, (document, grade)) in documents.iter().enumerate() {
            let mean = mean_of(documents, place, *grade);
            let iteration = mean.as_deref().unwrap_or("0");
            writeln!(out, "{topic} {iteration} {} {grade}", column("document", document)?).map_err(output)?;
        }
        write_dropped(qrels, topic, out)?;
    }
    out.flush().map_err(output)
}

/// Returns the mean of the pair at a place, if it is not the grade.
fn mean_of(labels: &TopicQrels, place: usize, grade: Grade) -> Option<String> {
    let mean = *labels.means().get(place)?;
    let is_other = i64::from(mean) != i64::from(grade) * i64::from(GRADE_PARTS);
    // Six decimals tell any two parts of a grade apart.
    let written = (f64::from(mean) / f64::from(GRADE_PARTS) * 1e6).round() / 1e6;
    is_other.then(|| format!("{MEAN}{written}"))
}

/// Writes the dropped pairs of a query that has labels. One that has nothing but dropped pairs has no line: trec_eval
/// would measure it as a query without relevant documents.
fn write_dropped(qrels: &Qrels, topic: &str, out: &mut dyn Write) -> Result<(), DataError> {
    for document in qrels.dropped_of(topic).into_iter().flatten() {
        writeln!(out, "{topic} {DROPPED} {} -1", column("document", document)?).map_err(output)?;
    }
    Ok(())
}

/// Writes qrels with the source of each label in TREC's second column, the iteration, which readers of qrels ignore:
/// `qid source docid grade`, and the mean behind a source where it is not the grade, `qid judges;mean=1.333333 docid
/// 1`.
/// [`read_qrels_jg`](crate::read_qrels_jg) reads it back, source by source.
///
/// # Errors
/// Those of [`write_qrels`], and an error if a source's name is empty or holds white space or a control character.
pub fn write_sourced_qrels<'a>(
    qrels: &Qrels,
    source: impl Fn(&str, &str) -> &'a str,
    out: &mut dyn Write,
) -> Result<(), DataError> {
    for (topic, documents) in qrels.iter() {
        let name = first_column("query", topic)?;
        for (place, (document, grade)) in documents.iter().enumerate() {
            let from = column("source", source(topic, document))?;
            let mean = mean_of(documents, place, *grade).map(|mean| format!(";{mean}")).unwrap_or_default();
            writeln!(out, "{name} {from}{mean} {} {grade}", column("document", document)?).map_err(output)?;
        }
        write_dropped(qrels, topic, out)?;
    }
    out.flush().map_err(output)
}

/// Writes preferences as trec_eval's `-R prefs` reads them: `qid ujg ujsubg docid level`, everything in its
/// order.
///
/// # Errors
/// Returns an error if a name is empty or holds white space or a control character, a query's name begins
/// with `#`, or `out` fails.
pub fn write_prefs(preferences: &Preferences, out: &mut dyn Write) -> Result<(), DataError> {
    for (topic, groups) in preferences.iter() {
        let topic = first_column("query", topic)?;
        for (group, subgroups) in groups {
            let group = column("judgment group", group)?;
            for (subgroup, levels) in subgroups {
                let subgroup = column("judgment subgroup", subgroup)?;
                for (document, level) in levels {
                    let document = column("document", document)?;
                    writeln!(out, "{topic} {group} {subgroup} {document} {level}").map_err(output)?;
                }
            }
        }
    }
    out.flush().map_err(output)
}

/// Writes preferences as trec_eval's `-R qrels_prefs` reads them: `qid ujg docid level`, everything in its
/// order. The names of subgroups are not written. Levels that are whole numbers are written as such, so that
/// the file is also a file of qrels.
///
/// # Errors
/// Returns an error if a group has several subgroups, for which there is [`write_prefs`]; if a name is empty
/// or holds white space or a control character; if a query's name begins with `#`; or if `out` fails.
pub fn write_qrels_prefs(preferences: &Preferences, out: &mut dyn Write) -> Result<(), DataError> {
    for (topic, groups) in preferences.iter() {
        let topic = first_column("query", topic)?;
        for (name, subgroups) in groups {
            let group = column("judgment group", name)?;
            for (document, level) in only_subgroup(name, subgroups)? {
                let document = column("document", document)?;
                writeln!(out, "{topic} {group} {document} {level}").map_err(output)?;
            }
        }
    }
    out.flush().map_err(output)
}

fn only_subgroup<'a>(
    name: &str,
    subgroups: &'a JudgmentGroup,
) -> Result<impl Iterator<Item = (&'a Box<str>, &'a f64)>, DataError> {
    if subgroups.len() > 1 {
        let because = "it has several subgroups, which only trec_eval's prefs can express";
        return Err(DataError::Name { what: "judgment group", name: name.to_owned(), because });
    }
    Ok(subgroups.values().flatten())
}

/// Checks that a query and a document have no white space in their identifiers, which separates columns in TREC files.
///
/// # Errors
/// Returns an error if one has.
pub fn check_trec_pair(query: &str, document: &str) -> Result<(), DataError> {
    let named = [("query", query), ("document", document)];
    named
        .into_iter()
        .filter(|(_, name)| name.contains(char::is_whitespace))
        .try_for_each(|(what, name)| column(what, name).map(drop))
}

pub(crate) fn column<'a>(what: &'static str, name: &'a str) -> Result<&'a str, DataError> {
    let because = if name.is_empty() {
        "it is empty"
    } else if name.contains(|c: char| c.is_whitespace() || c.is_control()) {
        "white space ends a column, and a control character may"
    } else {
        return Ok(name);
    };
    Err(DataError::Name { what, name: name.to_owned(), because })
}

pub(crate) fn first_column<'a>(what: &'static str, name: &'a str) -> Result<&'a str, DataError> {
    if name.starts_with(['#', '\u{feff}']) {
        let because = "a line that begins like this is read as a comment or a byte order mark";
        return Err(DataError::Name { what, name: name.to_owned(), because });
    }
    column(what, name)
}

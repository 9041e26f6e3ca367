//! Notes about the files of runs, once for all that share one.

use std::path::Path;

use llull_core::Ranking;
use llull_data::{ContradictionKind, RunFile, RunNotes, shown_path};
use llull_report::text::count;

/// A note about a run's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunRemark {
    file: String,
    kind: Kind,
    lines: u64,
    /// The number of queries, if it is about queries.
    of: u64,
    /// The first query, or the place of the first line.
    first: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Duplicates,
    Trailing,
    Empty,
    /// Queries that a tool with 32-bit scores orders differently.
    Float32,
    /// Queries whose scores contradict their ranks.
    Contradiction(ContradictionKind),
}

const KINDS: [Kind; 9] = [
    Kind::Duplicates,
    Kind::Trailing,
    Kind::Empty,
    Kind::Float32,
    Kind::Contradiction(ContradictionKind::EqualScores),
    Kind::Contradiction(ContradictionKind::RankAsScore),
    Kind::Contradiction(ContradictionKind::Distances),
    Kind::Contradiction(ContradictionKind::RisingScores),
    Kind::Contradiction(ContradictionKind::OtherOrder),
];

/// Returns notes about the file of this run.
pub(crate) fn remarks_on_run(path: &Path, file: &RunFile) -> Vec<RunRemark> {
    let cut = &file.notes.cut_among_ties;
    let tied =
        file.run.iter().filter(|(query, ranking)| cut.contains(*query) || ties_of_32_bits(ranking)).count();
    remarks_on(path, &file.notes, file.run.len(), tied)
}

/// Returns notes about the file of a run with this many `queries`, of which 32-bit scores would reorder `tied`.
pub(crate) fn remarks_on(path: &Path, notes: &RunNotes, queries: usize, tied: usize) -> Vec<RunRemark> {
    let remark =
        |kind, lines, of, first: String| RunRemark { file: shown_path(path), kind, lines, of, first };
    let duplicates = notes.first_duplicate.as_ref();
    let duplicates =
        duplicates.map(|first| remark(Kind::Duplicates, notes.duplicates, 0, first.place.to_string()));
    let trailing =
        notes.first_trailing.map(|first| remark(Kind::Trailing, notes.trailing, 0, format!("line {first}")));
    let empty = (queries == 0).then(|| remark(Kind::Empty, 0, 0, String::new()));
    let ties = (tied > 0).then(|| remark(Kind::Float32, tied as u64, queries as u64, String::new()));
    let contradiction = notes.contradiction.as_ref().map(|found| {
        let kind = Kind::Contradiction(found.kind);
        remark(kind, found.queries as u64, found.of as u64, found.first.clone())
    });
    duplicates.into_iter().chain(trailing).chain(empty).chain(ties).chain(contradiction).collect()
}

/// Returns whether 32-bit scores would change the order of documents. As in trec_eval 9, ties among them are broken by
/// identifier, descending.
pub(crate) fn ties_of_32_bits(ranking: &Ranking) -> bool {
    let ties = |pair: &[f64]| pair[0] != pair[1] && pair[0] as f32 == pair[1] as f32;
    let document = |rank| ranking.get(rank).map(|hit| hit.document);
    ranking.scores().windows(2).zip(1..).any(|(pair, rank)| ties(pair) && document(rank) < document(rank + 1))
}

/// Returns notes as texts, in the order of the files: one for all files with the same note.
pub(crate) fn grouped(remarks: &[RunRemark]) -> Vec<String> {
    let mut texts: Vec<(usize, String)> = Vec::new();
    for kind in KINDS {
        let alike: Vec<(usize, &RunRemark)> =
            remarks.iter().enumerate().filter(|(_, remark)| remark.kind == kind).collect();
        match alike.as_slice() {
            [] => {}
            [(place, only)] => texts.push((*place, only.text())),
            [(place, first), ..] => {
                let lines = alike.iter().map(|(_, remark)| remark.lines).sum();
                let queries = alike.iter().map(|(_, remark)| remark.of).sum();
                texts.push((*place, first.text_of_many(alike.len(), lines, queries)));
            }
        }
    }
    texts.sort_by_key(|(place, _)| *place);
    texts.into_iter().map(|(_, text)| text).collect()
}

impl RunRemark {
    fn text(&self) -> String {
        let Self { file, of, first, .. } = self;
        let lines = |one: &str, more: &str| match self.lines {
            1 => format!("1 line {one}"),
            n => format!("{n} lines {more}"),
        };
        match self.kind {
            Kind::Duplicates => format!(
                "{file}: {} a document of the same query (the first: {first}); the better place was kept",
                lines("repeats", "repeat")
            ),
            Kind::Trailing => format!(
                "{file}: {} words behind the tag, which are not read (the first: {first})",
                lines("has", "have")
            ),
            Kind::Empty => format!("{file}: the run is empty, so every query counts as 0"),
            Kind::Float32 => format!(
                "{file}: {} of {} queries have scores that tie as 32-bit numbers, so trec_eval 9 ranks them otherwise; \
                 --order score32 does so, too",
                count(self.lines),
                count(*of)
            ),
            Kind::Contradiction(kind) => format!(
                "{file}: {} in {} of {} queries (the first: {}). {}",
                contradiction(kind),
                count(self.lines),
                count(*of),
                first,
                remedy(kind)
            ),
        }
    }

    fn text_of_many(&self, files: usize, lines: u64, queries: u64) -> String {
        let (files, Self { file, first, .. }) = (count(files), self);
        match self.kind {
            Kind::Duplicates => format!(
                "{files} runs have lines that repeat a document of the same query (the first: {file} {first}); \
                 the better place was kept"
            ),
            Kind::Trailing => format!(
                "{files} runs have words behind the tag, which are not read (the first: {file} {first})"
            ),
            Kind::Empty => {
                format!("{files} runs are empty, so every query counts as 0 (the first: {file})")
            }
            Kind::Float32 => format!(
                "{} of {} rankings in {files} runs have scores that tie as 32-bit numbers, so trec_eval 9 ranks them \
                 otherwise (the first: {file}); --order score32 does so, too",
                count(lines),
                count(queries)
            ),
            Kind::Contradiction(kind) => format!(
                "{files} runs: {} in {} of {} rankings (the first: {file}, query {}). {}",
                contradiction(kind),
                count(lines),
                count(queries),
                first,
                remedy(kind)
            ),
        }
    }
}

/// Returns the contradiction in words.
fn contradiction(kind: ContradictionKind) -> &'static str {
    match kind {
        ContradictionKind::EqualScores => "all scores are equal",
        ContradictionKind::RankAsScore => "the score column holds the rank",
        ContradictionKind::Distances => "the best rank has the lowest score, as distances have,",
        ContradictionKind::RisingScores => "scores rise from the first line to the last, as distances do,",
        ContradictionKind::OtherOrder => "the rank column and the scores disagree",
    }
}

/// Returns the consequence, and the option that reads the file differently.
fn remedy(kind: ContradictionKind) -> &'static str {
    match kind {
        ContradictionKind::EqualScores => {
            "Their documents are in the order of their identifiers, as in trec_eval. If the ranks are right, use \
             --order rank (in llull.toml: order = \"rank\")"
        }
        ContradictionKind::RankAsScore | ContradictionKind::Distances => {
            "The highest score counts as best, as in trec_eval, so the last documents come first. If the ranks are \
             right, use --order rank (in llull.toml: order = \"rank\")"
        }
        ContradictionKind::RisingScores => {
            "The highest score counts as best, as in trec_eval, so the last documents come first. If the lowest is \
             best, change the signs of the scores; of three columns use --order rank (in llull.toml: third = \"rank\")"
        }
        ContradictionKind::OtherOrder => {
            "The scores count, as in trec_eval. If the ranks are right, use --order rank (in llull.toml: order = \
             \"rank\")"
        }
    }
}

#[cfg(test)]
mod tests {
    use llull_core::Run;

    use super::*;

    /// 16777216 and 16777217 are one 32-bit number; only the second query is in another order then.
    #[test]
    fn ties_of_32_bits_are_counted_where_they_matter() {
        let mut run = Run::new("run");
        for (query, above, below) in [("q1", "b", "a"), ("q2", "a", "b"), ("q3", "a", "b")] {
            let next = if query == "q3" { 16_777_200.0 } else { 16_777_216.0 };
            run.insert(query, Ranking::from_scored([(above, 16_777_217.0), (below, next)]));
        }
        assert_eq!(run.iter().filter(|(_, ranking)| ties_of_32_bits(ranking)).count(), 1);
    }

    /// 63 runs with words behind the tag were 63 warnings.
    #[test]
    fn what_is_so_of_many_runs_is_said_once() {
        let remark =
            |name: &str, kind| RunRemark { file: name.into(), kind, lines: 2, of: 0, first: "line 7".into() };
        let mut remarks: Vec<RunRemark> =
            (1..=63).map(|at| remark(&format!("{at}.run"), Kind::Trailing)).collect();
        remarks.insert(1, remark("odd.run", Kind::Duplicates));
        assert_eq!(
            grouped(&remarks),
            [
                "63 runs have words behind the tag, which are not read (the first: 1.run line 7)",
                "odd.run: 2 lines repeat a document of the same query (the first: line 7); the better place was kept",
            ]
        );
    }
}

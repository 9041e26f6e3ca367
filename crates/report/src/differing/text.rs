//! Pairs that differ, as text for a terminal.

use super::pairs::{DifferingPair, DifferingPairs, JudgeReason, Sides};
use crate::text::{ABSENT, count, shorten, text_table, visible_line, words};

/// How long a query, a title and a rationale may be, in characters.
const QUERY: usize = 60;
const TITLE: usize = 60;
const RATIONALE: usize = 240;

/// The listed pairs: a line each under the names of the two sides, and below it the judges' reasons, if they are
/// known. Empty if nothing is listed.
pub fn differing_text<S: Sides>(pairs: &DifferingPairs<S>, first: &str, second: &str) -> String {
    if pairs.listed.is_empty() {
        return String::new();
    }
    let ranked = pairs.listed.iter().any(|pair| pair.best_rank.is_some());
    let row = |pair: &DifferingPair<S>| {
        let grades = pair.sides.both().map(|side| side.grade.to_string());
        let mut row = vec![pair.query.clone(), pair.document.clone()];
        row.extend(grades);
        if ranked {
            row.push(pair.best_rank.map_or_else(|| ABSENT.to_owned(), count));
        }
        row
    };
    let mut headings = vec![words("query"), words("document"), first.into(), second.into()];
    headings.extend(ranked.then(|| "best rank".into()));
    let table = text_table(headings, pairs.listed.iter().map(row));
    let mut lines: Vec<String> = table.lines().take(1).map(str::to_owned).collect();
    for (line, pair) in table.lines().skip(1).zip(&pairs.listed) {
        lines.push(line.to_owned());
        lines.extend(about(pair));
        for (name, side) in [first, second].iter().zip(pair.sides.both()) {
            lines.extend(side.judges.iter().map(|judge| reason(name, judge)));
        }
    }
    lines.join("\n")
}

/// The heading of a list: how many differ, and how many are shown.
pub(crate) fn shown<S>(pairs: &DifferingPairs<S>) -> String {
    match (pairs.listed.len(), pairs.differ) {
        (listed, all) if listed == all => "largest difference first".to_owned(),
        (listed, all) => format!("the {} largest of {}", count(listed), count(all)),
    }
}

fn about<S>(pair: &DifferingPair<S>) -> Option<String> {
    let query = pair.query_text.as_deref().map(|text| format!("\"{}\"", shorten(text, QUERY)));
    let title = pair.title.as_deref().map(|text| format!("\"{}\"", shorten(text, TITLE)));
    let known: Vec<String> = query.into_iter().chain(title).collect();
    (!known.is_empty()).then(|| format!("    {}", visible_line(&known.join(" - "))))
}

/// A judge's reasons: its explanation, and the covered and missing facets; `None` if it gave no reason.
pub(crate) fn reason_text(judge: &JudgeReason) -> Option<String> {
    let mut parts: Vec<String> = judge.rationale.iter().map(|text| shorten(text, RATIONALE)).collect();
    let listed = |what: &str, facets: &[String]| {
        (!facets.is_empty()).then(|| format!("{what}: {}", shorten(&facets.join("; "), RATIONALE)))
    };
    parts.extend(listed("covers", &judge.facets_covered));
    parts.extend(listed("lacks", &judge.facets_missing));
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// A judge's answer and its reasons, on one line.
fn reason(side: &str, judge: &JudgeReason) -> String {
    let grade = judge.grade.map_or_else(|| ABSENT.to_owned(), |grade| grade.to_string());
    let why = reason_text(judge).map_or_else(String::new, |why| format!(": {why}"));
    visible_line(&format!("    {side}, {} {grade}{why}", judge.judge)).into_owned()
}

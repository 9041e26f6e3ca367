//! Rows of the panel in the Markdown.

use serde::Serialize;

use crate::differing::{DifferingPair, PairReasons, reason_text};
use crate::panel::{CountedVotesSection, JudgesTogether, PanelAlpha, PanelMethodSection, PanelSection};
use crate::text::{confidence, shorten};

/// How long a query's text and a document's title may be, in characters.
const NAME: usize = 60;
/// The most characters of a judge's reason.
const REASON: usize = 160;

/// The values of a panel in the Markdown.
#[derive(Debug, Serialize)]
pub(super) struct PanelView<'a> {
    pairs: usize,
    method: Option<&'a PanelMethodSection>,
    votes: Option<&'a CountedVotesSection>,
    alpha: Option<PanelAlpha>,
    confidence: Option<String>,
    agreement: &'a [JudgesTogether],
    /// The results without each judge, and without the unclear pairs.
    without: Vec<&'a str>,
    ambiguous: usize,
    listed: Vec<AmbiguousRow>,
}

/// A pair on which grades are split.
#[derive(Debug, Serialize)]
struct AmbiguousRow {
    query: String,
    document: String,
    label: i32,
    said: String,
}

/// The panel, with this many of the pairs on which grades are split.
pub(super) fn panel_view(panel: &PanelSection, most: usize) -> PanelView<'_> {
    let without = panel.without.iter().chain(&panel.ambiguous.without);
    PanelView {
        pairs: panel.pairs,
        method: panel.method.as_ref(),
        votes: panel.votes.as_ref(),
        alpha: panel.alpha,
        confidence: panel.alpha.map(|alpha| confidence(alpha.confidence)),
        agreement: &panel.agreement,
        without: without.map(|without| without.sentence.as_str()).collect(),
        ambiguous: panel.ambiguous.pairs,
        listed: panel.ambiguous.listed.iter().take(most).map(row).collect(),
    }
}

fn row(pair: &DifferingPair<PairReasons>) -> AmbiguousRow {
    let with = |id: &str, text: Option<&String>| match text {
        Some(text) => format!("{id}: {}", shorten(text, NAME)),
        None => id.to_owned(),
    };
    let said = pair.sides.judges.iter().filter_map(|judge| {
        let grade = judge.grade?;
        Some(match reason_text(judge) {
            Some(reason) => format!("{} {grade}: {}", judge.judge, shorten(&reason, REASON)),
            None => format!("{} {grade}", judge.judge),
        })
    });
    AmbiguousRow {
        query: with(&pair.query, pair.query_text.as_ref()),
        document: with(&pair.document, pair.title.as_ref()),
        label: pair.sides.grade,
        said: said.collect::<Vec<_>>().join(" - "),
    }
}

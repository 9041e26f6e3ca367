//! The nodes of a diagram, in any diagram language.

use std::collections::BTreeMap;

use crate::text::{counted, figure, is_invisible, shorten};
use crate::topics::TopicDetail;
use crate::tournament::TierDetail;

/// How much a diagram shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiagramLimits {
    /// How many tiers are shown, the best first; one node counts the others. 12 by default.
    pub tiers: usize,
    /// Documents a tier; 6 unless changed.
    pub documents: usize,
    /// Characters of a document's title; 40 unless changed.
    pub title: usize,
}

impl Default for DiagramLimits {
    fn default() -> Self {
        Self { tiers: 12, documents: 6, title: 40 }
    }
}

/// How many characters of an identifier a diagram shows.
const IDENTIFIER: usize = 60;

/// One node, as either language draws it.
pub(super) struct Node {
    pub(super) lines: Vec<String>,
    pub(super) is_final: bool,
    pub(super) cyclic: bool,
}

pub(super) fn nodes(topic: &TopicDetail, limits: &DiagramLimits) -> Vec<Node> {
    let Some(tournament) = &topic.tournament else { return Vec::new() };
    let titles: BTreeMap<&str, &str> =
        topic.documents.iter().map(|document| (document.id.as_str(), document.title.as_str())).collect();
    let shown = tournament.tiers.iter().take(limits.tiers).enumerate();
    let mut nodes: Vec<Node> = shown
        .map(|(at, tier)| Node {
            lines: lines(at + 1, tier, &titles, limits),
            is_final: tier.is_final,
            cyclic: tier.cyclic,
        })
        .collect();
    let below = tournament.tiers.get(limits.tiers..).unwrap_or_default();
    if !below.is_empty() {
        let documents: usize = below.iter().map(|tier| tier.documents.len()).sum();
        let text = format!("{} below, {}", counted(below.len(), "tier"), counted(documents, "document"));
        nodes.push(Node {
            lines: vec![text],
            is_final: below.iter().all(|tier| tier.is_final),
            cyclic: false,
        });
    }
    nodes
}

/// `tier 2, grade 3, 4 documents with a cycle`, then a line a document.
fn lines(
    number: usize,
    tier: &TierDetail,
    titles: &BTreeMap<&str, &str>,
    limits: &DiagramLimits,
) -> Vec<String> {
    let mut head = format!("tier {number}");
    let mut add = |text: String| {
        head.push_str(", ");
        head.push_str(&text);
    };
    if let Some(grade) = tier.grade {
        add(format!("grade {grade}"));
    }
    if tier.fitted.is_some() {
        add(format!("fit {}", figure(tier.fitted)));
    }
    match tier.documents.len() {
        n if tier.cyclic => add(format!("{n} documents with a cycle")),
        n if tier.contradictory => add(format!("{n} documents, contradictory")),
        n if n > 1 => add(format!("{n} documents")),
        _ => {}
    }
    if !tier.is_final {
        add("provisional".to_owned());
    }
    let document = |id: &String| {
        let title = titles.get(id.as_str()).copied().unwrap_or_default();
        let id = shorten(id, IDENTIFIER);
        if title.trim().is_empty() { id } else { format!("{id}: {}", shorten(title, limits.title)) }
    };
    let mut lines = vec![head];
    lines.extend(tier.documents.iter().take(limits.documents).map(document));
    let left_out = tier.documents.len().saturating_sub(limits.documents);
    if left_out > 0 {
        lines.push(format!("and {left_out} more"));
    }
    lines
}

/// The characters of a text on one line: white space runs are one space, and characters that forge or hide text are
/// `�`.
pub(super) fn one_line(text: &str) -> impl Iterator<Item = char> {
    let words = text.split_whitespace().flat_map(|word| [" ", word]).skip(1);
    words.flat_map(str::chars).map(|c| if is_invisible(c) { '\u{fffd}' } else { c })
}

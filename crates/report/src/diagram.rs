//! Writes the tiers of a query as a Graphviz graph.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::text::{figure, is_invisible, shorten};
use crate::topics::TopicDetail;
use crate::tournament::TierDetail;

/// How many characters of an identifier, and of a title, a diagram shows.
const IDENTIFIER: usize = 60;
const TITLE: usize = 40;

/// The query's tiers as a graph in Graphviz' DOT language: a node each with its documents, best first, and an edge from
/// each to the next, which is the condensation's transitive reduction. A tier with a cycle is a hexagon; a dashed node
/// is provisional, and a dashed edge leads from or to one. Documents' texts are quoted and cannot end their label. Pipe
/// it into `dot -Tsvg`.
///
/// ```
/// use llull_report::{TierDetail, TopicDetail, TopicTournament, dot};
///
/// let tier = |id: &str| TierDetail { documents: vec![id.into()], is_final: true, ..Default::default() };
/// let tournament = Some(TopicTournament { tiers: vec![tier("a\"b"), tier("c")], ..Default::default() });
/// let graph = dot(&TopicDetail { id: "q1".into(), tournament, ..Default::default() });
/// assert!(graph.starts_with("digraph \"q1\" {"));
/// assert!(graph.contains(r#"t0 [label="tier 1\na\"b"];"#) && graph.contains("t0 -> t1;"));
/// ```
pub fn dot(topic: &TopicDetail) -> String {
    let nodes = nodes(topic);
    let mut out = format!("digraph \"{}\" {{\n    node [shape=box];\n", dot_text(&topic.id));
    for (at, node) in nodes.iter().enumerate() {
        let label: Vec<String> = node.lines.iter().map(|line| dot_text(line)).collect();
        let shape = if node.cyclic { ", shape=hexagon" } else { "" };
        let style = if node.is_final { "" } else { ", style=dashed" };
        let _ = writeln!(out, "    t{at} [label=\"{}\"{shape}{style}];", label.join("\\n"));
    }
    for (at, pair) in nodes.windows(2).enumerate() {
        let style = if pair.iter().all(|node| node.is_final) { "" } else { " [style=dashed]" };
        let _ = writeln!(out, "    t{at} -> t{}{style};", at + 1);
    }
    out.push_str("}\n");
    out
}

/// Text inside a quoted DOT string. A backslash begins an escape there and `&` a character reference.
fn dot_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text) {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}

/// A tier.
struct Node {
    lines: Vec<String>,
    is_final: bool,
    cyclic: bool,
}

fn nodes(topic: &TopicDetail) -> Vec<Node> {
    let Some(tournament) = &topic.tournament else { return Vec::new() };
    let titles: BTreeMap<&str, &str> =
        topic.documents.iter().map(|document| (document.id.as_str(), document.title.as_str())).collect();
    let tiers = tournament.tiers.iter().enumerate();
    let node = tiers.map(|(at, tier)| Node {
        lines: lines(at + 1, tier, &titles),
        is_final: tier.is_final,
        cyclic: tier.cyclic,
    });
    node.collect()
}

/// `tier 2, grade 3, 4 documents with a cycle`, then a line a document.
fn lines(number: usize, tier: &TierDetail, titles: &BTreeMap<&str, &str>) -> Vec<String> {
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
        if title.trim().is_empty() { id } else { format!("{id}: {}", shorten(title, TITLE)) }
    };
    let mut lines = vec![head];
    lines.extend(tier.documents.iter().map(document));
    lines
}

/// The characters of a text on one line: white space runs are one space, and characters that forge or hide text are
/// `�`.
fn one_line(text: &str) -> impl Iterator<Item = char> {
    let words = text.split_whitespace().flat_map(|word| [" ", word]).skip(1);
    words.flat_map(str::chars).map(|c| if is_invisible(c) { '\u{fffd}' } else { c })
}

//! The condensation of a tournament as a drawing: tiers from the best to the worst.

use std::{collections::BTreeMap, fmt::Write};

use crate::{
    TierDetail, TopicDetail,
    escape::is_invisible,
    numbers::{counted, measure},
    shorten,
};

/// How much a diagram shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiagramLimits {
    /// Tiers, the best first; those below are one node that says how many they are. 12 unless changed.
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

/// The topic's tiers as a Mermaid flowchart, without its fence: a node each, best first, and an edge from each to the
/// next, which is the condensation's transitive reduction. A tier with a cycle is a hexagon; a dashed node is provisional, and a
/// dashed edge leads from or to one. Without a tournament there is no node.
///
/// Whatever a document says is text: every character but letters, digits, spaces, commas, and `-` or `_` inside a word is
/// written as Mermaid's entity code (`#35;`), so that no quote, tag, directive, Markdown or fence comes of it.
pub fn mermaid(topic: &TopicDetail, limits: &DiagramLimits) -> String {
    let mut out = String::from("flowchart TD\n");
    let nodes = nodes(topic, limits);
    for (at, node) in nodes.iter().enumerate() {
        let label: Vec<String> = node.lines.iter().map(|line| mermaid_text(line)).collect();
        let (open, close) = if node.cyclic { ("{{", "}}") } else { ("[", "]") };
        let class = if node.is_final { "" } else { ":::provisional" };
        // Writing to a String does not fail, here and below.
        let _ = writeln!(out, "    t{at}{open}\"{}\"{close}{class}", label.join("<br/>"));
    }
    for (at, pair) in nodes.windows(2).enumerate() {
        let arrow = if pair.iter().all(|node| node.is_final) { "-->" } else { "-.->" };
        let _ = writeln!(out, "    t{at} {arrow} t{}", at + 1);
    }
    if nodes.iter().any(|node| !node.is_final) {
        out.push_str("    classDef provisional stroke-dasharray: 5 5\n");
    }
    out
}

/// The topic's tiers as a graph in Graphviz' DOT language: [`mermaid`]'s nodes and edges, all of them, with every
/// document. Pipe it into `dot -Tsvg`. Documents' texts are quoted and cannot end their label.
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
    let all = DiagramLimits { tiers: usize::MAX, documents: usize::MAX, ..DiagramLimits::default() };
    let nodes = nodes(topic, &all);
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

/// One node, as either language draws it.
struct Node {
    lines: Vec<String>,
    is_final: bool,
    cyclic: bool,
}

fn nodes(topic: &TopicDetail, limits: &DiagramLimits) -> Vec<Node> {
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
        let documents = below.iter().map(|tier| tier.documents.len()).sum();
        let text = format!("{} below, {}", counted(below.len(), "tier"), counted(documents, "document"));
        nodes.push(Node {
            lines: vec![text],
            is_final: below.iter().all(|tier| tier.is_final),
            cyclic: false,
        });
    }
    nodes
}

/// `tier 2, grade 3, a cycle of 4`, then a line a document.
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
        add(format!("fit {}", measure(tier.fitted)));
    }
    match (tier.documents.len(), tier.cyclic) {
        (n, true) if tier.is_final => add(format!("a cycle of {n}")),
        (n, true) => add(format!("{n} documents with a cycle")),
        (n, false) if n > 1 => add(format!("{n} documents")),
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

/// Text inside a quoted Mermaid label.
fn mermaid_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // U+FB02 begins the mark that Mermaid puts in place of an entity before it parses.
    let is_word = |c: char| c.is_alphanumeric() && c != '\u{fb02}';
    let mut before = None;
    let mut chars = one_line(text).peekable();
    while let Some(c) = chars.next() {
        let is_inside = before.is_some_and(is_word) && chars.peek().copied().is_some_and(is_word);
        if is_word(c) || " ,\u{fffd}".contains(c) || (is_inside && "-_".contains(c)) {
            out.push(c);
        } else {
            let _ = write!(out, "#{};", u32::from(c));
        }
        before = Some(c);
    }
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

/// The characters of a text on one line: white space runs are one space, and what forges or hides is `�`.
fn one_line(text: &str) -> impl Iterator<Item = char> {
    let words = text.split_whitespace().flat_map(|word| [" ", word]).skip(1);
    words.flat_map(str::chars).map(|c| if is_invisible(c) { '\u{fffd}' } else { c })
}

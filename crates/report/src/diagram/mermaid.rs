//! Writes the tiers of a query as a Mermaid flowchart.

use std::fmt::Write;

use super::nodes::{DiagramLimits, nodes, one_line};
use crate::topics::TopicDetail;

/// The query's tiers as a Mermaid flowchart, without its fence: a node each, best first, and an edge from each to the
/// next, which is the condensation's transitive reduction. A tier with a cycle is a hexagon; a dashed node is
/// provisional, and a dashed edge leads from or to one. Without a tournament there is no node.
///
/// A document's text stays text: every character but letters, digits, spaces, commas, and `-` or `_` inside a word is
/// written as Mermaid's entity code (`#35;`). So it cannot become a quote, tag, directive, Markdown or fence.
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

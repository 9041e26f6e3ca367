//! Writes the tiers of a query as a Graphviz graph.

use std::fmt::Write;

use super::nodes::{DiagramLimits, nodes, one_line};
use crate::topics::TopicDetail;

/// The query's tiers as a graph in Graphviz' DOT language: [`mermaid`](crate::mermaid)'s nodes and edges, all of
/// them, with every document. Pipe it into `dot -Tsvg`. Documents' texts are quoted and cannot end their label.
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

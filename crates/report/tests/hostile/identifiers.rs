//! Identifiers that try to be a diagram, and the allowed lines.

/// Text that no identifier should hold and some do: quotes, brackets, pipes, lines, fences, directives, entities.
pub(crate) const HOSTILE: [&str; 8] = [
    "\"]; x --> y[\"",
    "a\"; b -> c [label=\"d",
    "back\\slash\\",
    "%%{init: {'theme': 'dark'}}%%",
    "```\n# out\n<script>alert(1)</script>",
    "#quot;&quot;&#34;#34;\u{fb02}°°34¶ß",
    "1. item | cell",
    "`**x**` $$y$$ fa:fa-car click t0 href \"javascript:z\"",
];

/// One of the four kinds of line that a flowchart is made of here, with nothing else on it.
pub(crate) fn is_mermaid(line: &str) -> bool {
    let line = line.trim_start();
    let is_node = |name: &str| name.strip_prefix('t').is_some_and(|n| n.parse::<usize>().is_ok());
    if line == "flowchart TD" || line == "classDef provisional stroke-dasharray: 5 5" {
        return true;
    }
    for arrow in [" --> ", " -.-> "] {
        if let Some((from, to)) = line.split_once(arrow) {
            return is_node(from) && is_node(to);
        }
    }
    mermaid_label(line).is_some()
}

/// The label of a node's line as Mermaid shows it; `None` where the line is no node.
pub(crate) fn mermaid_label(line: &str) -> Option<String> {
    let line = line.trim_start().trim_end_matches(":::provisional");
    let (_, rest) = line.split_once('"')?;
    let (label, close) = rest.split_once('"')?;
    if !["]", "}}"].contains(&close)
        || label.replace("<br/>", "").contains(['<', '>', '"', '`', '%', '&', '\\'])
    {
        return None;
    }
    let mut shown = String::new();
    let mut rest = label;
    while let Some((before, entity)) = rest.split_once('#') {
        let (code, after) = entity.split_once(';')?;
        shown.push_str(before);
        shown.push(char::from_u32(code.parse().ok()?)?);
        rest = after;
    }
    shown.push_str(rest);
    Some(shown)
}

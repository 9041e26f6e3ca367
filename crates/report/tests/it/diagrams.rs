//! Tests that documents' text stays text in a diagram.
//!
//! Graphviz (viz.js 3) reads these texts as asserted here; that was tried by hand.

use crate::hostile::HOSTILE;
use llull_report::{DocumentDetail, TierDetail, TopicDetail, TopicTournament, dot};
use proptest::prelude::*;

/// The quoted strings of a DOT text, unescaped, or `None` where a quote is left open.
fn dot_strings(text: &str) -> Option<Vec<String>> {
    let (mut strings, mut open) = (Vec::new(), None::<String>);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (&mut open, c) {
            (None, '"') => open = Some(String::new()),
            (None, _) => {}
            (Some(_), '"') => strings.extend(open.take()),
            (Some(string), '\\') => match chars.next()? {
                'n' => string.push('\n'),
                c @ ('"' | '\\') => string.push(c),
                _ => return None,
            },
            (Some(string), c) => string.push(c),
        }
    }
    open.is_none().then(|| strings.into_iter().map(|string| string.replace("&amp;", "&")).collect())
}

fn one_document(id: &str, title: &str) -> TopicDetail {
    let tier = TierDetail { documents: vec![id.into()], is_final: true, ..Default::default() };
    let document = DocumentDetail { id: id.into(), title: title.into(), ..Default::default() };
    TopicDetail {
        id: id.into(),
        tournament: Some(TopicTournament { tiers: vec![tier], ..Default::default() }),
        documents: vec![document],
        ..Default::default()
    }
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[-\"'`%{}\\[\\]()<>|&#;:.=$@\\\\/\n\t \\*_~^a-c0-9é]{0,8}",
        proptest::sample::select(HOSTILE.to_vec()).prop_map(str::to_owned),
        proptest::sample::select(vec![
            "\\N",
            "\\\"",
            "&amp;",
            "\"+\"",
            "<b>",
            "-->",
            "end",
            "%%",
            "\u{fb02}°"
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 1..3).prop_map(|pieces| pieces.concat().chars().take(40).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn diagrams_show_what_a_document_says_and_do_nothing_else(id in nasty(), title in nasty()) {
        let topic = one_document(&id, &title);
        let title = plain(&title);
        let shown = if title.is_empty() { plain(&id) } else { format!("{}: {title}", plain(&id)) };
        let strings = dot_strings(&dot(&topic)).unwrap();
        prop_assert_eq!(strings, [plain(&id), format!("tier 1\n{shown}")]);
    }
}

#[test]
fn a_diagram_has_every_tier() {
    let tier = |first: usize, size: usize| TierDetail {
        documents: (first..first + size).map(|n| format!("d{n}")).collect(),
        is_final: first < 30,
        ..Default::default()
    };
    let tiers = std::iter::once(tier(0, 10)).chain((10..40).map(|first| tier(first, 1))).collect();
    let tournament = Some(TopicTournament { tiers, ..Default::default() });
    let topic = TopicDetail { tournament, ..Default::default() };
    let whole = dot(&topic);
    assert_eq!((whole.matches("label=").count(), whole.matches(" -> ").count()), (31, 30));
    assert_eq!(whole.matches("[style=dashed]").count(), 10);
    assert_eq!(dot(&TopicDetail::default()), "digraph \"\" {\n    node [shape=box];\n}\n");
}

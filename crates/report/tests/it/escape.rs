//! Tests that escaped text stays text for a Markdown reader.
//!
//! The reader is pulldown-cmark, with every extension that GitHub has.

use crate::markup;
use crate::sample;

use llull_report::text::{escape, shorten};
use llull_report::{Exporter, Markdown, ReportView};
use proptest::prelude::*;
use pulldown_cmark::{Event, Parser, Tag};

/// The text of a document, and how many of its events are neither text nor one of those `expected`.
fn read(text: &str, mut expected: impl FnMut(&Event<'_>) -> bool) -> (String, Vec<String>) {
    let (mut words, mut others) = (String::new(), Vec::new());
    for event in Parser::new_ext(text, markup::options()) {
        match event {
            Event::Text(text) => words.push_str(&text),
            Event::End(_) => {}
            event if expected(&event) => {}
            event => others.push(format!("{event:?}")),
        }
    }
    (words, others)
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_table(event: &Event<'_>) -> bool {
    matches!(event, Event::Start(Tag::Table(_) | Tag::TableHead | Tag::TableRow | Tag::TableCell))
}

/// Texts made mostly of characters that Markdown and HTML react to.
fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[-+*_~`|<>&#!\\[\\](){}:;.=$^@\\\\/\"' \\n\\ta-c0-9]{0,6}",
        proptest::sample::select(vec![
            "](",
            "![",
            "[x]: y",
            "[^1]",
            "[^1]: z",
            "- [ ] ",
            "1. ",
            "2) ",
            "***",
            "```",
            "~~",
            "$$",
            "<b>",
            "</td>",
            "<!--",
            "-->",
            "&amp;",
            "&#124;",
            "|---|",
            "\n\n",
            "\r\n",
            "    ",
            "\\|",
            "\\\\|",
            "http://a.b/c",
            "www.a.b",
            "a@b.c",
            "---",
            "===",
            "[[x]]",
            "> ",
            ":--",
            "_a_",
            "a_b",
            "é_è",
            "> [!NOTE]",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_cell_stays_a_cell(text in nasty()) {
        let table = format!("| a | b |\n|---|---|\n| x{} | {} |\n", escape("|"), escape(&text));
        let mut cells = 0;
        let (words, others) = read(&table, |event| {
            cells += usize::from(matches!(event, Event::Start(Tag::TableCell)));
            is_table(event)
        });
        prop_assert_eq!(others, Vec::<String>::new());
        prop_assert_eq!(words, format!("abx|{}", plain(&text)));
        prop_assert_eq!(cells, 4);
    }

    #[test]
    fn a_paragraph_stays_a_paragraph(text in nasty()) {
        let (words, others) = read(&escape(&text), |event| matches!(event, Event::Start(Tag::Paragraph)));
        prop_assert_eq!(others, Vec::<String>::new());
        prop_assert_eq!(words, plain(&text));
    }

    #[test]
    fn bold_stays_bold_and_a_heading_one(text in nasty()) {
        prop_assume!(!plain(&text).is_empty());
        let document = format!("# {}\n\n**{}.**\n", escape(&text), escape(&text));
        let (words, others) = read(&document, |event| {
            matches!(event, Event::Start(Tag::Heading { .. } | Tag::Paragraph | Tag::Strong))
        });
        prop_assert_eq!(others, Vec::<String>::new());
        prop_assert_eq!(words, format!("{0}{0}.", plain(&text)));
    }

    #[test]
    fn a_list_item_stays_one(beginning in "(\\[[ x]\\] )?", text in nasty()) {
        let text = beginning + &text;
        let list = format!("- x\n- {}\n", escape(&text));
        let (words, others) = read(&list, |event| matches!(event, Event::Start(Tag::List(None) | Tag::Item)));
        prop_assert_eq!(others, Vec::<String>::new());
        prop_assert_eq!(words, format!("x{}", plain(&text)));
    }

    #[test]
    fn html_stays_closed(text in any::<String>()) {
        prop_assert!(!escape(&text).contains(['<', '>', '\n', '\r', '|', '`', '\\']));
    }

    #[test]
    fn shortening_keeps_the_beginning(text in "[a-cé ]{0,40}", most in 0usize..30) {
        let short = shorten(&text, most);
        let beginning = short.trim_end_matches('…');
        prop_assert!(plain(&text).starts_with(beginning));
        prop_assert!(beginning.chars().count() <= most);
        prop_assert_eq!(short == beginning, beginning == plain(&text));
    }
}

#[test]
fn control_characters_and_direction_marks_show_as_replaced() {
    assert_eq!(escape("a\u{202e}b\u{0}c\u{7f}\u{feff}"), "a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd}");
    assert_eq!(escape("\u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{200d}"), "\u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{200d}");
}

#[test]
fn ordinary_text_stays_readable() {
    for text in [
        "bm25_titles is worse than bm25: nDCG@10 -0.1120 [-0.1810, -0.0460] (95%, n=20).",
        "0.1.0",
        "C# 3.5?",
    ] {
        assert_eq!(escape(text), text);
    }
}

#[test]
fn a_report_on_nasty_documents_has_no_markup_but_its_own() {
    markup::is_ours(&Markdown::default().to_text(&ReportView::from(&sample::report())).unwrap());
}

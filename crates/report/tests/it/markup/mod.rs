//! Whether a report in Markdown has markup of documents.
//!
//! The reader is pulldown-cmark, with every extension that GitHub has.

use pulldown_cmark::{Event, Options, Parser, Tag};

pub(crate) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
}

/// Panics if the text has other links and tags than a report's own, or a table row of another width than its table.
pub(crate) fn is_ours(text: &str) {
    for event in Parser::new_ext(text, options()) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => {
                assert!(["#reference", "#since-the-earlier-report"].contains(&&*dest_url), "{dest_url}");
            }
            Event::Start(
                Tag::Image { .. } | Tag::CodeBlock(_) | Tag::FootnoteDefinition(_) | Tag::Emphasis,
            ) => {
                panic!("the report has {event:?}")
            }
            Event::InlineHtml(html) => assert_eq!(&*html, "<br>"),
            Event::Html(html) => {
                let ours = ["<details>", "</details>", "<summary>"].iter().any(|tag| html.starts_with(tag));
                assert!(ours && html.matches('<').count() <= 2, "{html}");
            }
            Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) | Event::TaskListMarker(_) => {
                panic!("the report has {event:?}")
            }
            _ => {}
        }
    }
    let mut width = None;
    for line in text.lines() {
        let bars = line.matches('|').count();
        if !line.starts_with('|') {
            width = None;
        } else if let Some(width) = width {
            assert_eq!(bars, width, "{line}");
        } else {
            width = Some(bars);
        }
    }
}

//! The Cranfield collection.

#![allow(clippy::unwrap_used, reason = "there is nothing to test without the data")]

use std::io::Read as _;

use llull::core::{Document, Topic, Topics};

use crate::files::{data, read_to_string};

/// The texts between two marks.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    text.split(open).skip(1).filter_map(|part| Some(part.split_once(close)?.0)).collect()
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads the Cranfield collection: its 1,400 documents, and its 225 queries under the numbers of its judgments.
///
/// # Panics
/// Panics if it cannot be read, since a test must not pass without its data.
pub fn cranfield() -> (Vec<Document>, Topics) {
    let mut xml = String::new();
    let file = data("small/cranfield/cran.all.1400.xml.gz");
    llull::data::open(file).unwrap().read_to_string(&mut xml).unwrap();
    let of = |document: &str, tag: &str| {
        words(between(document, &format!("<{tag}>"), &format!("</{tag}>")).first().unwrap_or(&""))
    };
    let document = |xml: &str| {
        let (title, text) = (of(xml, "title"), of(xml, "text"));
        // The text repeats the title.
        let text = text.strip_prefix(&title).unwrap_or(&text).trim().to_owned();
        Document { id: of(xml, "docno"), title, text }
    };
    let documents = between(&xml, "<doc>", "</doc>").into_iter().map(document).collect();
    let queries = read_to_string("small/cranfield/cran.qry.xml");
    // The judgments count the queries; they do not use their numbers.
    let topics = between(&queries, "<title>", "</title>").into_iter().zip(1..);
    let topics = topics.map(|(text, number)| Topic { id: format!("{number}"), text: words(text) }).collect();
    (documents, topics)
}

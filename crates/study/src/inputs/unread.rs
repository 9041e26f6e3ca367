//! Notes about fields of queries and documents that judges do not see.

use llull_data::{TableNotes, UnreadField};

/// The number of fields that a note names.
const NAMED: usize = 8;

/// Describes the ignored fields of the corpus, with the remedy. `attributes` are fields that judges see one by one, so
/// they are not ignored.
pub(super) fn unread_of_corpus(corpus: &str, table: &TableNotes, attributes: &[String]) -> Option<String> {
    let unread: Vec<UnreadField> =
        table.unread.iter().filter(|field| !attributes.contains(&field.name)).cloned().collect();
    let found = which(&unread, "not part of the text")?;
    let of_text = table.used.iter().filter(|(name, _)| *name == "text").flat_map(|(_, fields)| fields);
    let mut text: Vec<&str> = of_text.map(String::as_str).collect();
    text.extend(unread.first().map(|field| field.name.as_str()));
    Some(format!(
        "{corpus}: {found}, so no judge sees and no retriever searches {}. To show them, name the fields that make \
         up the text in llull.toml, in place of corpus = \"FILE\": [corpus] file = \"FILE\", text = {text:?}; to \
         leave them out without this remark, ignore = {:?}",
        if unread.len() == 1 { "it" } else { "them" },
        unread.iter().take(NAMED).map(|field| &field.name).collect::<Vec<_>>()
    ))
}

/// Describes the ignored fields of the queries.
pub(super) fn unread_of_topics(topics: &str, unread: &[UnreadField]) -> Option<String> {
    let found = which(unread, "not read")?;
    Some(format!(
        "{topics}: {found}, so no judge sees {}. A query is its text; what else judges should know belongs there or \
         into the rubric",
        if unread.len() == 1 { "it" } else { "them" }
    ))
}

/// `the field "brand" is not read (the first: line 1)`; files without lines have none.
fn which(unread: &[UnreadField], what: &str) -> Option<String> {
    let first = unread.iter().map(|field| field.first).min()?;
    let place = if first == 0 { String::new() } else { format!(" (the first: line {first})") };
    let names: Vec<String> = unread.iter().take(NAMED).map(|field| format!("{:?}", field.name)).collect();
    let names = match (unread.len().saturating_sub(NAMED), names.split_last()) {
        (0, Some((last, []))) => {
            return Some(format!("the field {last} is {what}{place}"));
        }
        (0, Some((last, others))) => format!("{} and {last}", others.join(", ")),
        (more, _) => format!("{} and {more} more", names.join(", ")),
    };
    Some(format!("the fields {names} are {what}{place}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_a_file_without_lines_has_no_line() {
        let field = |first| [UnreadField { name: "brand".to_owned(), count: 1, first }];
        let shown = |first| which(&field(first), "not read").unwrap();
        assert_eq!(shown(0), "the field \"brand\" is not read");
        assert_eq!(shown(3), "the field \"brand\" is not read (the first: line 3)");
    }
}

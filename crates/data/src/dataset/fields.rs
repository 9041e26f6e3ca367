//! Which fields of a dataset have which role.

use serde_json::{Map, Value};

use crate::tables::{ColumnName, Columns, TableNotes};
use crate::unread::UnreadField;

/// The roles with the usual names of their fields. The first is that of llull's own files. `answer` is not among them,
/// because it is often a generated answer.
const USUAL: [(ColumnName, &[&str]); 4] = [
    (ColumnName::Id, &["query_id", "id", "qid"]),
    (ColumnName::Query, &["query_text", "query", "question", "user_input"]),
    (
        ColumnName::Answer,
        &[
            "expected_answers",
            "ground_truth",
            "ground_truths",
            "reference",
            "reference_answer",
            "expected_answer",
            "gold_answers",
            "answers",
        ],
    ),
    (ColumnName::Document, &["expected_doc_ids", "relevant_doc_ids"]),
];

/// Calls the columns of a header as llull does where the user names them. `names` are the usual ones, `header` those of
/// the file.
pub(super) fn rename_columns(names: &mut [String], header: &[String], named: &Columns) {
    for (name, usual) in USUAL {
        if let Some(at) = place(name, header, named) {
            names.iter_mut().filter(|name| usual.contains(&name.as_str())).for_each(String::clear);
            if let (Some(name), Some(own)) = (names.get_mut(at), usual.first()) {
                (*own).clone_into(name);
            }
        }
    }
}

/// The same for the fields of an object; the lists among them may be one text.
pub(super) fn rename_fields(object: &mut Map<String, Value>, named: &Columns) {
    for (name, usual) in USUAL {
        let fields: Vec<String> = object.keys().cloned().collect();
        let field = place(name, &fields, named).and_then(|at| fields.get(at));
        let (Some(value), Some(own)) = (field.and_then(|field| object.get(field)).cloned(), usual.first())
        else {
            continue;
        };
        usual.iter().for_each(|other| drop(object.remove(*other)));
        let is_list = matches!(name, ColumnName::Answer | ColumnName::Document);
        let value = match value {
            Value::String(_) | Value::Number(_) if is_list => Value::Array(vec![value]),
            value => value,
        };
        object.insert((*own).to_owned(), value);
    }
}

/// The place of the field that the user names.
fn place(name: ColumnName, fields: &[String], named: &Columns) -> Option<usize> {
    let has = |named: &[String]| named.iter().any(|named| fields.contains(named));
    let (wanted, _) = named.of(&[name], true, &has)?;
    fields.iter().position(|field| wanted.contains(field))
}

/// Notes with the named columns which fields of a dataset were read, unless they are those of llull's own files.
/// `fields` are those of the file, with the names that are compared.
pub(super) fn note(file: &str, fields: &[(String, String)], encoding: Option<&'static str>, named: &Columns) {
    let header: Vec<String> = fields.iter().map(|(field, _)| field.clone()).collect();
    let of_role = |(name, usual): &(ColumnName, &[&str])| {
        let at = place(*name, &header, named)
            .or_else(|| usual.iter().find_map(|usual| fields.iter().position(|(_, field)| field == usual)))?;
        let (field, compared) = fields.get(at)?;
        Some((name.name(), field.clone(), usual.first() == Some(&compared.as_str())))
    };
    let used: Vec<(&'static str, String, bool)> = USUAL.iter().filter_map(of_role).collect();
    if encoding.is_none() && used.iter().all(|(.., is_own)| *is_own) {
        return;
    }
    let is_known = |name: &str| {
        // pandas numbers repeated columns.
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        ["", "origin"].contains(&name) || USUAL.iter().any(|(_, usual)| usual.contains(&name))
    };
    let is_unread = |(field, compared): &&(String, String)| {
        !is_known(compared) && !used.iter().any(|(_, used, _)| used == field)
    };
    let unread = |(field, _): &(String, String)| UnreadField { name: field.clone(), count: 0, first: 0 };
    let unread = fields.iter().filter(is_unread).map(unread).collect();
    let used = used.into_iter().map(|(name, field, _)| (name, vec![field])).collect();
    TableNotes { used, encoding, unread, ..TableNotes::default() }.note(file, named);
}

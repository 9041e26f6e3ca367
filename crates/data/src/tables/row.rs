//! One row of a table.

use std::borrow::Cow;

use serde_json::Value;

use super::fields::{FieldMap, Values, is_surely_text};
use super::place::Place;
use super::replies::{QueryOf, text_of};
use super::roles::{Role, TableKind};
use crate::DataError;

/// One row of a table.
pub(crate) struct Row<'a> {
    pub(super) kind: TableKind,
    pub(super) place: Place<'a>,
    /// The fields, if the row has any.
    pub(super) fields: Option<(&'a FieldMap, &'a Values<'a>)>,
    /// What the objects around the row say: its identifier, and a number or a text for it.
    pub(super) id: Option<&'a str>,
    pub(super) value: Option<&'a Value>,
    pub(super) query: Option<&'a QueryOf<'a>>,
    pub(super) system: Option<&'a str>,
    /// Its place in a list of hits, from 0.
    pub(super) rank: Option<usize>,
}

/// The query of a row.
pub(crate) enum QueryOfRow<'a> {
    /// Its identifier or its text.
    Named(Cow<'a, str>),
    /// Its place in the file of queries, from 0.
    At(usize),
}

impl<'a> Row<'a> {
    pub(super) fn of_fields(
        kind: TableKind,
        place: Place<'a>,
        map: &'a FieldMap,
        values: &'a Values<'a>,
    ) -> Self {
        Self {
            kind,
            place,
            fields: Some((map, values)),
            id: None,
            value: None,
            query: None,
            system: None,
            rank: None,
        }
    }

    /// Returns whether the table has a column for a role.
    pub(crate) fn has(&self, role: Role) -> bool {
        self.fields.is_some_and(|(map, _)| map.has(role))
    }

    /// Returns whether documents are identified by their texts.
    pub(crate) fn is_by_text(&self) -> bool {
        self.fields.is_some_and(|(map, _)| map.is_by_text(Role::Document))
    }

    /// Returns the value of a role; `None` if it is missing or empty.
    pub(crate) fn get(&self, role: Role) -> Option<Cow<'_, str>> {
        let identifier = match self.kind {
            TableKind::Queries => Role::Query,
            TableKind::ResultQueries => Role::QueryText,
            _ => Role::Document,
        };
        let whole = match self.kind {
            TableKind::Queries | TableKind::ResultQueries => Role::QueryText,
            TableKind::Documents => Role::Text,
            TableKind::Results => Role::Score,
            _ => Role::Grade,
        };
        if role == identifier
            && let Some(id) = self.id
        {
            return Some(Cow::Borrowed(id));
        }
        if role == Role::System
            && let Some(system) = self.system
        {
            return Some(Cow::Borrowed(system));
        }
        if role == whole
            && let Some(value) = self.value.and_then(text_of)
        {
            return Some(value);
        }
        let (map, values) = self.fields?;
        map.value(role, values)
    }

    /// Returns the metadata of a query or a document: every other field that holds something, with its value.
    pub(crate) fn metadata(&self) -> Vec<(&str, &str)> {
        self.fields.map_or_else(Vec::new, |(map, values)| map.metadata(values))
    }

    /// Returns the query of a result or a label.
    pub(crate) fn query(&self) -> Option<QueryOfRow<'_>> {
        match self.query {
            Some(QueryOf::Named(name)) => Some(QueryOfRow::Named(Cow::Borrowed(name))),
            Some(QueryOf::At(at)) => Some(QueryOfRow::At(*at)),
            None => self.get(Role::Query).map(QueryOfRow::Named),
        }
    }

    /// Returns its place in a list of hits, from 0.
    pub(crate) fn rank_in_list(&self) -> Option<usize> {
        self.rank
    }

    pub(crate) fn place(&self) -> Place<'a> {
        self.place
    }

    /// Returns the error for a role without a value.
    pub(crate) fn missing(&self, role: Role) -> DataError {
        let name = role.name(self.kind);
        let mut remedy = "Fill it in, remove the row, or name another column (--columns)".to_owned();
        let text = self.fields.and_then(|(map, _)| map.best(Role::Text)).filter(|_| role == Role::Document);
        if let Some(text) = text {
            let also = if is_surely_text(text) { String::new() } else { format!(",text={text}") };
            remedy +=
                &format!("; --columns {name}={text}{also} identifies documents by a hash of their texts");
        }
        let expected = format!("a value for {name} in every row");
        self.place.wrong(None, format!("no {name}"), &expected, &remedy)
    }

    /// Returns the error for a value of another form than expected.
    pub(crate) fn wrong(&self, role: Role, found: &str, expected: &str, remedy: &str) -> DataError {
        let name = role.name(self.kind);
        // As spreadsheets write decimals in half of Europe.
        let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let has_comma = found.trim().trim_start_matches('-').split_once(',');
        let remedy = match has_comma.is_some_and(|(whole, part)| is_digits(whole) && is_digits(part)) {
            true => "Write decimals with a point, as in 9.5",
            false => remedy,
        };
        let found = format!("{} as {name}", crate::error::quoted(found));
        self.place.wrong(None, found, expected, remedy)
    }
}

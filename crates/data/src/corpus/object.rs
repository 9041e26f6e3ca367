//! A document of a JSON corpus.

use std::borrow::Cow;

use super::{fields::CorpusFields, format::Row};
use crate::{
    DataError,
    lines::Line,
    object::{Kind, ObjectReader},
    unread::UnreadField,
};

const IDS: [&str; 4] = ["_id", "id", "docid", "doc_id"];
const TEXTS: [&str; 5] = ["text", "contents", "content", "body", "segment"];

/// Reads documents of a JSON corpus.
pub(super) struct CorpusObject {
    objects: ObjectReader,
    ids: Vec<usize>,
    title: Option<usize>,
    texts: Vec<usize>,
    /// Whether the text is all of its fields; otherwise it is the first of them.
    joined: bool,
    /// The fields of the title and the text that the user names.
    named: Vec<usize>,
}

impl CorpusObject {
    pub(super) fn new(fields: &CorpusFields) -> Self {
        let mut objects = ObjectReader::new(&fields.ignore);
        let ids = match &fields.id {
            Some(id) => vec![objects.slot(id, Kind::Id)],
            None => IDS.map(|id| objects.slot(id, Kind::Id)).into(),
        };
        IDS.iter().for_each(|id| objects.silence(id));
        let joined = !fields.text.is_empty();
        let texts: Vec<usize> = if joined {
            fields.text.iter().map(|text| objects.slot(text, Kind::Any)).collect()
        } else {
            TEXTS.map(|text| objects.slot(text, Kind::Text)).into()
        };
        let title = match &fields.title {
            Some(title) => Some(objects.slot(title, Kind::Any)),
            None if fields.text.iter().any(|text| text == "title") => None,
            None => Some(objects.slot("title", Kind::Text)),
        };
        let mut named = if joined { texts.clone() } else { Vec::new() };
        named.extend(title.filter(|_| fields.title.is_some()));
        Self { objects, ids, title, texts, joined, named }
    }

    /// Reads the document of a line.
    pub(super) fn read<'a>(&mut self, line: &Line<'a>) -> Result<Row<'a>, DataError> {
        let mut values = self.objects.read(line, "a JSON object with \"_id\" and \"text\"")?;
        let id = self.ids.iter().find_map(|slot| values.take(*slot));
        let id = id.ok_or_else(|| line.wrong(None, "no identifier", &self.one_of(&self.ids), ""))?;
        let title = self.title.and_then(|slot| values.get(slot)).unwrap_or_default();
        let text = if self.joined {
            let parts = self.texts.iter().filter_map(|slot| values.get(*slot));
            joined(parts.filter(|part| !part.trim().is_empty()))
        } else {
            let (place, text) = self
                .texts
                .iter()
                .enumerate()
                .find_map(|(place, slot)| Some((place, values.take(*slot)?)))
                .ok_or_else(|| {
                    line.wrong(None, format!("document {id} without a text"), &self.one_of(&self.texts), "")
                })?;
            // The first text counts, so later fields are not read.
            for slot in self.texts.iter().skip(place + 1) {
                if values.take(*slot).is_some_and(|text| !text.trim().is_empty()) {
                    self.objects.unread(*slot, line.number);
                }
            }
            text
        };
        Ok(Row { id, title, text })
    }

    /// Returns the fields that were not read.
    ///
    /// # Errors
    /// Returns an error if no document has a field that the user names.
    pub(super) fn finish(self, file: &str) -> Result<Vec<UnreadField>, DataError> {
        if let Some(field) = self.named.iter().find_map(|slot| self.objects.never_seen(*slot)) {
            let known = self.objects.known();
            return Err(DataError::NoField { file: file.to_owned(), field: field.to_owned(), known });
        }
        Ok(self.objects.finish())
    }

    fn one_of(&self, slots: &[usize]) -> String {
        let names: Vec<String> = slots.iter().map(|slot| format!("{:?}", self.objects.name(*slot))).collect();
        match names.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("one of {} and {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

/// Joins texts, each on lines of its own.
fn joined<'a>(mut parts: impl Iterator<Item = Cow<'a, str>>) -> Cow<'a, str> {
    let Some(mut text) = parts.next() else { return Cow::Borrowed("") };
    for part in parts {
        let text = text.to_mut();
        text.push('\n');
        text.push_str(&part);
    }
    text
}

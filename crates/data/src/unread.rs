//! Fields of JSON objects that are not read.

use rustc_hash::FxHashMap;

/// The most fields that are counted by name: objects whose keys are data would fill the memory.
const MOST: usize = 64;

/// A field of JSON objects that is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadField {
    /// Its name.
    pub name: String,
    /// How many objects have something in it.
    pub count: u64,
    /// The line, from 1, of the first of them.
    pub first: u64,
}

/// The fields that were not read so far.
#[derive(Default)]
pub(crate) struct Unread {
    fields: Vec<UnreadField>,
    /// The places of the fields by name: a table may have thousands of columns.
    places: FxHashMap<String, usize>,
    /// Names that are no remark.
    silenced: Vec<String>,
}

impl Unread {
    pub(crate) fn silence(&mut self, name: &str) {
        self.silenced.push(name.to_owned());
    }

    /// Whether a field is no remark.
    pub(crate) fn is_silenced(&self, name: &str) -> bool {
        self.silenced.iter().any(|silenced| silenced == name)
    }

    /// Notes a field that holds something.
    pub(crate) fn note(&mut self, name: &str, line: u64) {
        let place = self.places.get(name).copied();
        if let Some(known) = place.and_then(|place| self.fields.get_mut(place)) {
            known.count += 1;
        } else if self.fields.len() < MOST && !self.is_silenced(name) {
            self.places.insert(name.to_owned(), self.fields.len());
            self.fields.push(UnreadField { name: name.to_owned(), count: 1, first: line });
        }
    }

    pub(crate) fn fields(&self) -> &[UnreadField] {
        &self.fields
    }

    pub(crate) fn finish(self) -> Vec<UnreadField> {
        self.fields
    }
}

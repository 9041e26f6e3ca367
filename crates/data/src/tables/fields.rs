//! Which fields of a file have which role.

use std::borrow::Cow;
use std::fmt;
use std::hash::BuildHasher as _;

use llull_core::Hash;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::de::{self, IgnoredAny};
use serde_json::{Map, Value};

use super::columns::Columns;
use super::place::Place;
use super::roles::{PARTS, Role, RoleNames, TableKind, WHOLES, is_usual};
use super::shallow::ShallowValue;
use crate::DataError;
use crate::json::Text;
use crate::unread::{Unread, UnreadField};

/// Objects that hold an entry's fields in the replies of search engines and the dumps of frameworks. Inside of them
/// fields are found by their usual names, too; those outside win.
const WRAPPERS: [&str; 13] = [
    "_source",
    "_additional",
    "attributes",
    "data",
    "doc",
    "document",
    "entity",
    "fields",
    "meta",
    "metadata",
    "node",
    "payload",
    "properties",
];

/// What Elasticsearch and OpenSearch write beside each hit, and pandas beside each row.
const BOOKKEEPING: [&str; 5] = ["_index", "_type", "_version", "sort", "__index_level_0__"];

/// Returns whether an object of this name holds an entry's fields.
pub(super) fn is_wrapper(name: &str) -> bool {
    WRAPPERS.contains(&name)
}

/// From here on a fraction does not hold every whole number: 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Objects inside objects are looked through to this depth.
const DEEPEST: usize = 4;

/// Objects whose keys are data would fill the memory.
const MOST_METADATA: usize = 256;

/// A field that is read: it has a role, or it is metadata.
struct Slot {
    /// The place of the role among those of the kind; their number for metadata.
    role: usize,
    /// Lower is better; of joined fields, the order.
    order: usize,
    /// The name, with the names of the objects around it: `metadata.title`.
    field: String,
    /// Whether a document has a value in it that is metadata.
    is_metadata: bool,
}

/// The fields of a file, by role.
pub(crate) struct FieldMap {
    kind: TableKind,
    /// For each role of the kind, the fields that the user names for it.
    named: Vec<Option<Vec<String>>>,
    /// Whether a document's identifier is a hash of its text, since the user names one field for both.
    by_text: bool,
    /// The identifier of a document's part, and those of the whole document beside it, whose slots are in the last list
    /// of `of_role`, behind that of metadata.
    part: Option<(String, Vec<String>)>,
    /// The fields that the file must have.
    required: Vec<String>,
    /// The fields that the user names and that the beginning of the file lacks.
    absent: Vec<String>,
    /// The first of those that was met after all.
    late: Option<String>,
    /// Whether rows are read, which a field that is met now comes too late for.
    reads_rows: bool,
    slots: Vec<Slot>,
    /// For each role of the kind, its slots, the best first.
    of_role: Vec<Vec<usize>>,
    known: FxHashMap<String, Option<usize>>,
    unread: Unread,
}

/// The values of an entry, by slot.
pub(crate) type Values<'a> = Vec<Option<Cow<'a, str>>>;

/// Several columns that could have one role.
pub(crate) struct Ambiguity {
    pub(crate) role: &'static str,
    pub(crate) candidates: Vec<String>,
}

impl FieldMap {
    /// Finds the roles of a file's fields. `first` are the fields of its header or its first object.
    pub(crate) fn new(kind: TableKind, columns: &Columns, first: &[String]) -> Result<Self, Ambiguity> {
        // One option may name the column of another file: the identifiers of queries and of documents.
        let is_own = |field: &String, of: Role| {
            let mut others = kind.roles().iter().filter(|names| names.role != of);
            kind.is_written() && others.any(|names| names.role.name(kind) == *field)
        };
        let has_for = |role: Role| {
            move |fields: &[String]| fields.iter().any(|field| first.contains(field) && !is_own(field, role))
        };
        // Results may have no text, and queries no identifier: the corpus that has the column is read later, if at all.
        let is_needed = |role: Role| match kind {
            TableKind::Results => !role.is_text(),
            TableKind::Queries => role != Role::Query,
            _ => true,
        };
        let of = |names: &RoleNames| columns.of(names.given, is_needed(names.role), &has_for(names.role));
        let named = |names: &RoleNames| {
            let (fields, required) = of(names)?;
            (required || has_for(names.role)(fields)).then(|| fields.to_vec())
        };
        let of_kind = || kind.roles().iter().filter_map(of);
        let is_absent = |field: &&String| !first.contains(field);
        let absent =
            of_kind().filter(|(_, required)| !required).flat_map(|(fields, _)| fields).filter(is_absent);
        let required = of_kind().filter(|(_, required)| *required).flat_map(|(fields, _)| fields);
        let mut named: Vec<Option<Vec<String>>> = kind.roles().iter().map(named).collect();
        let by_text = identify_by_text(kind, &mut named);
        let mut map = Self {
            kind,
            by_text,
            part: None,
            required: required.cloned().collect(),
            absent: absent.cloned().collect(),
            late: None,
            reads_rows: false,
            named,
            slots: Vec::new(),
            // Behind the roles come metadata, and the identifiers of whole documents.
            of_role: vec![Vec::new(); kind.roles().len() + 2],
            known: FxHashMap::default(),
            unread: Unread::default(),
        };
        columns
            .ignored()
            .iter()
            .map(String::as_str)
            .chain(BOOKKEEPING)
            .for_each(|name| map.unread.silence(name));
        map.part = map
            .check_ambiguity(first)
            .inspect_err(|found| columns.note_ambiguity(found.role, &found.candidates))?;
        for field in first {
            map.slot(field);
        }
        map.reads_rows = true;
        Ok(map)
    }

    /// Returns the identifier of a document's part, with those of the whole, if a file has both.
    fn check_ambiguity(&self, first: &[String]) -> Result<Option<(String, Vec<String>)>, Ambiguity> {
        let mut part = None;
        for (names, named) in self.kind.roles().iter().zip(&self.named) {
            if named.is_some() || self.is_by_text(names.role) {
                continue;
            }
            let of_group = |group: &&[&str]| -> Vec<String> {
                let is_one = |field: &&String| {
                    !self.is_named(field) && group.iter().any(|usual| is_usual(field, usual))
                };
                let mut found: Vec<String> = first.iter().filter(is_one).cloned().collect();
                found.dedup();
                found
            };
            let found = names.usual.iter().map(of_group).find(|found| !found.is_empty());
            let Some(candidates) = found.filter(|found| found.len() > 1) else { continue };
            part = part_of_document(names.role, &candidates);
            if part.is_none() {
                return Err(Ambiguity { role: names.role.name(self.kind), candidates });
            }
        }
        Ok(part)
    }

    /// Returns the ambiguity of a part's identifier that counts each document's parts anew, as a bare number may:
    /// several documents have it. `documents` are the hashes of earlier parts with those of their documents.
    pub(super) fn ambiguity_of_part(
        &self,
        values: &Values<'_>,
        documents: &mut FxHashMap<u64, u64>,
    ) -> Option<Ambiguity> {
        let (part, wholes) = self.part.as_ref()?;
        let id = self.value(Role::Document, values)?;
        let id = id.trim();
        let filled = |slot: &usize| values.get(*slot)?.as_deref().map(str::trim).filter(|id| !id.is_empty());
        let document = self.of_role.last().into_iter().flatten().find_map(filled);
        let is_of_another = document.is_some_and(|document| {
            let document = FxBuildHasher.hash_one(document);
            *documents.entry(FxBuildHasher.hash_one(id)).or_insert(document) != document
        });
        let is_number = id.bytes().all(|byte| byte.is_ascii_digit());
        (is_number || is_of_another).then(|| Ambiguity {
            role: Role::Document.name(self.kind),
            candidates: std::iter::once(part).chain(wholes).cloned().collect(),
        })
    }

    /// Whether the values of this role are made of the text.
    pub(super) fn is_by_text(&self, role: Role) -> bool {
        self.by_text && role == Role::Document
    }

    /// Whether the user names this field, for whatever role.
    fn is_named(&self, field: &str) -> bool {
        self.named.iter().flatten().flatten().any(|named| named == field)
    }

    /// Returns the slot of a field; `None` if it has no role.
    pub(crate) fn slot(&mut self, field: &str) -> Option<usize> {
        if let Some(known) = self.known.get(field) {
            return *known;
        }
        if self.absent.iter().any(|absent| absent == field) {
            self.late.get_or_insert_with(|| field.to_owned());
        }
        let found = self.find(field).or_else(|| self.metadata_place(field));
        let slot = found.map(|(role, order)| {
            let slot = self.slots.len();
            self.slots.push(Slot { role, order, field: field.to_owned(), is_metadata: false });
            let slots = &mut self.of_role[role];
            let place = slots.partition_point(|other| self.slots[*other].order <= order);
            // Rows before it took the role from another column.
            let synonyms = matches!(self.kind, TableKind::Queries | TableKind::Documents);
            let one = self.kind.roles().get(role).is_some_and(|names| !names.role.is_text());
            if self.reads_rows && !synonyms && one && place == 0 && !slots.is_empty() {
                self.late.get_or_insert_with(|| field.to_owned());
            }
            slots.insert(place, slot);
            slot
        });
        let is_identifier = |names: &RoleNames| {
            names.role.is_identifier()
                && names.usual.iter().copied().flatten().any(|usual| is_usual(field, usual))
        };
        if self.role_of(slot).is_none() && self.kind.roles().iter().any(is_identifier) {
            self.unread.silence(field);
        }
        // Objects whose keys are data would fill the memory.
        if self.known.len() < 1 << 16 {
            self.known.insert(field.to_owned(), slot);
        }
        slot
    }

    /// Returns the role of a field, and how well it fits.
    fn find(&self, field: &str) -> Option<(usize, usize)> {
        for (role, named) in self.named.iter().enumerate() {
            if let Some(order) = named.iter().flatten().position(|named| named == field) {
                return Some((role, order));
            }
        }
        // Azure's `@search.score` has a dot of its own.
        let (around, name) = match field.rsplit_once('.') {
            Some(parts) if !field.starts_with('@') => parts,
            _ => ("", field),
        };
        let wrapped = around.split('.').all(|object| WRAPPERS.contains(&object));
        if !around.is_empty() && !wrapped {
            return None;
        }
        let of_role = |(role, names): (usize, &RoleNames)| {
            let is_one = |group: &&[&str]| group.iter().any(|usual| is_usual(name, usual));
            let group = names.usual.iter().position(is_one)?;
            let depth = if around.is_empty() { 0 } else { around.split('.').count() };
            Some((role, depth * names.usual.len() + group))
        };
        if self.part.as_ref().is_some_and(|(_, wholes)| wholes.iter().any(|whole| whole == field)) {
            return Some((self.kind.roles().len() + 1, 0));
        }
        let free = self.kind.roles().iter().enumerate().filter(|(role, _)| self.named[*role].is_none());
        free.filter_map(of_role).min_by_key(|(_, order)| *order)
    }

    /// Returns the place of another field of metadata; `None` if this kind has none, or too many.
    fn metadata_place(&self, field: &str) -> Option<(usize, usize)> {
        let metadata = self.kind.roles().len();
        let known = self.of_role.get(metadata).map_or(0, Vec::len);
        let has_metadata = match self.kind {
            TableKind::Queries => true,
            TableKind::Documents => !self.unread.is_silenced(field),
            _ => false,
        };
        (has_metadata && known < MOST_METADATA).then_some((metadata, known))
    }

    /// Returns the role of a slot; `None` without a slot, and for metadata.
    fn role_of(&self, slot: Option<usize>) -> Option<Role> {
        self.kind.roles().get(self.slots.get(slot?)?.role).map(|names| names.role)
    }

    /// Returns the fields of a row that are metadata, by their names, with their values: those without a role, and
    /// those whose role another field has.
    pub(crate) fn metadata<'v>(&self, values: &'v Values<'_>) -> Vec<(&str, &'v str)> {
        let used = |role: usize| {
            let is_joined =
                self.named.get(role).and_then(Option::as_ref).is_some_and(|named| named.len() > 1);
            if role >= self.kind.roles().len() {
                0
            } else if is_joined {
                usize::MAX
            } else {
                1
            }
        };
        let of_role = |(role, slots): (usize, &Vec<usize>)| {
            let filled = slots.iter().filter_map(|slot| {
                let value = values.get(*slot)?.as_deref().map(str::trim).filter(|value| !value.is_empty())?;
                Some((*slot, value))
            });
            filled.skip(used(role)).collect::<Vec<_>>()
        };
        let mut found: Vec<(usize, &str)> = self.of_role.iter().enumerate().flat_map(of_role).collect();
        found.sort_unstable_by_key(|(slot, _)| *slot);
        found.into_iter().filter_map(|(slot, value)| Some((self.metadata_name(slot)?, value))).collect()
    }

    /// Returns the name of a field without the names of the objects that hold an entry's fields, unless another field
    /// has that name: `metadata.segment` is `segment`.
    fn metadata_name(&self, slot: usize) -> Option<&str> {
        let field = self.slots.get(slot)?.field.as_str();
        let mut name = field;
        while let Some((_, inner)) = name.split_once('.').filter(|(object, _)| is_wrapper(object)) {
            name = inner;
        }
        let is_taken = name != field && self.slots.iter().any(|other| other.field == name);
        Some(if is_taken { field } else { name })
    }

    /// Returns the role of a field.
    pub(crate) fn role(&mut self, field: &str) -> Option<Role> {
        let slot = self.slot(field);
        self.role_of(slot)
    }

    /// Notes that a field without a role holds something.
    pub(crate) fn note(&mut self, field: &str, line: u64) {
        self.unread.note(field, line);
    }

    /// Puts a field's value into its slot, or notes that it has no role. Returns the value that was there.
    pub(crate) fn set<'v>(
        &mut self,
        values: &mut Values<'v>,
        field: &str,
        value: Cow<'v, str>,
        line: u64,
    ) -> Option<Cow<'v, str>> {
        let Some(slot) = self.slot(field) else {
            if !value.trim().is_empty() {
                self.note(field, line);
            }
            return None;
        };
        if values.len() <= slot {
            values.resize(slot + 1, None);
        }
        values[slot].replace(value)
    }

    /// Returns the value of a role: of the best field that has one, or of all that the user names.
    pub(crate) fn value<'v>(&self, role: Role, values: &'v Values<'_>) -> Option<Cow<'v, str>> {
        if self.is_by_text(role) {
            let hash = |text: Cow<'_, str>| Hash::of(text.as_bytes()).to_string();
            return self
                .value(Role::Text, values)
                .map(|text| Cow::Owned(hash(text).chars().take(16).collect()));
        }
        let place = self.kind.roles().iter().position(|names| names.role == role)?;
        let joined = self.named[place].as_ref().is_some_and(|named| named.len() > 1);
        let filled = |value: &str| !value.trim().is_empty();
        let mut found = self.of_role[place].iter().filter_map(|slot| {
            let value = values.get(*slot)?.as_deref()?;
            Some((&self.slots[*slot], value))
        });
        // An empty identifier, grade or score is missing: another column that could have the role means another thing.
        if !joined && !role.is_text() {
            let best = self.of_role[place].first().and_then(|slot| values.get(*slot)?.as_deref());
            let value = if self.has_synonyms() { found.next().map(|(_, value)| value) } else { best };
            return value.filter(|value| filled(value)).map(Cow::Borrowed);
        }
        let mut filled = found.filter(|(_, value)| filled(value));
        if !joined {
            return filled.next().map(|(_, value)| Cow::Borrowed(value));
        }
        let labelled: Vec<String> =
            filled.map(|(slot, value)| format!("{}: {value}", label(&slot.field))).collect();
        (!labelled.is_empty()).then(|| Cow::Owned(labelled.join("\n")))
    }

    /// Whether a row may lack the best field of a role and have another one: queries and documents have one identifier.
    fn has_synonyms(&self) -> bool {
        matches!(self.kind, TableKind::Queries | TableKind::Documents)
    }

    /// Notes the values of a row that were read and not used, because a better field has their role.
    pub(crate) fn note_unused(&mut self, values: &Values<'_>, line: u64) {
        if self.kind == TableKind::Queries {
            return;
        }
        let is_filled = |slot: &&usize| {
            values.get(**slot).and_then(Option::as_deref).is_some_and(|value| !value.trim().is_empty())
        };
        let keeps = self.kind == TableKind::Documents;
        for slot in self.of_role.get(self.kind.roles().len()).into_iter().flatten().filter(is_filled) {
            self.slots[*slot].is_metadata = true;
            self.unread.note(&self.slots[*slot].field, line);
        }
        for ((slots, named), names) in self.of_role.iter().zip(&self.named).zip(self.kind.roles()) {
            // Another identifier is nothing that anybody misses.
            if slots.len() < 2
                || names.role.is_identifier()
                || named.as_ref().is_some_and(|named| named.len() > 1)
            {
                continue;
            }
            for unused in slots.iter().filter(is_filled).skip(1) {
                self.slots[*unused].is_metadata = keeps;
                self.unread.note(&self.slots[*unused].field, line);
            }
        }
    }

    /// Returns the first field of a role that is required and has no field.
    pub(super) fn without_field(&self) -> Option<&'static RoleNames> {
        let mut roles = self.kind.roles().iter().zip(&self.of_role);
        roles
            .find(|(names, slots)| names.required && slots.is_empty() && !self.is_by_text(names.role))
            .map(|(names, _)| names)
    }

    /// Checks that each required role has a field; `first` are the fields at this place.
    ///
    /// # Errors
    /// Returns an error that names the role, and how to name its field.
    pub(crate) fn check_required(&self, first: &[String], place: &Place<'_>) -> Result<(), DataError> {
        let Some(names) = self.without_field() else { return Ok(()) };
        let name = names.role.name(self.kind);
        let option = names.given.first().map_or(name, |given| given.name());
        Err(place.wrong(
            None,
            format!("no column for {name} among {}", quoted_list(first)),
            &format!("a column such as {:?}", names.role.example(self.kind)),
            &format!("Name it: --columns {option}=COLUMN"),
        ))
    }

    /// Takes the field that the user names and that came only after rows without it.
    pub(crate) fn take_late(&mut self) -> Option<String> {
        self.late.take()
    }

    /// Returns the first field that the file must have and that it does not have.
    pub(crate) fn never_seen(&self) -> Option<&str> {
        let has = |field: &String| self.slots.iter().any(|slot| slot.field == *field);
        self.required.iter().find(|field| !has(field)).map(String::as_str)
    }

    /// Returns whether the user names the fields of this role.
    pub(crate) fn is_named_by_user(&self, role: Role) -> bool {
        self.kind.roles().iter().zip(&self.named).any(|(names, named)| names.role == role && named.is_some())
    }

    /// Returns whether a slot has this role.
    pub(crate) fn is_of(&self, slot: usize, role: Role) -> bool {
        self.slots
            .get(slot)
            .and_then(|slot| self.kind.roles().get(slot.role))
            .is_some_and(|names| names.role == role)
    }

    /// Returns whether this role has a field.
    pub(crate) fn has(&self, role: Role) -> bool {
        let mut roles = self.slots.iter().filter_map(|slot| self.kind.roles().get(slot.role));
        roles.any(|names| names.role == role)
    }

    /// Returns the best field of this role; `None` if it has none.
    pub(super) fn best(&self, role: Role) -> Option<&str> {
        let of_kind = self.kind.roles().iter().position(|names| names.role == role)?;
        let slot = self.of_role.get(of_kind)?.first()?;
        self.slots.get(*slot).map(|slot| slot.field.as_str())
    }

    /// Returns all fields that were met.
    pub(crate) fn fields(&self) -> Vec<String> {
        // Of documents a field of metadata is left out if it is empty everywhere.
        let is_read = |slot: &&Slot| slot.role < self.kind.roles().len() || self.kind == TableKind::Queries;
        let read = self.slots.iter().filter(is_read).map(|slot| &slot.field);
        let mut all: Vec<String> = read.cloned().collect();
        for field in self.unread.fields() {
            if !all.contains(&field.name) {
                all.push(field.name.clone());
            }
        }
        all
    }

    /// Returns the unused fields that are saved as metadata of documents.
    pub(super) fn saved(&self) -> Vec<String> {
        let is_saved = |name: &String| self.slots.iter().any(|slot| slot.is_metadata && slot.field == *name);
        self.unread.fields().iter().map(|field| field.name.clone()).filter(is_saved).collect()
    }

    /// Returns the roles with their best field, or all that are joined, in the order of the kind.
    pub(crate) fn used(&self) -> Vec<(&'static str, Vec<String>)> {
        let roles = self.kind.roles().iter().zip(self.of_role.iter().zip(&self.named));
        let of_role = |(names, (slots, named)): (&RoleNames, (&Vec<usize>, &Option<Vec<String>>))| {
            if self.is_by_text(names.role) {
                return Some((names.role.name(self.kind), vec!["hash of the text".to_owned()]));
            }
            if let Some((part, wholes)) = self.part.as_ref().filter(|_| names.role == Role::Document) {
                return Some((
                    names.role.name(self.kind),
                    vec![format!("{part} (of {})", wholes.join(", "))],
                ));
            }
            let joined = named.as_ref().map_or(1, Vec::len);
            let fields = slots.iter().take(joined).filter_map(|slot| self.slots.get(*slot));
            let fields: Vec<String> = fields.map(|slot| slot.field.clone()).collect();
            (!fields.is_empty()).then(|| (names.role.name(self.kind), fields))
        };
        roles.filter_map(of_role).collect()
    }

    pub(crate) fn finish(self) -> Vec<UnreadField> {
        self.unread.finish()
    }

    /// Returns a seed that reads an object's fields into `values`.
    pub(crate) fn object<'r, 'de>(
        &'r mut self,
        values: &'r mut Values<'de>,
        line: u64,
    ) -> ObjectSeed<'r, 'de> {
        values.clear();
        ObjectSeed { map: self, values, around: String::new(), depth: 0, line }
    }
}

/// Returns the identifier of a document's part among these, and the others, if they are those of the whole.
fn part_of_document(role: Role, candidates: &[String]) -> Option<(String, Vec<String>)> {
    let is_one_of = |names: &[&str], field: &String| names.iter().any(|name| is_usual(field, name));
    let (parts, wholes): (Vec<String>, Vec<String>) =
        candidates.iter().cloned().partition(|field| is_one_of(PARTS, field));
    let is_clear = role == Role::Document && wholes.iter().all(|field| is_one_of(WHOLES, field));
    match <[String; 1]>::try_from(parts) {
        Ok([part]) if is_clear => Some((part, wholes)),
        _ => None,
    }
}

/// Returns whether the user names the field of the text for the document's identifier, too. Then it is only the text's.
fn identify_by_text(kind: TableKind, named: &mut [Option<Vec<String>>]) -> bool {
    if kind == TableKind::Sheet {
        return false;
    }
    let place = |role: Role| kind.roles().iter().position(|names| names.role == role);
    let (Some(document), Some(text)) = (place(Role::Document), place(Role::Text)) else { return false };
    let Some([field]) = named.get(document).and_then(Option::as_deref) else { return false };
    let is_text = named[text].as_ref().map_or_else(|| is_surely_text(field), |fields| fields.contains(field));
    if is_text {
        let field = named[document].take();
        named[text] = named[text].take().or(field);
    }
    is_text
}

/// Whether a field of this name is a text even where it is named as an identifier. Other names of texts may be those of
/// identifiers: `passage`.
pub(super) fn is_surely_text(field: &str) -> bool {
    matches!(field.rsplit('.').next(), Some("page_content" | "text"))
}

/// Returns the first of these fields, for messages.
pub(super) fn quoted_list(fields: &[String]) -> String {
    fields.iter().take(12).map(|field| format!("{field:?}")).collect::<Vec<_>>().join(", ")
}

/// Returns a field's name as the label of its value: `product_title` is `Product title`.
fn label(field: &str) -> String {
    let name = field.rsplit('.').next().unwrap_or(field).replace(['_', '-'], " ");
    let mut letters = name.trim().chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Returns the names of all fields of an object, also of those inside of others.
pub(crate) fn fields_of(object: &Map<String, Value>) -> Vec<String> {
    values_of(object).into_iter().map(|(field, _)| field).collect()
}

/// Returns the fields of an object as [`fields_of`] does, with their values.
pub(crate) fn values_of(object: &Map<String, Value>) -> Vec<(String, &Value)> {
    fn add<'v>(
        object: &'v Map<String, Value>,
        around: &str,
        depth: usize,
        all: &mut Vec<(String, &'v Value)>,
    ) {
        for (key, value) in object {
            let field = joined(around, key);
            match value {
                Value::Object(inner) if depth < DEEPEST => add(inner, &field, depth + 1, all),
                _ => all.push((field.into_owned(), value)),
            }
        }
    }
    let mut all = Vec::new();
    add(object, "", 1, &mut all);
    all
}

fn joined<'k>(around: &str, key: &'k str) -> Cow<'k, str> {
    if around.is_empty() { Cow::Borrowed(key) } else { Cow::Owned(format!("{around}.{key}")) }
}

/// Reads an object's fields.
pub(crate) struct ObjectSeed<'r, 'de> {
    map: &'r mut FieldMap,
    values: &'r mut Values<'de>,
    around: String,
    depth: usize,
    line: u64,
}

impl<'de> de::DeserializeSeed<'de> for ObjectSeed<'_, 'de> {
    type Value = ();

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> de::Visitor<'de> for ObjectSeed<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(Text(key)) = object.next_key::<Text<'de>>()? {
            let field = joined(&self.around, &key);
            object.next_value_seed(ValueSeed {
                map: &mut *self.map,
                values: &mut *self.values,
                field: &field,
                depth: self.depth + 1,
                line: self.line,
            })?;
        }
        Ok(())
    }
}

/// Reads the value of a field.
struct ValueSeed<'r, 'de> {
    map: &'r mut FieldMap,
    values: &'r mut Values<'de>,
    field: &'r str,
    depth: usize,
    line: u64,
}

impl<'de> ValueSeed<'_, 'de> {
    fn set<E: de::Error>(self, value: Cow<'de, str>) -> Result<(), E> {
        match self.map.set(self.values, self.field, value, self.line) {
            Some(_) if self.map.role(self.field).is_some() => {
                Err(E::custom(format_args!("duplicate field {:?}", self.field)))
            }
            Some(_) | None => Ok(()),
        }
    }
}

impl<'de> de::DeserializeSeed<'de> for ValueSeed<'_, 'de> {
    type Value = ();

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> de::Visitor<'de> for ValueSeed<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a text, a number or a list of these in {:?}", self.field)
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<(), E> {
        self.set(Cow::Borrowed(text))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        self.set(Cow::Owned(text.to_owned()))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.set(Cow::Borrowed(if value { "true" } else { "false" }))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<(), E> {
        self.set(Cow::Owned(number.to_string()))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<(), E> {
        self.set(Cow::Owned(number.to_string()))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<(), E> {
        // As a fraction it has lost digits, and another identifier may have become equal.
        if self.map.role(self.field).is_some_and(Role::is_identifier) && number.abs() >= EXACT {
            return Err(E::custom(format_args!(
                "a number of so many digits in {:?} that some are lost; write it as a text",
                self.field
            )));
        }
        self.set(Cow::Owned(number.to_string()))
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        // A field that is null in every hit has no role.
        if self.map.kind == TableKind::Results && !self.map.known.contains_key(self.field) {
            return Ok(());
        }
        self.set(Cow::Borrowed(""))
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let slot = self.map.slot(self.field);
        let Some(role) = self.map.role_of(slot) else {
            let (mut texts, mut something) = (Vec::new(), false);
            if slot.is_some() && self.map.kind == TableKind::Documents {
                while let Some(ShallowValue(element)) = list.next_element()? {
                    something = true;
                    match element {
                        Value::String(text) => texts.push(text),
                        Value::Null => {}
                        _ => {
                            // Numbers may be a vector.
                            texts.clear();
                            break;
                        }
                    }
                }
            }
            while list.next_element::<IgnoredAny>()?.is_some() {
                something = true;
            }
            if !texts.is_empty() {
                return self.set(Cow::Owned(texts.join(", ")));
            }
            if something {
                self.map.note(self.field, self.line);
            }
            return Ok(());
        };
        let is_one = !role.is_text();
        let (mut text, mut elements) = (String::new(), 0);
        while let Some(ShallowValue(element)) = list.next_element()? {
            let element = scalar(&element).ok_or_else(|| {
                de::Error::custom(format_args!("a list of lists or objects in {:?}", self.field))
            })?;
            elements += 1;
            if is_one && elements > 1 {
                return Err(de::Error::custom(format_args!("a list of several in {:?}", self.field)));
            }
            if !text.is_empty() && !element.is_empty() {
                text.push('\n');
            }
            text.push_str(&element);
        }
        self.set(Cow::Owned(text))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        if self.depth < DEEPEST {
            let Self { map, values, field, depth, line } = self;
            return ObjectSeed { map, values, around: field.to_owned(), depth, line }.visit_map(object);
        }
        let something = object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some();
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        if something {
            self.map.note(self.field, self.line);
        }
        Ok(())
    }
}

/// Returns an element of a list as text; `None` if it is a list or an object.
fn scalar(element: &Value) -> Option<Cow<'_, str>> {
    match element {
        Value::Null => Some(Cow::Borrowed("")),
        Value::Bool(value) => Some(Cow::Owned(value.to_string())),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Array(_) | Value::Object(_) => None,
    }
}

impl Ambiguity {
    /// Returns the error of this file.
    pub(crate) fn of(self, file: &str) -> DataError {
        DataError::Ambiguous { file: file.to_owned(), role: self.role, candidates: self.candidates }
    }
}

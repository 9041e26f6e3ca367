//! Reads the rows of a table, whatever its form.

use std::io::BufRead;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use super::columns::Columns;
use super::faults::Faults;
use super::fields::{FieldMap, Values, fields_of, quoted_list, values_of};
use super::form::{Form, form_of};
use super::markup::{Element, Unended, elements};
use super::place::Place;
use super::replies::{self, Entries, Entry, EntryValue};
use super::roles::{Role, TableKind};
use super::row::Row;
use super::shallow::ShallowValue;
use crate::chunks::Chunks;
use crate::csv::Records;
use crate::identifier::LONGEST_IDENTIFIER;
use crate::lines::{Line, Lines};
use crate::open::open_other_encoding;
use crate::unread::UnreadField;
use crate::whole::{file_limit, utf8};
use crate::{DataError, json};

/// How a table was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableNotes {
    /// The columns that were used, by what they hold; empty for a file without columns.
    pub used: Vec<(&'static str, Vec<String>)>,
    /// The encoding of the file, if it is not UTF-8.
    pub encoding: Option<&'static str>,
    /// The number of replies that name no query, and so are in the order of the queries.
    pub replies: usize,
    /// All columns or fields that the file has.
    pub fields: Vec<String>,
    /// The fields that are saved as metadata of queries or documents, in the order in which they were met.
    pub metadata: Vec<String>,
    /// The fields that are not used and hold something, in the order in which they were met; those of documents among
    /// them that are saved as metadata.
    pub unread: Vec<UnreadField>,
}

impl TableNotes {
    /// Returns in one line how the table was read: `products.jsonl: id = sku, text = title + description`. `None` for a
    /// file in UTF-8 without named columns.
    pub fn line(&self, file: &str) -> Option<String> {
        let columns = self.columns();
        match (self.encoding, columns.is_empty()) {
            (None, true) => None,
            (_, true) => Some(self.shown(file)),
            _ => Some(format!("{}: {columns}", self.shown(file))),
        }
    }

    fn shown(&self, file: &str) -> String {
        self.encoding.map_or_else(|| file.to_owned(), |encoding| format!("{file} ({encoding})"))
    }

    /// `id = sku, text = title + description; 1 field unused: brand`
    fn columns(&self) -> String {
        const NAMED: usize = 4;
        if self.used.is_empty() && self.replies == 0 {
            return String::new();
        }
        let order = (self.replies > 0).then(|| "replies in the order of the queries".to_owned());
        let used = self.used.iter().map(|(name, fields)| format!("{name} = {}", fields.join(" + ")));
        let mut line = order.into_iter().chain(used).collect::<Vec<_>>().join(", ");
        let unread = self.unread.iter().map(|field| &field.name);
        let unread: Vec<&str> =
            unread.filter(|name| !self.metadata.contains(name)).map(String::as_str).collect();
        let metadata: Vec<&str> = self.metadata.iter().map(String::as_str).collect();
        for (fields, what) in [(metadata, "saved as metadata"), (unread, "unused")] {
            let names = fields.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
            match fields.len() {
                0 => {}
                1 => line += &format!("; 1 field {what}: {names}"),
                all => {
                    let more = if all > NAMED { ", ..." } else { "" };
                    line += &format!("; {all} fields {what}: {names}{more}");
                }
            }
        }
        line
    }

    /// Notes with the named columns how the table was read, unless its columns are those of BEIR, or all have the names
    /// that llull gives them.
    pub(crate) fn note(&self, file: &str, named: &Columns) {
        const BEIR: [(&str, &str); 7] = [
            ("id", "_id"),
            ("query", "text"),
            ("title", "title"),
            ("text", "text"),
            ("query", "query-id"),
            ("document", "corpus-id"),
            ("grade", "score"),
        ];
        let used =
            self.used.iter().flat_map(|(name, fields)| fields.iter().map(|field| (*name, field.as_str())));
        let is_beir = used.clone().all(|pair| BEIR.contains(&pair));
        let is_plain = self.metadata.is_empty() && self.unread.is_empty();
        let is_named_so = is_plain && used.clone().all(|(name, field)| name == field);
        if self.encoding.is_some() || self.replies > 0 || !is_beir && !is_named_so {
            named.note_table(self.shown(file), self.columns());
        }
    }
}

/// A table to read.
pub(crate) struct TableSource<'a> {
    pub(crate) kind: TableKind,
    pub(crate) form: Form,
    /// The name in messages.
    pub(crate) file: String,
    pub(crate) reader: Box<dyn BufRead + Send>,
    pub(crate) columns: &'a Columns,
    encoding: Option<&'static str>,
}

impl<'a> TableSource<'a> {
    /// Opens a table.
    ///
    /// # Errors
    /// Returns the file's chunks if it is no table.
    pub(crate) fn of(
        mut chunks: Chunks,
        path: &Path,
        kind: TableKind,
        columns: &'a Columns,
    ) -> Result<Self, Box<Chunks>> {
        let is_filled = |line: &[u8]| !line.trim_ascii().is_empty();
        if chunks.is_parquet() {
            let (form, file) = (Form::Parquet, chunks.file().to_owned());
            return Ok(Self { kind, form, file, reader: chunks.into_reader(), columns, encoding: None });
        }
        let first = chunks.first_line(is_filled).unwrap_or_default();
        let form = match first.trim_ascii_start().starts_with(b"#") {
            // Lines with `#` above a header are comments.
            true => {
                let below = |line: &[u8]| is_filled(line) && !line.trim_ascii_start().starts_with(b"#");
                let header = chunks.first_line(below).and_then(|line| form_of(kind, line, path, columns));
                header.filter(|form| *form == Form::Delimited)
            }
            false => None,
        };
        match form.or_else(|| form_of(kind, chunks.first_line(is_filled).unwrap_or_default(), path, columns))
        {
            None => Err(Box::new(chunks)),
            Some(form) => {
                let (file, is_workbook) = (chunks.file().to_owned(), chunks.is_workbook());
                let (mut reader, mut encoding) = (chunks.into_reader(), None);
                // JSON is UTF-8. A corpus is read once, whatever its size.
                let may_be_encoded = matches!(form, Form::Delimited | Form::Markup)
                    || kind == TableKind::Queries && form == Form::Plain;
                let may_be_encoded = may_be_encoded && !is_workbook;
                if may_be_encoded && let Some((other, name)) = open_other_encoding(path) {
                    (reader, encoding) = (other, Some(name));
                }
                Ok(Self { kind, form, file, reader, columns, encoding })
            }
        }
    }
}

impl TableSource<'_> {
    /// Reads the same file as a table of another kind.
    pub(crate) fn with_kind(self, kind: TableKind) -> Self {
        Self { kind, ..self }
    }
}

/// Takes a row. An error of the row's line or path is collected; any other ends the reading.
pub(crate) type Each<'e> = dyn FnMut(&Row<'_>) -> Result<(), DataError> + 'e;

/// Reads a table and passes each row to `each`.
///
/// # Errors
/// Returns an error if the file cannot be read, a column is missing or ambiguous, or rows are wrong: the first fault of
/// each kind, with the number of the others.
pub(crate) fn read_table(source: TableSource<'_>, each: &mut Each<'_>) -> Result<TableNotes, DataError> {
    let mut reading = Reading {
        kind: source.kind,
        columns: source.columns,
        faults: Faults::default(),
        replies: 0,
        query: None,
        documents: FxHashMap::default(),
        each,
    };
    let map = match source.form {
        Form::Delimited => reading.delimited(Lines::over(source.file.clone(), source.reader))?,
        Form::Plain => reading.plain(Lines::over(source.file.clone(), source.reader))?,
        Form::Json => reading.json(source.file.clone(), source.reader)?,
        Form::Markup => reading.markup(source.file.clone(), source.reader)?,
        Form::Parquet => reading.parquet(&source.file, source.reader)?,
    };
    let (replies, query) = (reading.replies, reading.query.take());
    reading.faults.finish()?;
    let encoding = source.encoding;
    let Some(map) = map else { return Ok(TableNotes { encoding, replies, ..TableNotes::default() }) };
    if let Some(field) = map.never_seen() {
        return Err(DataError::NoField { file: source.file, field: field.to_owned(), known: map.fields() });
    }
    let mut used = map.used();
    let mut fields = map.fields();
    if let Some(query) = query {
        used.insert(0, ("query", vec![query.clone()]));
        fields.push(query);
    }
    let metadata = map.saved();
    let notes = TableNotes { used, encoding, replies, fields, metadata, unread: map.finish() };
    // The form of TREC's topics is fixed, and the metadata of queries are known when all are read.
    if source.form != Form::Markup && source.kind != TableKind::Queries {
        notes.note(&source.file, source.columns);
    }
    Ok(notes)
}

/// Returns all rows of a Parquet file, as objects.
///
/// # Errors
/// Returns an error if the file cannot be read.
#[cfg(feature = "parquet")]
pub(crate) fn parquet_rows(
    file: &str,
    reader: Box<dyn BufRead + Send>,
) -> Result<Vec<serde_json::Map<String, Value>>, DataError> {
    let mut rows = Vec::new();
    super::parquet::ParquetFile::read(file, reader)?.rows(|_| true, &mut |_, row| {
        rows.push(row);
        Ok(())
    })?;
    Ok(rows)
}

#[cfg(not(feature = "parquet"))]
pub(crate) fn parquet_rows(
    file: &str,
    _: Box<dyn BufRead + Send>,
) -> Result<Vec<serde_json::Map<String, Value>>, DataError> {
    let reason = "this llull was built without the feature parquet".to_owned();
    Err(DataError::Damaged { file: file.to_owned(), kind: "Parquet file", reason })
}

/// Objects whose keys are data would fill the memory.
const MOST_FIELDS: usize = 1 << 10;

struct Reading<'a, 'e> {
    kind: TableKind,
    columns: &'a Columns,
    faults: Faults,
    /// The number of replies that name no query.
    replies: usize,
    /// The field in which replies name their query.
    query: Option<String>,
    /// The hashes of the parts of documents, with those of their documents.
    documents: FxHashMap<u64, u64>,
    each: &'a mut Each<'e>,
}

impl Reading<'_, '_> {
    fn row(&mut self, row: &Row<'_>) -> Result<(), DataError> {
        let documents = &mut self.documents;
        if let Some(found) = row.fields.and_then(|(map, values)| map.ambiguity_of_part(values, documents)) {
            self.columns.note_ambiguity(found.role, &found.candidates);
            return Err(found.of(row.place.file()));
        }
        let identifiers = [Role::Query, Role::Document];
        let long =
            identifiers.into_iter().find_map(|role| row.get(role).filter(|id| id.len() > LONGEST_IDENTIFIER));
        let read = match long {
            Some(long) => Err(row.place().wrong(
                None,
                format!("{}, an identifier of {} bytes", crate::error::quoted(&long), long.len()),
                &format!("at most {LONGEST_IDENTIFIER} bytes"),
                "Are the columns in order?",
            )),
            None => (self.each)(row),
        };
        read.or_else(|error| self.faults.add(error))
    }

    fn map(&self, file: &str, first: &[String], place: &Place<'_>) -> Result<FieldMap, DataError> {
        let map = FieldMap::new(self.kind, self.columns, first).map_err(|ambiguity| ambiguity.of(file))?;
        map.check_required(first, place)?;
        self.check_content(&map, first, place)?;
        Ok(map)
    }

    /// Checks that documents have a title or a text, and labels a grade, which rows may lack.
    fn check_content(&self, map: &FieldMap, first: &[String], place: &Place<'_>) -> Result<(), DataError> {
        let (roles, name, example): (&[Role], _, _) = match self.kind {
            TableKind::Documents => (&[Role::Title, Role::Text], "title or text", "text"),
            TableKind::Labels => (&[Role::Grade], "grade", "grade"),
            _ => return Ok(()),
        };
        if roles.iter().any(|role| map.has(*role) || map.is_named_by_user(*role)) {
            return Ok(());
        }
        Err(place.wrong(
            None,
            format!("no column for {name} among {}", quoted_list(first)),
            &format!("a column such as {example:?}"),
            &format!("Name it: --columns {example}=COLUMN"),
        ))
    }

    fn delimited(&mut self, lines: Lines) -> Result<Option<FieldMap>, DataError> {
        let file = lines.file().to_owned();
        let known = |name: &str| {
            let named = self.columns.iter().any(|(_, fields)| fields.iter().any(|field| field == name));
            named || self.kind.is_known(name)
        };
        let mut records = Records::find_separator(lines, known)?.with_plain_tabs();
        if !records.advance()? {
            return Ok(None);
        }
        let header: Vec<String> = (0..records.len()).map(|at| records.field_at(at).to_owned()).collect();
        let mut map = self.map(&file, &header, &Place::Line(records.place()))?;
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let slots: Vec<Option<usize>> = header
            .iter()
            .map(|field| {
                // Of two columns of one name the first counts.
                let first = seen.insert(field);
                map.slot(field).filter(|_| first)
            })
            .collect();
        while records.advance()? {
            let fields = || (0..records.len()).map(|at| records.field_at(at));
            if fields().all(str::is_empty) {
                continue;
            }
            let line = records.place().number;
            let last_is_text = self.kind == TableKind::Documents
                && records.separator() == b'\t'
                && slots.last().copied().flatten().is_some_and(|slot| map.is_of(slot, Role::Text));
            let opened = |field: &str| field.starts_with('"') && field.matches('"').count() % 2 == 1;
            let is_cut = records.separator() == b'\t' && records.len() < header.len();
            if is_cut && fields().next_back().is_some_and(opened) {
                let found = "a quotation mark that the line does not close";
                let remedy = "Write the file with commas, or without line breaks in its texts";
                self.faults.add(records.place().wrong(
                    None,
                    found,
                    "each row on a line of its own",
                    remedy,
                ))?;
                continue;
            }
            // With one column there is nothing to separate.
            let whole = records.place().text.trim();
            let is_plain = header.len() == 1 && !whole.starts_with('"');
            // A tab stands behind an identifier.
            let is_tabbed = is_plain && self.kind == TableKind::Queries && whole.contains('\t');
            let is_whole = is_plain && !is_tabbed;
            let too_many = is_tabbed || fields().skip(header.len()).any(|field| !field.is_empty());
            if too_many && !last_is_text && !is_whole {
                let found = if is_tabbed { whole.split('\t').count() } else { records.len() };
                let found = format!("{found} fields");
                let error = records.place().wrong(
                    None,
                    found,
                    &format!("the {} of the header", header.len()),
                    "Put quotes around a field with a separator in it",
                );
                self.faults.add(error)?;
                continue;
            }
            let mut values: Values<'_> = Vec::new();
            for ((field, slot), name) in fields().zip(&slots).zip(&header) {
                match slot {
                    Some(slot) => {
                        values.resize(values.len().max(slot + 1), None);
                        values[*slot] = Some(field.into());
                    }
                    None if field.is_empty() => {}
                    None => map.note(name, line),
                }
            }
            if too_many
                && is_whole
                && let Some(Some(only)) = slots.first()
            {
                values[*only] = Some(records.place().text.trim().into());
            } else if too_many && let Some(Some(last)) = slots.last() {
                // Further tabs belong to the text.
                let rest: Vec<&str> = fields().skip(header.len() - 1).collect();
                values[*last] = Some(rest.join("\t").into());
            }
            map.note_unused(&values, line);
            self.row(&Row::of_fields(self.kind, Place::Line(records.place()), &map, &values))?;
        }
        Ok(Some(map))
    }

    /// Columns without names, between tabs: identifier and text, or identifier, title and text.
    fn plain(&mut self, mut lines: Lines) -> Result<Option<FieldMap>, DataError> {
        let (expected, roles): (&str, &[&str]) = match self.kind {
            TableKind::Queries => ("id<TAB>text", &["id", "text"]),
            _ => ("id<TAB>text or id<TAB>title<TAB>text", &["id", "title", "text"]),
        };
        let mut map: Option<(FieldMap, usize)> = None;
        while let Some(line) = lines.next_filled()? {
            if map.is_none() {
                if self.columns.is_strict() {
                    return Err(line.unexpected(
                        "a file whose columns have names, since [corpus] in llull.toml names the fields to read",
                        "Write corpus = \"FILE\", or put a header above the columns",
                    ));
                }
                let found = line.text.split('\t').count();
                if found < 2 || (self.kind == TableKind::Queries && found > 2) || found > 3 {
                    return Err(line.unexpected(
                        &format!("a header with {}, JSON, or lines of {expected}", self.kind.required()),
                        remedy(self.kind, found),
                    ));
                }
                let names: Vec<String> = match found {
                    2 => ["id", "text"].map(str::to_owned).to_vec(),
                    _ => roles.iter().map(|role| (*role).to_owned()).collect(),
                };
                let made = FieldMap::new(self.kind, &Columns::default(), &names);
                map = Some((made.map_err(|ambiguity| ambiguity.of(line.file))?, found));
            }
            let Some((map, columns)) = &map else { continue };
            let fields: Vec<&str> = line.text.splitn(*columns, '\t').collect();
            let has_more =
                self.kind == TableKind::Queries && fields.last().is_some_and(|last| last.contains('\t'));
            if fields.len() < *columns || has_more {
                let found = line.text.split('\t').count();
                let error = line.wrong(
                    None,
                    crate::error::so_many_columns(found),
                    if *columns == 2 { "two, id<TAB>text" } else { "three, id<TAB>title<TAB>text" },
                    match found {
                        _ if has_more => "Replace the tab inside the text by a space",
                        1 => "Put a tab, not spaces, between the columns",
                        _ => "Every line has as many as the first",
                    },
                );
                self.faults.add(error)?;
                continue;
            }
            let values: Values<'_> = fields.into_iter().map(|field| Some(field.into())).collect();
            self.row(&Row::of_fields(self.kind, Place::Line(line), map, &values))?;
        }
        // The names are not those of the file.
        Ok(None)
    }

    /// Each element is a row.
    fn markup(
        &mut self,
        file: String,
        reader: Box<dyn BufRead + Send>,
    ) -> Result<Option<FieldMap>, DataError> {
        let mut lines = Lines::over(file.clone(), reader);
        let Some(first) = lines.next_filled()? else { return Ok(None) };
        let first = first.text.to_owned();
        let text = utf8(lines.rest(&first, file_limit())?, &file)?;
        let rows = elements(&text);
        let mut names: Vec<String> = Vec::new();
        for (name, _) in rows.iter().flatten().flat_map(|row| &row.fields) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let mut map: Option<FieldMap> = None;
        for row in rows {
            let at = |number| Line { text: "", number, file: &file };
            let Element { line: number, fields } = match row {
                Ok(row) => row,
                Err(Unended { line, tag }) => {
                    let (found, expected) =
                        (format!("<{tag}> without an end"), format!("</{tag}> before the next one"));
                    self.faults.add(at(line).wrong(None, found, &expected, "Is the file whole?"))?;
                    continue;
                }
            };
            let line = at(number);
            if map.is_none() {
                map = Some(self.map(&file, &names, &Place::Line(line))?);
            }
            let Some(map) = &mut map else { continue };
            let mut values: Values<'_> = Vec::new();
            for (name, value) in fields {
                map.set(&mut values, &name, value.into(), number);
            }
            map.note_unused(&values, number);
            self.row(&Row::of_fields(self.kind, Place::Line(line), map, &values))?;
        }
        Ok(map)
    }

    #[cfg(feature = "parquet")]
    fn parquet(
        &mut self,
        file: &str,
        reader: Box<dyn BufRead + Send>,
    ) -> Result<Option<FieldMap>, DataError> {
        let table = super::parquet::ParquetFile::read(file, reader)?;
        let fields = table.fields();
        let mut map = self.map(file, &fields, &Place::Path { file, path: "the schema" })?;
        let scalars = table.scalars();
        let mut is_used = |field: &&String| {
            map.slot(field).is_some() && (map.role(field).is_some() || scalars.contains(*field))
        };
        let used: Vec<String> = fields.iter().filter(&mut is_used).cloned().collect();
        for unused in fields.iter().filter(|field| !used.contains(field)) {
            map.note(unused, 1);
        }
        table.rows(|field| used.iter().any(|used| used == field), &mut |number, row| {
            let place = Place::Row { file, number };
            let mut values: Values<'_> = Vec::new();
            let seed = map.object(&mut values, number);
            if let Err(error) = serde::de::DeserializeSeed::deserialize(seed, &row) {
                return self.faults.add(place.wrong(None, error.to_string(), "a text or a number", ""));
            }
            map.note_unused(&values, number);
            self.row(&Row::of_fields(self.kind, place, &map, &values))
        })?;
        Ok(Some(map))
    }

    #[cfg(not(feature = "parquet"))]
    fn parquet(
        &mut self,
        file: &str,
        reader: Box<dyn BufRead + Send>,
    ) -> Result<Option<FieldMap>, DataError> {
        parquet_rows(file, reader).map(|_| None)
    }

    fn json(&mut self, file: String, reader: Box<dyn BufRead + Send>) -> Result<Option<FieldMap>, DataError> {
        let mut lines = Lines::over(file.clone(), reader);
        let Some(first) = lines.next_filled()? else { return Ok(None) };
        let Ok(ShallowValue(value)) = serde_json::from_str(first.text) else {
            let first = first.text.to_owned();
            let text = utf8(lines.rest(&first, file_limit())?, &file)?;
            return self.whole(&file, &text);
        };
        let ahead = vec![(first.text.to_owned(), first.number)];
        match &value {
            Value::Object(object) if self.kind == TableKind::Documents && action_id(object).is_some() => {
                self.bulk(ahead, lines)
            }
            Value::Object(object) if !replies::is_compound(self.kind, object) => {
                self.json_lines(fields_of(object), ahead, lines).map(Some)
            }
            _ => self.whole_lines(&file, value, lines),
        }
    }

    /// The lines of Elasticsearch's `_bulk`: an action with the identifier, and below it the document.
    fn bulk(&mut self, ahead: Vec<(String, u64)>, mut lines: Lines) -> Result<Option<FieldMap>, DataError> {
        let file = lines.file().to_owned();
        let (mut map, mut action) = (None, ahead.into_iter().next());
        while let Some((text, number)) = action.take() {
            let line = Line { text: &text, number, file: &file };
            let ShallowValue(value) = json::parse(&line, "a JSON value on each line")?;
            let Some(id) = value.as_object().and_then(action_id) else {
                let expected = "an action such as {\"index\": {\"_id\": \"1\"}}";
                return Err(line.wrong(None, crate::error::quoted(&text), expected, ""));
            };
            let Some(below) = lines.next_filled()? else {
                return Err(line.wrong(None, "an action without a document", "the document below it", ""));
            };
            let ShallowValue(document) = json::parse(&below, "a JSON value on each line")?;
            let place = Place::Line(below);
            let Value::Object(object) = document else {
                return Err(place.wrong(None, crate::error::quoted(below.text), "a document", ""));
            };
            let map = match &mut map {
                Some(map) => map,
                none => none.insert(
                    FieldMap::new(self.kind, self.columns, &fields_of(&object))
                        .map_err(|ambiguity| ambiguity.of(&file))?,
                ),
            };
            let mut values: Values<'_> = Vec::new();
            let seed = map.object(&mut values, number);
            match serde::de::DeserializeSeed::deserialize(seed, &object) {
                Err(error) => {
                    self.faults.add(place.wrong(None, error.to_string(), "a text or a number", ""))?;
                }
                Ok(()) => {
                    if let Some(late) = map.take_late() {
                        return Err(late_field(&place, &late));
                    }
                    map.note_unused(&values, number);
                    let row = Row::of_fields(self.kind, place, map, &values);
                    // Without an action's identifier it is a field of the document.
                    self.row(&Row { id: id.as_deref(), ..row })?;
                }
            }
            action = lines.next_filled()?.map(|line| (line.text.to_owned(), line.number));
        }
        Ok(map)
    }

    /// One object a line, each a row. The fields are those of the first lines, since exports leave out empty ones.
    fn json_lines(
        &mut self,
        mut fields: Vec<String>,
        mut ahead: Vec<(String, u64)>,
        mut lines: Lines,
    ) -> Result<FieldMap, DataError> {
        const AHEAD: usize = 200;
        let file = lines.file().to_owned();
        while ahead.len() < AHEAD
            && let Some(line) = lines.next_filled()?
        {
            ahead.push((line.text.to_owned(), line.number));
            if let Ok(ShallowValue(Value::Object(object))) = serde_json::from_str(line.text) {
                let more = fields_of(&object)
                    .into_iter()
                    .filter(|field| !fields.contains(field))
                    .collect::<Vec<_>>();
                // Objects whose keys are data would fill the memory.
                if fields.len() < 1 << 10 {
                    fields.extend(more);
                }
            }
        }
        let of = |(text, number): &(String, u64)| (text.clone(), *number);
        let (first, number) = ahead.first().map(of).unwrap_or_default();
        let mut map = self.map(&file, &fields, &Place::Line(Line { text: &first, number, file: &file }))?;
        for (text, number) in &ahead {
            self.json_line(Line { text, number: *number, file: &file }, &mut map)?;
        }
        while let Some(line) = lines.next_filled()? {
            self.json_line(line, &mut map)?;
        }
        Ok(map)
    }

    fn json_line(&mut self, line: Line<'_>, map: &mut FieldMap) -> Result<(), DataError> {
        let mut values: Values<'_> = Vec::new();
        let seed = map.object(&mut values, line.number);
        if let Err(error) = json::parse_seed(&line, "a JSON object on each line", seed) {
            return self.faults.add(error);
        }
        if let Some(late) = map.take_late() {
            return self.faults.add(late_field(&Place::Line(line), &late));
        }
        map.note_unused(&values, line.number);
        self.row(&Row::of_fields(self.kind, Place::Line(line), map, &values))
    }

    /// One value a line, each perhaps with many rows.
    fn whole_lines(
        &mut self,
        file: &str,
        first: Value,
        mut lines: Lines,
    ) -> Result<Option<FieldMap>, DataError> {
        let mut map = None;
        let (mut value, mut at) = (first, 0);
        loop {
            let prefix = if at == 0 { String::new() } else { format!("line {}", lines.number()) };
            self.entries(file, &value, (at, &prefix), &mut map)?;
            let Some(line) = lines.next_filled()? else { return Ok(map) };
            ShallowValue(value) = json::parse(&line, "a JSON value on each line")?;
            at += 1;
        }
    }

    /// Values that span lines.
    fn whole(&mut self, file: &str, text: &str) -> Result<Option<FieldMap>, DataError> {
        let mut map = None;
        let values = serde_json::Deserializer::from_str(text).into_iter::<ShallowValue>();
        for (at, value) in values.enumerate() {
            let ShallowValue(value) = value.map_err(|error| {
                let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
                let expected = format!("a {} in each entry", self.kind.row());
                let mut fault = json::whole_error(&error, "", file, &expected);
                if let (DataError::Line(fault), Some(remedy)) = (&mut fault, json::no_number(line, &error)) {
                    remedy.clone_into(&mut fault.remedy);
                }
                fault
            })?;
            self.entries(file, &value, (at, ""), &mut map)?;
        }
        Ok(map)
    }

    fn entries(
        &mut self,
        file: &str,
        value: &Value,
        (at, prefix): (usize, &str),
        map: &mut Option<FieldMap>,
    ) -> Result<(), DataError> {
        let rows = match replies::rows_of_columns(self.kind, value, self.columns, (at, self.replies)) {
            Ok(rows) => rows,
            Err((found, remedy)) => {
                let path = if prefix.is_empty() { "the top" } else { prefix };
                let place = Place::Path { file, path };
                return self.faults.add(place.wrong(None, found, "a whole reply of Chroma", remedy));
            }
        };
        let value = rows.as_ref().unwrap_or(value);
        let Entries { entries, replies, query } = replies::entries(self.kind, value, at, self.columns);
        self.replies = self.replies.max(replies);
        self.query = self.query.take().or(query.map(str::to_owned));
        // Rows leave out what is empty, so the first may lack a field that others have. LangChain writes a null beside
        // the identifier that the metadata have.
        let named = |field: &String| self.columns.iter().any(|(_, fields)| fields.contains(field));
        let filled = |object: &serde_json::Map<String, Value>| -> Vec<String> {
            let is_filled = |(field, value): &(String, &Value)| {
                self.kind != TableKind::Results || !value.is_null() || named(field)
            };
            values_of(object).into_iter().filter(is_filled).map(|(field, _)| field).collect()
        };
        let mut names: Vec<String> = Vec::new();
        if map.is_none() {
            let mut known: FxHashSet<String> = FxHashSet::default();
            let object = |entry: &Entry<'_>| match &entry.value {
                EntryValue::Object(object) | EntryValue::Scored(object, _) => filled(object),
                EntryValue::Pair(_, Some(Value::Object(object))) => filled(object),
                _ => Vec::new(),
            };
            let of_all = entries.iter().flat_map(object);
            names.extend(of_all.filter(|name| known.len() < MOST_FIELDS && known.insert(name.clone())));
        }
        for Entry { path, query, system, place: rank, value } in entries {
            let path = match (prefix, path.as_str()) {
                ("", "") => "the top".to_owned(),
                ("", path) => path.to_owned(),
                (prefix, path) => format!("{prefix} {path}").trim_end().to_owned(),
            };
            let place = Place::Path { file, path: &path };
            let (id, number, object) = match value {
                EntryValue::Object(object) => (None, None, Some(object)),
                EntryValue::Scored(object, score) => (None, Some(score), Some(object)),
                EntryValue::Pair(id, Some(Value::Object(object))) => (Some(id), None, Some(object)),
                EntryValue::Pair(id, number) => (Some(id), number, None),
                EntryValue::NoQuery => {
                    let expected = "a reply whose query is a text or an identifier";
                    self.faults.add(place.wrong(
                        None,
                        "a query that is neither",
                        expected,
                        "Write it into the reply",
                    ))?;
                    continue;
                }
                EntryValue::Error(error) => {
                    let found =
                        format!("the error of a search engine: {}", crate::error::quoted(&error.to_string()));
                    let expected = "a reply with hits, if none an empty list";
                    self.faults.add(place.wrong(None, found, expected, "Send the search again"))?;
                    continue;
                }
                EntryValue::Other(other) if self.kind == TableKind::Queries && other.is_string() => {
                    (None, Some(other), None)
                }
                EntryValue::Other(other) => {
                    let found = crate::error::quoted(&other.to_string());
                    let expected = format!("a {}", self.kind.row());
                    self.faults.add(place.wrong(None, found, &expected, ""))?;
                    continue;
                }
            };
            let mut values: Values<'_> = Vec::new();
            if let Some(object) = object {
                if map.is_none() {
                    let made = FieldMap::new(self.kind, self.columns, &names);
                    let made = made.map_err(|ambiguity| ambiguity.of(file))?;
                    self.check_content(&made, &names, &place)?;
                    *map = Some(made);
                }
                let Some(map) = map else { continue };
                let seed = map.object(&mut values, 0);
                let read = serde::de::DeserializeSeed::deserialize(seed, object);
                if let Err(error) = read {
                    self.faults.add(place.wrong(None, error.to_string(), "a text or a number", ""))?;
                    continue;
                }
                if let Some(late) = map.take_late() {
                    self.faults.add(late_field(&place, &late))?;
                    continue;
                }
                map.note_unused(&values, 0);
            }
            let fields = map.as_ref().filter(|_| object.is_some()).map(|map| (map, &values));
            let row = Row {
                kind: self.kind,
                place,
                fields,
                id: id.as_deref(),
                value: number,
                query: query.as_ref(),
                system: system.as_deref(),
                rank,
            };
            self.row(&row)?;
        }
        Ok(())
    }
}

/// Returns the error for a field that decides how rows are read and comes after some of them.
fn late_field(place: &Place<'_>, field: &str) -> DataError {
    let found = format!("the first {field:?}, after rows that were read without it");
    place.wrong(None, found, "such a field in the first rows", "Put a row that has it first")
}

/// Returns the identifier in an action of Elasticsearch's `_bulk`; `None` if the object is no such action.
fn action_id(object: &serde_json::Map<String, Value>) -> Option<Option<String>> {
    let mut keys = object.iter();
    match (keys.next()?, keys.next()) {
        ((action, Value::Object(of)), None) if action == "index" || action == "create" => {
            Some(of.get("_id").and_then(replies::text_of).map(|id| id.into_owned()))
        }
        _ => None,
    }
}

/// Returns advice about a line of another well-known format.
fn remedy(kind: TableKind, found: usize) -> &'static str {
    match (kind, found) {
        (TableKind::Queries, 1) => {
            "Put a tab, not spaces, between the columns; if each line is a query, put the line \"query\" above them"
        }
        (_, 1) => "Put a tab, not spaces, between the columns",
        _ => "Put a header above the columns, which names them",
    }
}

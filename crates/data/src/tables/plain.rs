//! The columns of a table, known from its first line.

use serde_json::Value;

use super::columns::Columns;
use super::fields::{FieldMap, fields_of};
use super::read::TableNotes;
use super::replies;
use super::roles::{Role, TableKind};
use super::shallow::ShallowValue;
use crate::chunks::Chunks;
use crate::csv::{Records, separator_line};
use crate::lines::Lines;

/// A table whose header or first object has no column without a role.
pub(crate) struct PlainTable {
    /// The fields, in their order, with their roles.
    pub(crate) fields: Vec<(String, Role)>,
    /// The separator of columns; `None` for objects.
    pub(crate) separator: Option<u8>,
    /// The lines before the first row.
    pub(crate) above: u64,
    map: FieldMap,
}

impl PlainTable {
    /// Returns the table; `None` if a column has no role, or the first lines say that it is no plain one.
    pub(crate) fn of(chunks: &mut Chunks, kind: TableKind, columns: &Columns) -> Option<Self> {
        chunks.first_line(|line| !line.trim_ascii().is_empty())?;
        let ahead = std::str::from_utf8(chunks.lines_ahead()).ok()?;
        let mut above = 0;
        let mut lines = ahead.lines().inspect(|_| above += 1).filter(|line| !line.trim().is_empty());
        let first = lines.find(|line| separator_line(line).is_none())?.to_owned();
        drop(lines);
        if first.trim_start().starts_with('{') {
            let ShallowValue(Value::Object(object)) = serde_json::from_str(&first).ok()? else { return None };
            if replies::is_compound(kind, &object) {
                return None;
            }
            let fields = fields_of(&object);
            return Self::new(kind, columns, &fields, None, above - 1);
        }
        let header = ahead.lines().take(usize::try_from(above).ok()?).collect::<Vec<_>>().join("\n");
        let lines = Lines::over(chunks.file().to_owned(), Box::new(std::io::Cursor::new(header)));
        let mut records = Records::find_separator(lines, |name| kind.is_known(name)).ok()?;
        let is_record = records.advance().ok()?;
        let fields: Vec<String> = (0..records.len()).map(|at| records.field_at(at).to_owned()).collect();
        let separator = records.separator();
        is_record.then(|| Self::new(kind, columns, &fields, Some(separator), above))?
    }

    fn new(
        kind: TableKind,
        columns: &Columns,
        fields: &[String],
        separator: Option<u8>,
        above: u64,
    ) -> Option<Self> {
        let mut map = FieldMap::new(kind, columns, fields).ok()?;
        let with_role = |field: &String| Some((field.clone(), map.role(field)?));
        let known: Option<Vec<(String, Role)>> = fields.iter().map(with_role).collect();
        let known = known.filter(|_| map.without_field().is_none() && map.never_seen().is_none())?;
        let is_alone = |role: Role| known.iter().filter(|(_, other)| *other == role).count() == 1;
        let is_plain = known.iter().all(|(_, role)| is_alone(*role));
        is_plain.then_some(Self { fields: known, separator, above, map })
    }

    /// Returns how the table was read.
    pub(crate) fn notes(&self) -> TableNotes {
        TableNotes { used: self.map.used(), fields: self.map.fields(), ..TableNotes::default() }
    }
}

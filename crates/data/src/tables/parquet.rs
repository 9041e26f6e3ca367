//! Rows of a Parquet file, as objects.
//!
//! Only columns that hold something of use are decoded: a column of vectors costs nothing.

use std::io::Read;
use std::sync::Arc;

use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row as ParquetRow};
use parquet::schema::types::{Type, TypePtr};
use serde_json::{Map, Value};

use super::fields::is_wrapper;
use crate::DataError;
use crate::unwound::unwound;
use crate::whole::{file_limit, rest_of};

/// A Parquet file.
pub(super) struct ParquetFile {
    file: String,
    reader: SerializedFileReader<bytes::Bytes>,
}

impl ParquetFile {
    /// Reads a file.
    pub(super) fn read(file: &str, reader: impl Read) -> Result<Self, DataError> {
        let (bytes, file) = (rest_of(reader, file, file_limit())?, file.to_owned());
        let length = bytes.len() as u64;
        let opened = checked(|| SerializedFileReader::new(bytes::Bytes::from(bytes)));
        let sound = opened.and_then(|reader| check(&reader, length).map(|()| reader));
        match sound {
            Ok(reader) => Ok(Self { file, reader }),
            Err(error) => Err(unreadable(&file, &error)),
        }
    }

    /// Returns the names of all fields, also of those inside of structs.
    pub(super) fn fields(&self) -> Vec<String> {
        self.columns().iter().flat_map(|column| names(column, "")).collect()
    }

    /// Returns the names of the fields among them that are texts, numbers or true and false.
    pub(super) fn scalars(&self) -> Vec<String> {
        let mut all = Vec::new();
        self.columns().iter().for_each(|column| scalars(column, "", &mut all));
        all
    }

    fn columns(&self) -> &[TypePtr] {
        self.reader.metadata().file_metadata().schema().get_fields()
    }

    /// Passes each row to `each`, as an object with the columns of which `is_used` holds for a field.
    pub(super) fn rows(
        &self,
        is_used: impl Fn(&str) -> bool,
        each: &mut dyn FnMut(u64, Map<String, Value>) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        let failed = |error: ParquetError| unreadable(&self.file, &error);
        let used = self
            .columns()
            .iter()
            .filter(|column| is_wrapper(column.name()) || names(column, "").iter().any(|name| is_used(name)));
        let used = used.map(Arc::clone).collect();
        let schema = self.reader.metadata().file_metadata().schema();
        let projection = Type::group_type_builder(schema.name()).with_fields(used).build().map_err(failed)?;
        let mut rows = checked(|| self.reader.get_row_iter(Some(projection))).map_err(failed)?;
        let mut number = 0;
        while let Some(row) = checked(|| rows.next().transpose()).map_err(failed)? {
            number += 1;
            each(number, object(&row).map_err(failed)?)?;
        }
        Ok(())
    }
}

/// Checks the places of columns, which the library asserts.
fn check(reader: &SerializedFileReader<bytes::Bytes>, length: u64) -> Result<(), ParquetError> {
    let is_inside = |offset: i64, size: i64| {
        let end = u64::try_from(offset).ok().zip(u64::try_from(size).ok());
        end.and_then(|(offset, size)| offset.checked_add(size)).is_some_and(|end| end <= length)
    };
    let columns = reader.metadata().row_groups().iter().flat_map(|group| group.columns());
    for column in columns {
        let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
        if !is_inside(start, column.compressed_size()) || !is_inside(column.data_page_offset(), 0) {
            return Err(ParquetError::General("a column lies outside of the file".to_owned()));
        }
    }
    Ok(())
}

/// Calls into the library, which asserts in places what damaged files do not hold.
fn checked<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    unwound(call).unwrap_or_else(|| Err(ParquetError::General("its parts contradict each other".to_owned())))
}

/// The names of a column's fields. Lists and maps are fields as they are.
fn names(column: &Type, around: &str) -> Vec<String> {
    let name = name(column, around);
    match column {
        Type::GroupType { fields, .. } if !is_whole(column) => {
            fields.iter().flat_map(|field| names(field, &name)).collect()
        }
        _ => vec![name],
    }
}

/// Adds the names of a column's fields without lists, maps and bytes, which may be images or vectors.
fn scalars(column: &Type, around: &str, all: &mut Vec<String>) {
    let name = name(column, around);
    match column {
        Type::GroupType { fields, .. } if !is_whole(column) => {
            fields.iter().for_each(|field| scalars(field, &name, all));
        }
        Type::GroupType { .. } => {}
        Type::PrimitiveType { basic_info, physical_type, .. } => {
            let is_text = matches!(
                basic_info.logical_type_ref(),
                Some(LogicalType::String | LogicalType::Enum | LogicalType::Json)
            ) || basic_info.converted_type() == ConvertedType::UTF8;
            let is_bytes =
                matches!(physical_type, PhysicalType::BYTE_ARRAY | PhysicalType::FIXED_LEN_BYTE_ARRAY);
            let is_list = basic_info.has_repetition() && basic_info.repetition() == Repetition::REPEATED;
            if (is_text || !is_bytes) && !is_list {
                all.push(name);
            }
        }
    }
}

fn name(column: &Type, around: &str) -> String {
    if around.is_empty() { column.name().to_owned() } else { format!("{around}.{}", column.name()) }
}

/// Whether a column is a list or a map.
fn is_whole(column: &Type) -> bool {
    let info = column.get_basic_info();
    matches!(info.logical_type_ref(), Some(LogicalType::List | LogicalType::Map))
        || matches!(info.converted_type(), ConvertedType::LIST | ConvertedType::MAP)
}

fn object(row: &ParquetRow) -> Result<Map<String, Value>, ParquetError> {
    row.get_column_iter().map(|(name, field)| Ok((name.clone(), value(field)?))).collect()
}

fn value(field: &Field) -> Result<Value, ParquetError> {
    Ok(match field {
        Field::Null => Value::Null,
        Field::Bool(value) => Value::Bool(*value),
        Field::Str(text) => Value::from(text.as_str()),
        // Some writers do not mark texts as such.
        Field::Bytes(bytes) => Value::from(bytes.as_utf8()?),
        Field::Group(row) => Value::Object(object(row)?),
        Field::ListInternal(list) => list.elements().iter().map(value).collect::<Result<_, _>>()?,
        Field::MapInternal(map) => {
            let entry = |(key, of_key): &(Field, Field)| {
                let key = value(key)?;
                Ok((key.as_str().map_or_else(|| key.to_string(), str::to_owned), value(of_key)?))
            };
            Value::Object(map.entries().iter().map(entry).collect::<Result<_, ParquetError>>()?)
        }
        Field::Float(number) => Value::from(number.to_string()),
        // A number, so that an identifier that lost digits is refused, as in JSON.
        Field::Double(number) if number.is_finite() => Value::from(*number),
        Field::Double(number) => Value::from(number.to_string()),
        // As text, a number keeps every digit.
        other => Value::from(other.to_string()),
    })
}

fn unreadable(file: &str, error: &ParquetError) -> DataError {
    let text = error.to_string();
    let reason = text.split_once(": ").map_or(text.as_str(), |(_, reason)| reason).trim_end_matches('.');
    DataError::Damaged { file: file.to_owned(), kind: "Parquet file", reason: reason.to_owned() }
}

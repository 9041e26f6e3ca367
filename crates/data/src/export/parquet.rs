//! Rows as Parquet.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::table::{Column, ColumnKind, WrittenRows};
use crate::DataError;
use crate::row_entry::Entry;
use crate::trec::output;

/// How many rows are written together.
const GROUP: usize = 1 << 17;

/// Writes rows, compressed by zstd. Every column may have missing values.
pub(super) fn write<'a>(
    columns: &[Column],
    rows: impl Iterator<Item = Vec<Entry<'a>>>,
    out: &mut dyn Write,
) -> Result<WrittenRows, DataError> {
    let mut bytes = Vec::new();
    let rows = encode(columns, rows, &mut bytes).map_err(|error| output(std::io::Error::other(error)))?;
    out.write_all(&bytes).map_err(output)?;
    Ok(WrittenRows { rows, marked: 0 })
}

fn encode<'a>(
    columns: &[Column],
    mut rows: impl Iterator<Item = Vec<Entry<'a>>>,
    bytes: &mut Vec<u8>,
) -> Result<usize, ParquetError> {
    let field = |(name, kind): &Column| {
        let (physical, logical) = match kind {
            ColumnKind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnKind::Whole => (PhysicalType::INT64, None),
            ColumnKind::Number => (PhysicalType::DOUBLE, None),
        };
        let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        builder.with_logical_type(logical).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
    let schema = Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?);
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let properties = Arc::new(WriterProperties::builder().set_compression(zstd).build());
    let mut writer = SerializedFileWriter::new(bytes, schema, properties)?;
    let mut written = 0;
    loop {
        let group: Vec<Vec<Entry<'a>>> = rows.by_ref().take(GROUP).collect();
        if group.is_empty() {
            break;
        }
        written += group.len();
        let mut group_writer = writer.next_row_group()?;
        let mut at = 0;
        while let Some(mut column) = group_writer.next_column()? {
            let entries: Vec<&Entry<'a>> = group.iter().filter_map(|row| row.get(at)).collect();
            write_column(column.untyped(), &entries)?;
            column.close()?;
            at += 1;
        }
        group_writer.close()?;
    }
    writer.close()?;
    Ok(written)
}

fn write_column(writer: &mut ColumnWriter<'_>, entries: &[&Entry<'_>]) -> Result<(), ParquetError> {
    let levels: Vec<i16> = entries.iter().map(|entry| i16::from(**entry != Entry::Missing)).collect();
    match writer {
        ColumnWriter::ByteArrayColumnWriter(writer) => {
            let text = |entry: &&Entry<'_>| match entry {
                Entry::Text(text) => Some(ByteArray::from(text.as_ref())),
                _ => None,
            };
            let values: Vec<ByteArray> = entries.iter().filter_map(text).collect();
            writer.write_batch(&values, Some(&levels), None)?;
        }
        ColumnWriter::Int64ColumnWriter(writer) => {
            let whole = |entry: &&Entry<'_>| match entry {
                Entry::Whole(number) => Some(*number),
                _ => None,
            };
            let values: Vec<i64> = entries.iter().filter_map(whole).collect();
            writer.write_batch(&values, Some(&levels), None)?;
        }
        ColumnWriter::DoubleColumnWriter(writer) => {
            let number = |entry: &&Entry<'_>| match entry {
                Entry::Number(number) => Some(*number),
                _ => None,
            };
            let values: Vec<f64> = entries.iter().filter_map(number).collect();
            writer.write_batch(&values, Some(&levels), None)?;
        }
        _ => return Err(ParquetError::General("a column of another type".to_owned())),
    }
    Ok(())
}

//! Tables that search teams have: CSV and its relatives, JSON lines, and JSON, among it saved replies of search
//! engines and vector stores; SGML and XML.
//!
//! There is one reader for all kinds of things. It finds the role of each column by the names that columns usually
//! have; the user overrules it with [`Columns`]. So a new name or a new reply is one line in one table.

mod columns;
mod faults;
mod fields;
mod form;
mod frame;
mod header;
mod markup;
#[cfg(feature = "parquet")]
mod parquet;
mod place;
mod plain;
mod read;
mod replies;
mod roles;
mod row;
mod shallow;

pub use columns::{ColumnName, Columns};
pub use faults::Faults;
pub(crate) use fields::{FieldMap, fields_of};
pub(crate) use form::Form;
pub use frame::{FrameColumns, FrameColumnsError, FrameKind, frame_columns};
pub(crate) use header::Header;
pub(crate) use place::Place;
pub(crate) use plain::PlainTable;
pub use read::TableNotes;
pub(crate) use read::{TableSource, parquet_rows, read_table};
pub(crate) use roles::{Role, TableKind};
pub(crate) use row::{QueryOfRow, Row};

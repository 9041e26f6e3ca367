//! The report as JSON, and its schema.

use std::{
    collections::BTreeMap,
    io::{self, BufWriter, Write},
};

use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::{
    Serializer, Value,
    ser::{Formatter, PrettyFormatter},
};

use crate::error::ReportError;
use crate::export::Exporter;
use crate::report::Report;
use crate::report::{TOURNAMENT_VERSION, VERSION};

/// The report as JSON: indented down to single figures and documents, which take a line each, so that a large report
/// stays small, and can be read, searched and diffed by line. Queries are written as they come.
#[derive(Debug, Clone, Copy)]
pub struct Json;

impl<T: Serialize> Exporter<Report<T>> for Json {
    fn export(&self, report: &Report<T>, out: &mut dyn Write) -> Result<(), ReportError> {
        let mut out = BufWriter::new(out);
        let layout = Layout { pretty: PrettyFormatter::new(), depth: 0 };
        report
            .serialize(&mut Serializer::with_formatter(&mut out, layout))
            .map_err(io::Error::from)
            .and_then(|()| out.write_all(b"\n"))
            .and_then(|()| out.flush())
            .map_err(ReportError::Write)
    }
}

/// Reads a report.
///
/// # Errors
/// Returns [`ReportError::Read`] if it is no report, [`ReportError::Version`] if it has another version.
pub fn from_json(text: &str) -> Result<Report, ReportError> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u64,
    }
    let Versioned { version } = serde_json::from_str(text).map_err(ReportError::Read)?;
    if ![VERSION, TOURNAMENT_VERSION].map(u64::from).contains(&version) {
        return Err(ReportError::Version(version));
    }
    serde_json::from_str(text).map_err(ReportError::Read)
}

/// The JSON Schema (draft 2020-12) of the output of [`Json`]. Published as `docs/report.schema.json`.
pub fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    sorted(settings.into_generator().into_root_schema_for::<Report>().to_value())
}

/// The same value with every object's keys in order, whether or not some crate of the build has made serde_json keep
/// the order of insertion.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let sorted: BTreeMap<_, _> =
                object.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            Value::Object(sorted.into_iter().collect())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(sorted).collect()),
        other => other,
    }
}

/// The text of `docs/report.schema.json` at build time. A program that prints it does not need the generator.
pub const PUBLISHED_SCHEMA: &str = include_str!("../report.schema.json");

/// The text that `docs/report.schema.json` should have: [`schema`], indented.
pub fn schema_json() -> String {
    format!("{:#}\n", schema())
}

/// How many levels are indented; deeper values are on one line.
const INDENTED: usize = 4;

struct Layout {
    pretty: PrettyFormatter<'static>,
    depth: usize,
}

impl Layout {
    fn indents(&self) -> bool {
        self.depth <= INDENTED
    }

    fn separate<W: ?Sized + Write>(out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b",") }
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        if self.indents() { self.pretty.begin_array(out) } else { out.write_all(b"[") }
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let indents = self.indents();
        self.depth -= 1;
        if indents { self.pretty.end_array(out) } else { out.write_all(b"]") }
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if self.indents() { self.pretty.begin_array_value(out, first) } else { Self::separate(out, first) }
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        if self.indents() { self.pretty.end_array_value(out) } else { Ok(()) }
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        if self.indents() { self.pretty.begin_object(out) } else { out.write_all(b"{") }
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let indents = self.indents();
        self.depth -= 1;
        if indents { self.pretty.end_object(out) } else { out.write_all(b"}") }
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if self.indents() { self.pretty.begin_object_key(out, first) } else { Self::separate(out, first) }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        if self.indents() { self.pretty.begin_object_value(out) } else { out.write_all(b":") }
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        if self.indents() { self.pretty.end_object_value(out) } else { Ok(()) }
    }
}

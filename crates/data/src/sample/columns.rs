//! Finds the columns of a sample, and the pair of a line.

use llull_core::SamplingUnit;

use crate::{
    DataError, SheetFormat, decimal::parse_f64, error::so_many_columns, identifier::check_identifier,
    lines::Line, spreadsheet::without_marks,
};

/// Where each column stands, from 0. The others are not read.
pub(super) struct Columns {
    topic: usize,
    document: usize,
    probability: usize,
    drawn: Option<usize>,
    stratum: Option<usize>,
    count: usize,
    /// The names of columns that are not read.
    pub(super) unread: Vec<String>,
}

impl Columns {
    /// Reads the line that names the columns.
    pub(super) fn of(line: &Line<'_>) -> Result<Self, DataError> {
        let names: Vec<&str> = line.text.split('\t').map(str::trim_ascii).collect();
        let place = |name: &str| names.iter().position(|other| *other == name);
        let (Some(topic), Some(document), Some(probability)) =
            (place("query"), place("document"), place("probability"))
        else {
            return Err(line.unexpected(
                "the names of columns, separated by tabs: query, document, probability, and drawn and stratum if there \
                 are such",
                "A sample's file lists every pair that could be drawn with its probability; docs/reference/files.md \
                 shows one. If people labelled a uniform sample, --sampled pairs or --sampled queries need no file",
            ));
        };
        if let Some(twice) = (1..names.len()).find(|at| names[..*at].contains(&names[*at])) {
            return Err(line.wrong(
                None,
                format!("two columns {:?}", names[twice]),
                "each name once",
                "Rename one of them",
            ));
        }
        let (drawn, stratum) = (place("drawn"), place("stratum"));
        let read = [Some(topic), Some(document), Some(probability), drawn, stratum];
        let unread = names.iter().enumerate().filter(|(at, _)| !read.contains(&Some(*at)));
        Ok(Self {
            topic,
            document,
            probability,
            drawn,
            stratum,
            count: names.len(),
            unread: unread.map(|(_, name)| (*name).to_owned()).collect(),
        })
    }

    /// Reads the pair of a line.
    pub(super) fn unit(&self, line: &Line<'_>) -> Result<SamplingUnit, DataError> {
        let cells: Vec<&str> = line.text.split('\t').map(str::trim_ascii).collect();
        if cells.len() != self.count {
            let expected = format!("{}, as the line with their names has", self.count);
            return Err(line.wrong(None, so_many_columns(cells.len()), &expected, "Columns end with tabs"));
        }
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
        Ok(SamplingUnit {
            topic: name(line, self.topic, "query", cell(self.topic))?,
            document: name(line, self.document, "document", cell(self.document))?,
            probability: probability(line, self.probability, cell(self.probability))?,
            drawn: self.drawn.map(|at| drawn(line, at, cell(at))).transpose()?,
            stratum: self
                .stratum
                .map(cell)
                .filter(|name| !name.is_empty())
                .map(|name| without_marks(name, SheetFormat::Tabs)),
        })
    }
}

fn name(line: &Line<'_>, at: usize, what: &'static str, id: &str) -> Result<String, DataError> {
    check_identifier(line, id)?;
    if id.is_empty() || id.contains(char::is_whitespace) {
        return Err(line.bad_column(at + 1, what, id, "an identifier without white space", ""));
    }
    Ok(without_marks(id, SheetFormat::Tabs))
}

fn probability(line: &Line<'_>, at: usize, text: &str) -> Result<f64, DataError> {
    parse_f64(text).filter(|probability| *probability > 0.0 && *probability <= 1.0).ok_or_else(|| {
        line.bad_column(
            at + 1,
            "probability",
            text,
            "a probability above 0 and at most 1",
            "A pair that cannot be drawn stands for nothing and is not listed; labels chosen by a rule are no sample",
        )
    })
}

fn drawn(line: &Line<'_>, at: usize, text: &str) -> Result<bool, DataError> {
    match text {
        "1" => Ok(true),
        "0" => Ok(false),
        _ => Err(line.bad_column(at + 1, "drawn", text, "1 for a pair that was drawn, else 0", "")),
    }
}

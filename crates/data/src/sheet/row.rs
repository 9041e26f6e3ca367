//! A pair of a sheet, with a mark for its answer.

use llull_core::KeyBuilder;

use super::cell::{cell, essence};

/// A pair on a sheet. It holds nothing that would reveal the answers of judges or systems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetRow {
    /// Its number in the sample's frame, from 1.
    pub number: usize,
    /// The query's identifier.
    pub query: String,
    /// The document's identifier.
    pub document: String,
    /// The texts of the query and of the document; `None` on a sheet of identifiers alone.
    pub texts: Option<(String, String)>,
}

impl SheetRow {
    /// Returns the cells of query, document and their texts.
    pub(super) fn cells(&self) -> Vec<String> {
        let texts = self.texts.iter().flat_map(|(query, document)| [query, document]);
        [&self.query, &self.document].into_iter().chain(texts).map(|text| cell(text)).collect()
    }

    /// Returns the mark of the row on a sheet of the sample `draw`: the sample, the number, and a hash of the row's
    /// content. So an answer is refused where identifiers or texts differ from the written ones.
    pub(super) fn item(&self, draw: &str) -> String {
        item(draw, self.number, self.cells().iter().map(String::as_str))
    }
}

/// Returns the mark of a row with these cells.
///
/// It begins with a letter and holds dots, so that no spreadsheet takes it for a number or a date.
pub(super) fn item<'a>(draw: &str, number: usize, cells: impl Iterator<Item = &'a str>) -> String {
    let key = KeyBuilder::new("llull sheet v1").text("draw", draw).number("number", number as u64);
    let key = cells.fold(key, |key, cell| key.text("cell", &essence(cell)));
    let hash = key.finish().to_string();
    format!("{draw}.{number}.x{}", hash.get(..8).unwrap_or_default())
}

/// Returns sample and number of a mark.
pub(super) fn parts(item: &str) -> Option<(&str, usize)> {
    let mut parts = item.split('.');
    let (draw, number, check) = (parts.next()?, parts.next()?, parts.next()?);
    let whole = parts.next().is_none() && check.len() == 9 && !draw.is_empty();
    Some((draw, number.parse().ok().filter(|number| *number > 0)?)).filter(|_| whole)
}

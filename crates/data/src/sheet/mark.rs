//! The mark of a row, which shows whether the row is unchanged since it was written.

use llull_core::{KeyBuilder, Seed};

use super::cell::essence;
use super::draw::SheetDraw;

/// The parts of a row's mark, `DRAW.NUMBER.PAIR.xHASH`.
///
/// A mark begins with a letter and contains dots, so that no spreadsheet takes it for a number or a date. Sheets of
/// samples from before there was one format have `SAMPLE.NUMBER.xHASH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowMark<'a> {
    pub(super) draw: &'a str,
    /// The pair's number, from 1.
    pub(super) number: usize,
    /// The unique name of the pair; `None` on an old sheet.
    pub(super) item: Option<&'a str>,
}

impl<'a> RowMark<'a> {
    /// Parses a mark; `None` if the text has another form. The hash is not checked.
    pub(super) fn read(mark: &'a str) -> Option<(Self, SheetDraw)> {
        let parts: Vec<&str> = mark.split('.').collect();
        let (draw, number, item, check) = match *parts.as_slice() {
            [draw, number, item, check] => (draw, number, Some(item), check),
            [draw, number, check] => (draw, number, None, check),
            _ => return None,
        };
        let number = number.parse().ok().filter(|number| *number > 0)?;
        let of = match item {
            Some(_) => SheetDraw::read(draw)?,
            None => SheetDraw::of_sample(draw, None, Seed(0)),
        };
        let whole = check.len() == 9 && !draw.is_empty() && item != Some("");
        whole.then_some((Self { draw, number, item }, of))
    }

    /// Returns the mark of a row with these cells. Its hash covers the texts, so that an answer is refused if columns
    /// were sorted apart. Identifiers are in it only where a row has no texts: spreadsheets rewrite those that look
    /// like numbers, and `item` represents them.
    pub(super) fn with(&self, names: &[&str], texts: &[&str]) -> String {
        let purpose = if self.item.is_some() { "llull queue sheet v1" } else { "llull sheet v1" };
        let key = KeyBuilder::new(purpose).text("draw", self.draw).number("number", self.number as u64);
        let key = self.item.iter().fold(key, |key, item| key.text("item", item));
        // Old sheets have both.
        let names = if self.item.is_some() && !texts.is_empty() { &[] } else { names };
        let shown = names.iter().chain(texts);
        let hash = shown.fold(key, |key, cell| key.text("cell", &essence(cell))).finish().to_string();
        let Self { draw, number, item } = self;
        let item = item.map_or(String::new(), |item| format!(".{item}"));
        format!("{draw}.{number}{item}.x{}", hash.get(..8).unwrap_or_default())
    }
}

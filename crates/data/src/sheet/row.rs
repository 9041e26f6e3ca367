//! Sheets for annotators, as data.

use std::fmt;

use llull_core::{KeyBuilder, Seed};

use super::write::{cell, essence, text_cell};

/// The question of a sheet, which determines its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetForm {
    /// To grade a document of a query.
    Grade,
    /// Which of two documents is better?
    Compare,
    /// Does a text state an expected answer?
    Answers,
}

/// A sheet to be filled in. It holds nothing that would reveal the answers of judges or systems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The draw of its pairs.
    pub draw: SheetDraw,
    /// The task of annotators.
    pub form: SheetForm,
    /// Its pairs, in their order.
    pub rows: Vec<SheetRow>,
}

/// A pair on a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetRow {
    /// Its number, from 1; no two rows of a sheet have the same.
    pub number: usize,
    /// The unique name of the pair, in letters and digits: a hash.
    pub item: String,
    /// Identifiers: of the query and the document, or of the query, the left document and the right one. Empty for
    /// questions about expected answers.
    pub names: Vec<String>,
    /// The query and the document, or the query, the left document and the right one, or the query, the expected answer
    /// and the text. Empty on a sheet of identifiers alone, which is for documents to grade.
    pub texts: Vec<String>,
}

impl SheetForm {
    /// The heading of the column that annotators fill in.
    pub(super) fn answer(self) -> &'static str {
        match self {
            Self::Grade => "grade",
            Self::Compare | Self::Answers => "answer",
        }
    }

    /// The headings of the columns of identifiers.
    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            Self::Grade => &["query", "document"],
            Self::Compare => &["query", "left", "right"],
            Self::Answers => &[],
        }
    }

    /// The headings of the columns of texts.
    pub(super) fn texts(self) -> &'static [&'static str] {
        match self {
            Self::Grade => &["query_text", "text"],
            Self::Compare => &["query_text", "left_text", "right_text"],
            Self::Answers => &["query_text", "expected", "text"],
        }
    }

    /// All headings, in their order.
    pub(super) fn headings(self) -> Vec<&'static str> {
        [&["item", self.answer(), "note"], self.names(), self.texts()].concat()
    }
}

impl SheetRow {
    /// Returns the cells of a row on a sheet of this draw, with empty ones for answer and note.
    pub(super) fn cells(&self, draw: &str) -> Vec<String> {
        let names: Vec<String> = self.names.iter().map(|name| cell(name)).collect();
        let texts: Vec<String> = self.texts.iter().map(|text| text_cell(text)).collect();
        let [shown_names, shown_texts] =
            [&names, &texts].map(|cells| cells.iter().map(String::as_str).collect::<Vec<_>>());
        let mark = RowMark { draw, number: self.number, item: Some(&self.item) };
        let mut cells = vec![mark.with(&shown_names, &shown_texts), String::new(), String::new()];
        cells.extend(names);
        cells.extend(texts);
        cells
    }
}

/// An annotator's answer about a pair on a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellAnswer {
    /// The document has this grade.
    Grade(i32),
    /// The text states the expected answer.
    Yes,
    /// It does not.
    No,
    /// The document on the left is better.
    Left,
    /// The one on the right is.
    Right,
    /// Neither is.
    Neither,
    /// The annotator passes over the pair.
    Skip,
    /// The annotator leaves it for later.
    Later,
    /// The annotator looked, and cannot decide.
    CannotTell,
}

impl CellAnswer {
    /// Reads a cell that is not blank; `None` if it is not an answer to the sheet's question. Neither the case
    /// matters, nor the form that a spreadsheet gives an apostrophe.
    pub(super) fn read(text: &str, form: SheetForm) -> Option<Self> {
        let text = text.trim().to_lowercase().replace(['\u{2019}', '\u{2018}', '`', '\u{b4}'], "'");
        let words: Vec<&str> = text.split([' ', '-', '_']).filter(|word| !word.is_empty()).collect();
        match (words.join(" ").as_str(), form) {
            ("skip" | "skipped", _) => Some(Self::Skip),
            ("later", _) => Some(Self::Later),
            ("can't tell" | "cant tell" | "cannot tell", _) => Some(Self::CannotTell),
            ("left", SheetForm::Compare) => Some(Self::Left),
            ("right", SheetForm::Compare) => Some(Self::Right),
            ("neither", SheetForm::Compare) => Some(Self::Neither),
            (_, SheetForm::Compare) => None,
            ("yes" | "y", SheetForm::Answers) => Some(Self::Yes),
            ("no", SheetForm::Answers) => Some(Self::No),
            _ => whole_number(&text).map(Self::Grade),
        }
    }

    /// Returns the possible answers to a sheet's question, in words.
    pub(super) fn wanted(form: SheetForm) -> &'static str {
        match form {
            SheetForm::Grade => "a whole number of the rubric's scale, skip, later or can't tell",
            SheetForm::Compare => "left, right, neither, skip, later or can't tell",
            SheetForm::Answers => {
                "yes, no, or a whole number of the rubric's scale, skip, later or can't tell"
            }
        }
    }
}

/// Returns the whole number in a cell, whose decimals, if it has some, are zeros.
fn whole_number(text: &str) -> Option<i32> {
    let whole = text
        .split_once(['.', ','])
        .filter(|(_, decimals)| !decimals.is_empty() && decimals.bytes().all(|digit| digit == b'0'))
        .map_or(text, |(whole, _)| whole);
    whole.parse().ok()
}

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

/// The name of the queue of a sample.
pub const SAMPLE_QUEUE: &str = "sample";

/// The draw of a sheet's pairs. The mark of every row has it, so that a sheet is complete without the study that wrote
/// it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetDraw {
    /// The queue's name, in letters.
    pub queue: String,
    /// The number of rows of the sheet; `None` on old sheets of samples.
    pub rows: Option<usize>,
    /// The seed that drew order and sides.
    pub seed: Seed,
    /// For numbered pairs in random order: the number of pairs in the draw's frame.
    pub pairs: Option<usize>,
    /// The wanted number of annotators for each pair.
    pub overlap: Option<usize>,
    /// The name of the sample, in letters and digits.
    pub sample: Option<String>,
}

impl SheetDraw {
    /// Returns the draw of a sample's sheet.
    pub fn of_sample(sample: &str, rows: Option<usize>, seed: Seed) -> Self {
        let (queue, sample) = (SAMPLE_QUEUE.to_owned(), Some(sample.to_owned()));
        Self { queue, rows, seed, pairs: None, overlap: None, sample }
    }

    /// Returns whether its pairs are those of this sample.
    pub fn is_of_sample(&self, sample: &str) -> bool {
        self.queue == SAMPLE_QUEUE && self.sample.as_deref() == Some(sample)
    }

    /// Parses the part of a mark that names the draw.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let queue = parts.next().filter(|queue| !queue.is_empty())?.to_owned();
        let mut seed = None;
        let mut draw = Self { queue, rows: None, seed: Seed(0), pairs: None, overlap: None, sample: None };
        for part in parts {
            let mut letters = part.chars();
            let letter = letters.next()?;
            let value = letters.as_str();
            match letter {
                'n' => draw.rows = Some(value.parse().ok()?),
                's' => seed = Some(value.parse().ok()?),
                'p' => draw.pairs = Some(value.parse().ok()?),
                'o' => draw.overlap = Some(value.parse().ok()?),
                'd' => draw.sample = Some(value.to_owned()),
                _ => return None,
            }
        }
        draw.seed = Seed(seed?);
        draw.rows.is_some().then_some(draw)
    }
}

impl fmt::Display for SheetDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The mark of an old sheet has the sample alone.
        let Some(rows) = self.rows else { return f.write_str(self.sample.as_deref().unwrap_or_default()) };
        write!(f, "{}-n{rows}-s{}", self.queue, self.seed.0)?;
        if let Some(pairs) = self.pairs {
            write!(f, "-p{pairs}")?;
        }
        if let Some(overlap) = self.overlap {
            write!(f, "-o{overlap}")?;
        }
        self.sample.iter().try_for_each(|sample| write!(f, "-d{sample}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_read_as_it_was_written() {
        let plain = SheetDraw {
            queue: "failures".into(),
            sample: None,
            ..SheetDraw::of_sample("", Some(7), Seed(42))
        };
        let drawn = SheetDraw { queue: "random".into(), pairs: Some(9), overlap: Some(2), ..plain.clone() };
        let settled = SheetDraw { queue: "adjudicate".into(), sample: Some("s1f0a2b3c".into()), ..drawn };
        let sampled = SheetDraw::of_sample("s1f0a2b3c", Some(7), Seed(42));
        for (draw, written) in [
            (plain, "failures-n7-s42"),
            (drawn, "random-n7-s42-p9-o2"),
            (settled, "adjudicate-n7-s42-p9-o2-ds1f0a2b3c"),
            (sampled, "sample-n7-s42-ds1f0a2b3c"),
        ] {
            assert_eq!((draw.to_string().as_str(), SheetDraw::read(written)), (written, Some(draw)));
        }
        for wrong in
            ["", "failures", "failures-n7", "-n7-s42", "random-n7-s42-x1", "random-nx-s42", "random-"]
        {
            assert_eq!(SheetDraw::read(wrong), None, "{wrong}");
        }
    }
}

//! One line of a run: `qid Q0 docid rank score tag`.

use super::file::{ReadRunOptions, RunOrder, ThirdColumn};
use super::rank_check;
use crate::{DataError, decimal::parse_f64, error::so_many_columns, lines::Line, words::Words};

const COLUMNS: &str = "qid Q0 docid rank score tag";

/// The content of a line behind its query.
pub(super) struct Entry<'a> {
    pub(super) document: &'a str,
    pub(super) score: f64,
    /// The line's score and rank, for the check of the order.
    pub(super) order: rank_check::Line,
    pub(super) tag: Option<&'a str>,
    /// Whether there are words behind the tag.
    pub(super) trailing: bool,
}

impl<'a> Entry<'a> {
    /// Reads the columns behind the first. `line` is called if one is wrong.
    #[inline]
    pub(super) fn parse<'f>(
        words: &mut Words<'a>,
        options: &ReadRunOptions,
        line: impl Fn(&Words<'a>) -> Line<'f>,
    ) -> Result<Self, DataError>
    where
        'a: 'f,
    {
        let columns = (words.skip(), words.next(), words.next(), words.next());
        let (true, Some(document), Some(rank), Some(written)) = columns else {
            return Self::of_three(&line(words), words.line(), options.third);
        };
        let tag = words.next();
        let trailing = words.skip();
        // With a carriage return behind the tag, the words behind it are the next result.
        if trailing && (!is_tag_with_words(rank, tag) || line(words).text.contains('\r')) {
            return Err(wrong_columns(&line(words)));
        }
        let number = parse_f64(rank).filter(|number| !number.is_nan());
        if options.order == RunOrder::Rank {
            let Some(rank) = number else { return Err(wrong_rank(&line(words), rank)) };
            return Ok(Self { document, score: -rank, order: by_rank(rank), tag, trailing });
        }
        match parse_f64(written) {
            Some(score) if !score.is_nan() => {
                let order = rank_check::Line { score, rank: number.unwrap_or(f64::NAN) };
                Ok(Self { document, score, order, tag, trailing })
            }
            parsed => Err(wrong_score(&line(words), written, parsed.is_some())),
        }
    }
}

impl<'a> Entry<'a> {
    /// Reads a line that lacks columns: three, if the meaning of the third is known.
    #[cold]
    fn of_three(line: &Line<'_>, text: &'a str, third: Option<ThirdColumn>) -> Result<Self, DataError> {
        let mut words = text.split_ascii_whitespace().skip(1);
        let (Some(document), Some(written), None, Some(third)) =
            (words.next(), words.next(), words.next(), third)
        else {
            return Err(wrong_columns(line));
        };
        match parse_f64(written) {
            Some(number) if !number.is_nan() => {
                let (score, order) = match third {
                    ThirdColumn::Rank => (-number, by_rank(number)),
                    ThirdColumn::Score => (number, rank_check::Line { score: number, rank: f64::NAN }),
                };
                Ok(Self { document, score, order, tag: None, trailing: false })
            }
            _ => Err(line.bad_column(
                3,
                "rank or score",
                written,
                "a number",
                "The columns are qid docid rank or score",
            )),
        }
    }
}

/// A line whose order is its rank alone: it cannot contradict itself, but ranks may all be equal.
pub(super) fn by_rank(rank: f64) -> rank_check::Line {
    rank_check::Line { score: -rank, rank }
}

/// For more than six columns: returns whether the fourth looks like a rank and the sixth like a tag. If not,
/// an identifier has a blank in it, which moves rank and score to the right: `q1 Q0 doc 1 1 12.5 tag`.
fn is_tag_with_words(rank: &str, tag: Option<&str>) -> bool {
    let whole = rank.parse::<i64>().is_ok();
    whole && tag.is_some_and(|tag| parse_f64(tag).is_none())
}

fn wrong_columns(line: &Line<'_>) -> DataError {
    let found = line.text.split_ascii_whitespace().count();
    let remedy = match found {
        3 => {
            "If these are qid docid and a rank or a score, say which: --order rank or --order score, in llull.toml \
             third = \"rank\" or \"score\""
        }
        4 => "Four columns are those of qrels: is this a file of labels?",
        7.. => "A tag is one word, and no identifier may hold white space",
        _ => "",
    };
    line.wrong(None, so_many_columns(found), &format!("the six of a run: {COLUMNS}"), remedy)
}

fn wrong_rank(line: &Line<'_>, text: &str) -> DataError {
    line.bad_column(
        4,
        "rank",
        text,
        "a number, such as 1",
        "Documents are ordered by rank (--order rank): leave that out to order them by score",
    )
}

fn wrong_score(line: &Line<'_>, text: &str, is_number: bool) -> DataError {
    line.bad_column(
        5,
        "score",
        text,
        "a number, such as 12.5, -3 or 1e-7",
        if is_number {
            "A document without a score cannot be ranked: remove the line, or give it the lowest score"
        } else {
            "The columns are qid Q0 docid rank score tag"
        },
    )
}

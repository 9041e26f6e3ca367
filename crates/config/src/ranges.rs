//! The ranges of numbers in llull.toml and on the command line.

use std::fmt;
use std::ops::RangeInclusive;

use llull_report::text::count;

/// A range of whole numbers, its ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WholeRange {
    low: u64,
    high: u64,
}

/// Documents of each system that are judged.
pub const POOL_DEPTH: WholeRange = WholeRange { low: 1, high: 10_000_000 };

/// Documents that a retriever returns.
pub const RETRIEVE_DEPTH: WholeRange = WholeRange { low: 1, high: 10_000_000 };

/// Bootstrap resamples, and draws of a test. Each takes a few numbers of memory.
pub const RESAMPLES: WholeRange = WholeRange { low: 1, high: 10_000_000 };

/// Documents that one question shows.
pub const WINDOW: WholeRange = WholeRange { low: 2, high: 10_000 };

/// Documents of a query that are put in order.
pub const TOP: WholeRange = WholeRange { low: 1, high: 10_000 };

/// Repetitions of a pair inside a cycle.
pub const REJUDGE: WholeRange = WholeRange { low: 0, high: 100 };

/// Documents of each tier that are graded.
pub const ANCHORS: WholeRange = WholeRange { low: 1, high: 10_000 };

/// Estimated tokens that the documents of one question may have.
pub const WINDOW_TOKENS: WholeRange = WholeRange { low: 100, high: 100_000_000 };

/// Orders in which a set of documents is shown.
pub const ORDERS: WholeRange = WholeRange { low: 1, high: 2 };

/// Requests at once. Above the limit a machine runs out of sockets before a server is busy.
pub const CONCURRENCY: RangeInclusive<usize> = 1..=10_000;

/// Requests or tokens of an account in a minute.
pub(crate) const PER_MINUTE: RangeInclusive<u64> = 1..=1_000_000_000;

/// Seconds that a request may take: a day at most.
pub(crate) const TIMEOUT: RangeInclusive<u64> = 1..=86_400;

/// Tokens of a reply.
pub(crate) const REPLY_TOKENS: RangeInclusive<u32> = 1..=10_000_000;

/// Tokens of a document. With fewer there is nothing to judge.
pub(crate) const DOCUMENT_TOKENS: RangeInclusive<u32> = 10..=10_000_000;

impl fmt::Display for WholeRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be a whole number from {} to {}", self.low, self.high)
    }
}

impl WholeRange {
    /// The range as the reference of keys has it.
    pub(crate) fn span(&self) -> String {
        format!("{} to {}", count(self.low), count(self.high))
    }

    /// Checks a number.
    ///
    /// # Errors
    /// Returns the range, in words.
    pub fn check(&self, number: u64) -> Result<u64, String> {
        if (self.low..=self.high).contains(&number) { Ok(number) } else { Err(self.to_string()) }
    }

    /// Parses a number and checks it.
    ///
    /// # Errors
    /// Returns the range, in words.
    pub fn parse(&self, text: &str) -> Result<u64, String> {
        text.parse().map_err(|_| self.to_string()).and_then(|number| self.check(number))
    }
}

/// The range as the reference of keys has it.
pub(crate) fn span<T: Copy + TryInto<u64>>(range: &RangeInclusive<T>) -> String {
    let number = |end: &T| (*end).try_into().map_or_else(|_| String::new(), count);
    format!("{} to {}", number(range.start()), number(range.end()))
}

/// Checks the confidence of an interval.
///
/// # Errors
/// Returns the range, in words.
pub fn confidence(share: f64) -> Result<f64, String> {
    if (0.5..1.0).contains(&share) {
        Ok(share)
    } else {
        Err("must be at least 0.5 and below 1; 0.95 is usual".into())
    }
}

/// Checks a share of all questions.
///
/// # Errors
/// Returns the range, in words.
pub fn share(share: f64) -> Result<f64, String> {
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err("must be a share from 0 to 1, such as 0.1".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_range_are_in_it() {
        assert_eq!((RESAMPLES.parse("1"), RESAMPLES.parse("10000000")), (Ok(1), Ok(10_000_000)));
        for text in ["0", "10000001", "9223372036854775807", "99999999999999999999", "-1", "1e3", ""] {
            assert_eq!(
                RESAMPLES.parse(text),
                Err("must be a whole number from 1 to 10000000".into()),
                "{text:?}"
            );
        }
        for share in [f64::NAN, 0.49, 1.0, f64::INFINITY] {
            assert!(confidence(share).is_err(), "{share}");
        }
        assert_eq!((confidence(0.5), confidence(0.999)), (Ok(0.5), Ok(0.999)));
    }
}

//! Encodes the draw of a sheet's pairs in every row.

use std::fmt;

use llull_core::Seed;
use llull_study::people::{ADJUDICATE_QUEUE, PairDraw};

use crate::queue::ReviewQueue;

/// The draw of a sheet's pairs. The mark of every row has it, so that a sheet is complete without the study that wrote
/// it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SheetOrigin {
    /// The queue's name.
    pub(crate) queue: String,
    /// The number of rows of the sheet.
    pub(crate) rows: usize,
    /// The seed that drew order and sides.
    pub(crate) seed: Seed,
    /// For numbered pairs in random order: the number of pairs in the draw's frame.
    pub(crate) pairs: Option<usize>,
    /// The wanted number of annotators for each pair.
    pub(crate) overlap: Option<usize>,
    pub(crate) sample: Option<String>,
}

impl fmt::Display for SheetOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-n{}-s{}", self.queue, self.rows, self.seed.0)?;
        if let Some(pairs) = self.pairs {
            write!(f, "-p{pairs}")?;
        }
        if let Some(overlap) = self.overlap {
            write!(f, "-o{overlap}")?;
        }
        self.sample.iter().try_for_each(|sample| write!(f, "-d{sample}"))
    }
}

impl SheetOrigin {
    /// Parses a mark; `None` if its queue is unknown, or its form.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let queue = parts.next()?.to_owned();
        let (mut rows, mut seed) = (None, None);
        let mut origin = Self { queue, rows: 0, seed: Seed(0), pairs: None, overlap: None, sample: None };
        for part in parts {
            let mut letters = part.chars();
            let letter = letters.next()?;
            let value = letters.as_str();
            match letter {
                'n' => rows = Some(value.parse().ok()?),
                's' => seed = Some(value.parse().ok()?),
                'p' => origin.pairs = Some(value.parse().ok()?),
                'o' => origin.overlap = Some(value.parse().ok()?),
                'd' => origin.sample = Some(value.to_owned()),
                _ => return None,
            }
        }
        (origin.rows, origin.seed) = (rows?, Seed(seed?));
        origin.queue_of("").map(|_| origin)
    }

    /// Returns the queue for this annotator; the pairs themselves show whose query they are of.
    pub(crate) fn queue_of(&self, person: &str) -> Option<ReviewQueue> {
        [
            ReviewQueue::Sample,
            ReviewQueue::Adjudicate(person.to_owned()),
            ReviewQueue::Random,
            ReviewQueue::Disagreement,
            ReviewQueue::Circles,
            ReviewQueue::Failures,
            ReviewQueue::Alarm,
            ReviewQueue::Query(String::new()),
        ]
        .into_iter()
        .find(|queue| queue.name() == self.queue)
    }

    /// Returns whether its answers settle disagreements of others.
    pub(crate) fn settles(&self) -> bool {
        self.queue == ADJUDICATE_QUEUE
    }

    /// Returns the draw of pairs in random order; `None` for other pairs.
    pub(crate) fn draw(&self) -> Option<PairDraw> {
        self.pairs.map(|pairs| PairDraw { seed: self.seed.0, pairs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_read_as_it_was_written() {
        let plain = SheetOrigin {
            queue: "failures".into(),
            rows: 7,
            seed: Seed(42),
            pairs: None,
            overlap: None,
            sample: None,
        };
        let drawn = SheetOrigin { queue: "random".into(), pairs: Some(9), overlap: Some(2), ..plain.clone() };
        let sampled = SheetOrigin { queue: "adjudicate".into(), sample: Some("s1f0a2b3c".into()), ..drawn };
        for (origin, written) in [
            (plain, "failures-n7-s42"),
            (drawn, "random-n7-s42-p9-o2"),
            (sampled, "adjudicate-n7-s42-p9-o2-ds1f0a2b3c"),
        ] {
            assert_eq!((origin.to_string().as_str(), SheetOrigin::read(written)), (written, Some(origin)));
        }
        for wrong in
            ["", "failures", "failures-n7", "other-n7-s42", "random-n7-s42-x1", "random-nx-s42", "random-"]
        {
            assert_eq!(SheetOrigin::read(wrong), None, "{wrong}");
        }
    }
}

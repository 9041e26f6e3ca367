//! The draw of a sheet's pairs, which every row has.

use std::fmt;

use llull_core::Seed;

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

//! The subtopics of documents, and the gain of each document.
//!
//! A document gains by the subtopics that the documents ahead of it do not cover.

use std::collections::{BTreeMap, BinaryHeap};

use llull_core::TopicQrels;

use crate::parameters::{Alpha, Relevant};

/// To which subtopics of a query each document is relevant; without documents that are relevant to none.
pub(super) struct Coverage<'a> {
    documents: BTreeMap<&'a str, Vec<usize>>,
    /// How many subtopics have a relevant document.
    pub(super) subtopics: usize,
}

impl<'a> Coverage<'a> {
    /// The coverage by the labels of each subtopic.
    pub(super) fn new(labels: &[&'a TopicQrels], rel: Relevant) -> Self {
        let mut documents: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut subtopics = 0;
        for labels in labels {
            let relevant = labels.iter().filter(|(_, grade)| **grade >= rel.grade());
            let mut some = false;
            for (document, _) in relevant {
                documents.entry(document).or_default().push(subtopics);
                some = true;
            }
            subtopics += usize::from(some);
        }
        Self { documents, subtopics }
    }

    /// How many documents are relevant to a subtopic.
    pub(super) fn relevant(&self) -> usize {
        self.documents.len()
    }

    /// The subtopics to which a document is relevant.
    pub(super) fn of(&self, document: &str) -> &[usize] {
        self.documents.get(document).map_or(&[], Vec::as_slice)
    }

    /// The gains of the greedy list, rank by rank: each time of the document that gains the most there, of several of
    /// the one with the greatest identifier.
    ///
    /// A document gains less as others are added, so its gain at an earlier rank is a bound: the first in the queue is
    /// the best as soon as its gain equals the one in the queue.
    pub(super) fn ideal(&self, alpha: Alpha) -> impl Iterator<Item = f64> + '_ {
        let mut reader = Reader::new(self.subtopics, alpha);
        // gains are 0 or more, so their bits are in their order
        let mut queue: BinaryHeap<(u64, &str, &[usize])> = self
            .documents
            .iter()
            .map(|(document, subtopics)| (reader.gain(subtopics).to_bits(), *document, subtopics.as_slice()))
            .collect();
        std::iter::from_fn(move || {
            loop {
                let (queued, document, subtopics) = queue.pop()?;
                let gain = reader.gain(subtopics);
                if gain.to_bits() == queued {
                    return Some(reader.read(subtopics));
                }
                queue.push((gain.to_bits(), document, subtopics));
            }
        })
    }
}

/// A reader of a list, to whom the next relevant document of each subtopic has a worth.
pub(super) struct Reader {
    worth: Vec<f64>,
    alpha: Alpha,
}

impl Reader {
    /// A reader who has seen nothing.
    pub(super) fn new(subtopics: usize, alpha: Alpha) -> Self {
        Self { worth: vec![1.0; subtopics], alpha }
    }

    /// The gain of a document that is relevant to these. Summed from the least up, so that equal gains are equal to
    /// the last bit, whatever the order of the subtopics.
    fn gain(&self, subtopics: &[usize]) -> f64 {
        let mut gains: Vec<f64> = subtopics.iter().map(|subtopic| self.worth[*subtopic]).collect();
        gains.sort_unstable_by(f64::total_cmp);
        gains.into_iter().fold(0.0, |sum, gain| sum + gain)
    }

    /// Reads a document and returns its gain.
    pub(super) fn read(&mut self, subtopics: &[usize]) -> f64 {
        let gain = self.gain(subtopics);
        for subtopic in subtopics {
            self.worth[*subtopic] *= 1.0 - self.alpha.get();
        }
        gain
    }
}

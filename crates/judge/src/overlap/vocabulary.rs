//! Numbers words, so that each is processed once.

use rust_stemmers::Stemmer;
use rustc_hash::FxHashMap;

use super::options::OverlapOptions;

/// The words of the texts that are judged together.
pub(super) struct Vocabulary<'a> {
    options: &'a OverlapOptions,
    stemmer: Option<Stemmer>,
    numbers: FxHashMap<Box<str>, u32>,
    /// For each word the number that it counts as, its stem's or its own; `None` if it is a stop word.
    counted: Vec<Option<u32>>,
}

impl<'a> Vocabulary<'a> {
    pub(super) fn new(options: &'a OverlapOptions) -> Self {
        let stemmer = options.stemming.map(|language| Stemmer::create(language.0));
        Self { options, stemmer, numbers: FxHashMap::default(), counted: Vec::new() }
    }

    /// Returns the number of a word, given in lower case.
    pub(super) fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = self.add(word);
        if self.options.stop_words.holds(word) {
            self.count_as(number, None);
        } else if let Some(stemmer) = &self.stemmer {
            let stem = stemmer.stem(word).into_owned();
            let stem = match self.numbers.get(stem.as_str()) {
                Some(known) => *known,
                None => self.add(&stem),
            };
            self.count_as(number, Some(stem));
        }
        number
    }

    fn add(&mut self, word: &str) -> u32 {
        let number = self.counted.len() as u32;
        self.numbers.insert(word.into(), number);
        self.counted.push(Some(number));
        number
    }

    fn count_as(&mut self, number: u32, as_number: Option<u32>) {
        if let Some(counted) = self.counted.get_mut(number as usize) {
            *counted = as_number;
        }
    }

    /// Returns the number that a word counts as; `None` if it does not count.
    pub(super) fn counted(&self, number: u32) -> Option<u32> {
        self.counted.get(number as usize).copied().flatten()
    }
}

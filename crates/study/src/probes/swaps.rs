//! Replaces names and numbers of a query by others.

use indexmap::IndexMap;
use llull_core::Seed;
use llull_runner::{PooledDocument, TopicIndex, Workload};
use rustc_hash::{FxHashMap, FxHashSet};

use super::masks::masked;
use super::names::{Word, is_capitalised, is_number, words};

/// A word is a name if at least this many of ten of its occurrences within sentences have a capital.
const OF_TEN: usize = 9;

/// The names and numbers of a pool's documents.
///
/// A name is a word that documents write with a capital within sentences; its spelling in queries does not matter.
pub(crate) struct Swaps {
    /// In a random order that depends on the seed and the word alone: so a growing pool seldom changes the
    /// replacements.
    words: Vec<(u64, SwapWord)>,
    /// The names in lower case.
    names: FxHashSet<String>,
    seed: Seed,
}

/// A name or number.
struct SwapWord {
    /// Its spelling in a document.
    spelling: String,
    lower: String,
    /// A query whose pool contains it.
    topic: TopicIndex,
    /// Whether the pool of another query contains it, too.
    elsewhere: bool,
}

/// The spellings of a word in documents.
#[derive(Default)]
struct Written<'a> {
    spelling: Option<&'a str>,
    capitals: usize,
    all: usize,
    topic: Option<TopicIndex>,
    elsewhere: bool,
}

impl Swaps {
    /// Collects the names and numbers of the pooled documents.
    pub(crate) fn new(pooled: &Workload, seed: Seed) -> Self {
        let mut written: IndexMap<String, Written<'_>> = IndexMap::new();
        for question in pooled.questions() {
            let documents = question.documents.iter().filter_map(|at| pooled.document(*at));
            for document in documents.filter_map(PooledDocument::document) {
                for word in words(&document.text) {
                    note(&mut written, question.topic, word);
                }
            }
        }
        let mut names = FxHashSet::default();
        let mut words = Vec::new();
        for (lower, found) in written {
            let named = found.all > 0 && found.capitals * 10 >= found.all * OF_TEN;
            let number = is_number(&lower);
            if !named && !number {
                continue;
            }
            if named && !number {
                names.insert(lower.clone());
            }
            if let (Some(spelling), Some(topic)) = (found.spelling, found.topic) {
                let spelling = spelling.to_owned();
                let word = SwapWord { spelling, lower, topic, elsewhere: found.elsewhere };
                words.push((lot(seed, &word.lower), word));
            }
        }
        words.sort_unstable_by(|one, other| (one.0, &one.1.lower).cmp(&(other.0, &other.1.lower)));
        Self { words, names, seed }
    }

    /// Returns a document's text with other names for the query's names, and other numbers with as many digits for its
    /// numbers.
    ///
    /// The replacements are from documents of other queries. `None` if the text has none of them, or one has no
    /// replacement.
    pub(crate) fn swapped(&self, topic: TopicIndex, query: &str, text: &str) -> Option<String> {
        let asked: FxHashSet<String> = words(query).map(|word| word.word.to_lowercase()).collect();
        let there: FxHashSet<String> = words(text).map(|word| word.word.to_lowercase()).collect();
        let swapped = |lower: &String| is_number(lower) || self.names.contains(lower);
        let mut taken: FxHashSet<&str> = FxHashSet::default();
        let mut stand_ins: FxHashMap<String, &str> = FxHashMap::default();
        for word in words(query).map(|word| word.word.to_lowercase()) {
            if !there.contains(&word) || !swapped(&word) || stand_ins.contains_key(&word) {
                continue;
            }
            let fits = |other: &&SwapWord| {
                (other.elsewhere || other.topic != topic)
                    && like(&word, &other.lower)
                    && !asked.contains(&other.lower)
                    && !there.contains(&other.lower)
                    && !taken.contains(other.lower.as_str())
            };
            let stand_in = self.from(lot(self.seed, &format!("for {query}: {word}"))).find(fits)?;
            taken.insert(&stand_in.lower);
            stand_ins.insert(word, &stand_in.spelling);
        }
        (!stand_ins.is_empty()).then(|| replaced(text, &stand_ins))
    }

    /// Returns a document's text with masked names, numbers and some other words, but none of the query's; `None` if
    /// there is nothing to mask.
    pub(crate) fn masked(&self, query: &str, text: &str) -> Option<String> {
        masked(&self.names, self.seed, query, text)
    }

    /// Returns all words, from the first one at this random number or after it, round to the one before.
    fn from(&self, lot: u64) -> impl Iterator<Item = &SwapWord> {
        let first = self.words.partition_point(|(at, _)| *at < lot);
        let (before, after) = self.words.split_at(first);
        after.iter().chain(before).map(|(_, word)| word)
    }
}

/// Whether one can replace the other: a number one with as many digits, a name a name.
fn like(word: &str, other: &str) -> bool {
    match is_number(word) {
        true => is_number(other) && other.len() == word.len(),
        false => !is_number(other),
    }
}

fn lot(seed: Seed, word: &str) -> u64 {
    seed.stream(&format!("swap {word}"))
}

fn note<'a>(written: &mut IndexMap<String, Written<'a>>, topic: TopicIndex, word: Word<'a>) {
    let known = written.entry(word.word.to_lowercase()).or_default();
    let capital = is_capitalised(word.word);
    if !word.begins {
        known.all += 1;
        known.capitals += usize::from(capital);
    }
    if known.spelling.is_none() && (is_number(word.word) || (capital && !word.begins)) {
        known.spelling = Some(word.word);
    }
    match known.topic {
        None => known.topic = Some(topic),
        Some(first) => known.elsewhere |= first != topic,
    }
}

/// Returns a text with replacements for these words, which are in lower case.
fn replaced(text: &str, stand_ins: &FxHashMap<String, &str>) -> String {
    let mut changed = String::with_capacity(text.len());
    let mut copied = 0;
    for word in words(text) {
        if let Some(stand_in) = stand_ins.get(&word.word.to_lowercase()) {
            changed.push_str(text.get(copied..word.start).unwrap_or_default());
            changed.push_str(stand_in);
            copied = word.start + word.word.len();
        }
    }
    changed.push_str(text.get(copied..).unwrap_or_default());
    changed
}

#[cfg(test)]
mod tests {
    use llull_core::{Document, Topic};
    use llull_runner::{DocumentIndex, Pair};

    use super::*;

    const TEXTS: [(u32, &str); 4] = [
        (0, "The tower of Paris was built by Eiffel in 1889. Most visitors of Paris see it, not of paris."),
        (0, "Eiffel also drew a bridge in Porto, from 1877 on."),
        (1, "In summer the lakes of Finland are warm, and Helsinki had 27 degrees in 2021."),
        (1, "The saunas of Finland: a list of 1300, by Aalto."),
    ];

    fn pool(texts: &[(u32, &str)]) -> Workload {
        let topics = ["eiffel tower 1889", "lakes of finland"];
        let topics = topics.map(|text| Topic { id: text.into(), text: text.into() });
        let document = |(_, text): &(u32, &str)| {
            PooledDocument::Found(Document { id: String::new(), title: String::new(), text: (*text).into() })
        };
        let pair = |(at, (topic, _)): (usize, &(u32, &str))| Pair {
            topic: TopicIndex(*topic),
            document: DocumentIndex(at as u32),
        };
        let pairs = texts.iter().enumerate().map(pair).collect();
        Workload::new(topics.to_vec(), texts.iter().map(document).collect(), pairs).unwrap()
    }

    #[test]
    fn names_and_numbers_of_the_query_give_way_to_those_of_others() {
        let swaps = Swaps::new(&pool(&TEXTS), Seed(1));
        let query = "eiffel tower 1889";
        let changed = swaps.swapped(TopicIndex(0), query, TEXTS[0].1).unwrap();
        let [name, number] = ["Eiffel", "1889"].map(|old| {
            let at = words(TEXTS[0].1).position(|word| word.word == old).unwrap();
            words(&changed).nth(at).unwrap().word.to_owned()
        });
        assert!(["Finland", "Helsinki", "Aalto"].contains(&name.as_str()), "{changed}");
        assert!(["2021", "1300"].contains(&number.as_str()), "{changed}");
        assert_eq!(changed, TEXTS[0].1.replace("Eiffel", &name).replace("1889", &number));
        assert_eq!(swaps.swapped(TopicIndex(0), query, TEXTS[0].1), Some(changed), "each time the same");
        assert_eq!(swaps.swapped(TopicIndex(0), "how to cook rice", TEXTS[0].1), None);
        assert_eq!(swaps.swapped(TopicIndex(0), query, "No such word."), None);
        // 27 is the only number of two digits, and it is of the query's own pool.
        assert_eq!(swaps.swapped(TopicIndex(1), "27 degrees", TEXTS[2].1), None);
    }

    #[test]
    fn which_word_stands_in_is_drawn_by_the_seed() {
        let pooled = pool(&TEXTS);
        let changed = |seed| {
            let swaps = Swaps::new(&pooled, Seed(seed));
            swaps.swapped(TopicIndex(0), "eiffel", TEXTS[1].1).unwrap()
        };
        let all: std::collections::BTreeSet<String> = (0..40).map(changed).collect();
        assert_eq!(all.len(), 3, "{all:?}");
    }

    /// A pool that gains documents seldom gives another word.
    #[test]
    fn a_pool_that_grows_changes_little() {
        let small: Vec<String> = (0..200).map(|at| format!("There we saw Name{at:03} again.")).collect();
        let before: Vec<(u32, &str)> =
            TEXTS.into_iter().chain(small.iter().map(|text| (1, text.as_str()))).collect();
        let more: Vec<(u32, &str)> = before.iter().copied().chain([(1, "There we saw Nobody.")]).collect();
        let same = (0..50).filter(|&seed| {
            let swap = |texts: &[(u32, &str)]| {
                Swaps::new(&pool(texts), Seed(seed)).swapped(TopicIndex(0), "eiffel", TEXTS[1].1)
            };
            swap(&before) == swap(&more)
        });
        assert!(same.count() >= 48);
    }
}

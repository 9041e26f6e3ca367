//! Checks whether near copies of a document get the same grade.
//!
//! The figure is Krippendorff's alpha of the ranks of grades within a query, over pairs of near copies: 1 less the
//! squared difference in such pairs as a share of that in all pairs of the query. It needs no labels and no second
//! judge. A judge that is right on half of the documents, and guesses on the others, has a quarter of a good one's.

use std::collections::BTreeMap;

use llull_core::Item;

use crate::checks::length_words_ranks::centred_ranks;
use crate::checks::overlap::words;
use crate::clustered_ratio::Clustered;
use crate::finding::{Finding, needs};
use crate::reference::Votes;
use crate::{AuditOptions, AuditedCollection, CheckKind, CheckOutcome};

/// Near copies share at least this part of the words of both (Jaccard).
const COPY: f64 = 0.8;

/// In a text with fewer different words, one word is much of it.
const LEAST_WORDS: usize = 20;

/// None of 33 published judges of LLMJudge and TREC DL 2019 is reliably below this (0.37 to 0.97); nor are human labels
/// of products (ESCI: 0.33), whose variants differ in a word that matters.
const PUBLISHED: f64 = 0.4;

/// With fewer copies the figure is an accident of a few texts: it is shown, and the check passes.
const LEAST: usize = 30;

/// The different words of a text, by which near copies are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordSet(Vec<u64>);

impl WordSet {
    /// Collects the words of a text: runs of letters and digits, in lower case.
    pub fn of(text: &str) -> Self {
        let word = |word: &str| {
            let lower = word.chars().flat_map(char::to_lowercase);
            lower.fold(0xcbf2_9ce4_8422_2325, |hash: u64, c| {
                (hash ^ u64::from(u32::from(c))).wrapping_mul(0x0100_0000_01b3)
            })
        };
        let mut words: Vec<u64> = words(text).map(word).collect();
        words.sort_unstable();
        words.dedup();
        Self(words)
    }

    /// The words that both have, as a share of those of either; `None` if it is below [`COPY`].
    fn likeness(&self, other: &Self) -> Option<f64> {
        let all = self.0.len() + other.0.len();
        // Of `all` words in both lists, near copies have no more than this that only one has.
        let most = (all as f64 * (1.0 - COPY) / (1.0 + COPY)).floor() as usize;
        if all == 0 || self.0.len().abs_diff(other.0.len()) > most {
            return None;
        }
        let (mut one, mut two) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut alone = 0;
        while let (Some(a), Some(b)) = (one.peek(), two.peek()) {
            let (next_one, next_two) = (a <= b, b <= a);
            alone += usize::from(next_one != next_two);
            if alone > most {
                return None;
            }
            next_one.then(|| one.next());
            next_two.then(|| two.next());
        }
        alone += one.count() + two.count();
        let both = (all - alone) as f64 / 2.0;
        (alone <= most).then(|| both / (both + alone as f64))
    }
}

/// A text is compared with so many before it at most: with all, the time would grow as the square of a query's pool.
const MOST_COMPARED: usize = 2_000;

/// Returns for each text the earlier one that is most like it, if it is a near copy. Texts of the same words are left
/// out, since judges may have graded one for both, and so are those of fewer than 20 words.
///
/// ```
/// use llull_audit::{WordSet, near_copies};
/// use llull_core::Item;
///
/// let text = "a lobster roll is a sandwich of cold or warm meat with butter or mayonnaise, served on a grilled bun \
///             that is split on top, first sold in Connecticut";
/// let copied = format!("{text}, they say");
/// let words = [text, &copied, text, "a roll"].map(|text| Some(WordSet::of(text)));
/// assert_eq!(near_copies(&words), [None, Some(Item(0)), Some(Item(1)), None]);
/// ```
pub fn near_copies(texts: &[Option<WordSet>]) -> Vec<Option<Item>> {
    let earlier = |(at, text): (usize, &Option<WordSet>)| {
        let text = text.as_ref().filter(|text| text.0.len() >= LEAST_WORDS)?;
        let mut nearest: Option<(f64, Item)> = None;
        for (item, other) in texts.iter().enumerate().take(at).skip(at.saturating_sub(MOST_COMPARED)) {
            let Some(likeness) = other.as_ref().and_then(|other| text.likeness(other)) else { continue };
            if likeness < 1.0 && nearest.is_none_or(|(most, _)| likeness > most) {
                nearest = Some((likeness, Item::at(item)));
            }
        }
        nearest.map(|(_, item)| item)
    };
    texts.iter().enumerate().map(earlier).collect()
}

/// Returns the alpha of near copies; `None` for a judge that compares, or without near copies.
pub(crate) fn near_copies_alike(
    own: &Votes,
    collection: &AuditedCollection,
    options: &AuditOptions,
) -> Option<Finding> {
    let mut queries: BTreeMap<usize, Vec<(Item, f64)>> = BTreeMap::new();
    for (place, grade) in &own.grades {
        queries.entry(place.0).or_default().push((place.1, *grade));
    }
    let mut units: Vec<(usize, f64, f64)> = Vec::new();
    for (query, graded) in queries {
        let ranks = centred_ranks(&graded.iter().map(|one| one.1).collect::<Vec<_>>());
        let expected = 2.0 * ranks.iter().map(|rank| rank * rank).sum::<f64>() / (ranks.len() as f64 - 1.0);
        let rank: BTreeMap<Item, f64> = graded.iter().map(|one| one.0).zip(ranks).collect();
        units.extend(rank.iter().filter_map(|(item, one)| {
            let other = rank.get(&collection.document(query, *item).copy_of?)?;
            Some((query, expected - (one - other) * (one - other), expected))
        }));
    }
    let (n, found) = (units.len(), Clustered::ratio(&units)?);
    let interval = found.interval(options.confidence, (-1.0, 1.0));
    let is_weak = n >= LEAST && interval.is_some_and(|(_, high)| high < PUBLISHED);
    let alpha = found.value;
    let few = if n < LEAST { needs(LEAST) } else { String::new() };
    Some(Finding {
        n,
        value: Some(alpha),
        interval,
        chance: Some(0.0),
        at_least: if is_weak { CheckOutcome::Weak } else { CheckOutcome::Passed },
        conclusion: format!(
            "Near copies of a document often get other grades (alpha {alpha:.2} of {n}; good judges: 0.37 to 0.97; \
             half guesses: 0.2; chance: 0). The judge may guess, or a word may decide, as with variants of a product."
        ),
        remedy: "Read some of these documents. Label a sample by hand (`llull sample`), or use another judge.",
        ..Finding::of_figures(
            CheckKind::NearCopies,
            format!(
                "Near copies of a document and their grades: alpha {alpha:.2} ({n} copies; chance: 0).{few}"
            ),
        )
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use llull_core::Seed;
    use proptest::prelude::*;

    use super::*;
    use crate::{AskedAs, AuditedJudge, GradedAnswer, ShownDocument, judge_checks};

    proptest! {
        /// The plain definition, by sets.
        #[test]
        fn likeness_is_that_of_sets(one in "[a-f ]{0,24}", other in "[a-f ]{0,24}") {
            let set = |text: &str| -> BTreeSet<String> {
                text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
            };
            let (a, b) = (set(&one), set(&other));
            let plain = a.intersection(&b).count() as f64 / a.union(&b).count() as f64;
            let found = WordSet::of(&one).likeness(&WordSet::of(&other));
            prop_assert_eq!(found.is_some(), plain >= COPY);
            prop_assert!(found.is_none_or(|found| (found - plain).abs() < 1e-12));
        }
    }

    /// 20 queries of ten documents and a near copy of each; the judge guesses a share of its grades.
    fn found(guesses: u64, copies: usize) -> crate::JudgeCheck {
        let drawn = |what: &str, query: usize, item: usize| Seed(3).stream(&format!("{what} {query} {item}"));
        let document = |item: usize| ShownDocument {
            copy_of: (10..10 + copies).contains(&item).then(|| Item::at(item - 10)),
            ..ShownDocument::default()
        };
        let grade = |query: usize, item: usize| match drawn("guess", query, item) % 100 < guesses {
            true => (drawn("grade", query, item) % 4) as f64,
            false => (drawn("truth", query, item % 10) % 4) as f64,
        };
        let graded = (0..20).flat_map(|query| (0..20).map(move |item| (query, item)));
        let answer = |(query, item)| GradedAnswer {
            query,
            document: Item::at(item),
            grade: grade(query, item),
            asked_as: AskedAs::Vote,
            rationale: None,
        };
        let judge = AuditedJudge {
            judge: "mini".into(),
            graded: graded.map(answer).collect(),
            ..AuditedJudge::default()
        };
        let collection = AuditedCollection {
            documents: vec![(0..20).map(document).collect(); 20],
            ..AuditedCollection::default()
        };
        let checks = judge_checks(&[judge], &collection, &AuditOptions::new(Seed(1)));
        checks.into_iter().find(|check| check.kind == CheckKind::NearCopies).unwrap()
    }

    #[test]
    fn a_judge_that_guesses_half_is_weak_and_one_that_guesses_little_passes() {
        let [exact, some, half, all] = [0, 15, 50, 100].map(|guesses| found(guesses, 10));
        assert!(
            (exact.value.unwrap() - 1.0).abs() < 1e-12 && exact.outcome == CheckOutcome::Passed,
            "{exact:?}"
        );
        assert_eq!(some.outcome, CheckOutcome::Passed, "{some:?}");
        assert!((half.value.unwrap() - 0.25).abs() < 0.15 && half.outcome == CheckOutcome::Weak, "{half:?}");
        assert!(all.value.unwrap().abs() < 0.15 && all.outcome == CheckOutcome::Weak, "{all:?}");
        assert_eq!(found(100, 1).outcome, CheckOutcome::Passed);
    }
}

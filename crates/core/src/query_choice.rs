//! A choice of queries: by metadata, by identifiers, or at random.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use glob::Pattern;

use crate::key::KeyBuilder;
use crate::seed::Seed;
use crate::slice::{SliceError, field_list};
use crate::topic::Topics;

/// The most values that a message names.
const NAMED: usize = 20;

/// A choice of queries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryChoice {
    /// A query is chosen if one of these matches it; every query without any.
    pub filters: Vec<QueryFilter>,
    /// The sample that is drawn of them.
    pub sample: Option<QuerySample>,
}

/// Matches queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryFilter {
    /// The queries with this value of a metadata field; `(none)` for those without one.
    Field {
        /// The field.
        field: String,
        /// The value.
        value: String,
    },
    /// The queries whose identifiers match, with `*`, `?` and `[ab]`.
    Pattern(Pattern),
    /// The queries with these identifiers.
    Listed {
        /// The name of the list in messages.
        list: String,
        /// The identifiers.
        ids: Vec<String>,
    },
}

/// A random sample of queries. Of a larger one with the same seed it is a part, if it is not stratified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuerySample {
    /// The number of queries.
    pub size: usize,
    /// The metadata field whose values get shares in proportion.
    pub by: Option<String>,
    /// The seed.
    pub seed: Seed,
}

/// The chosen queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenQueries {
    /// Their identifiers.
    pub ids: BTreeSet<String>,
    /// The number of queries among which they were chosen.
    pub of: usize,
    /// How: `segment=head; sample by language, seed 42`.
    pub how: String,
}

/// Why no queries can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryChoiceError {
    /// A pattern is not one.
    #[error("--queries {pattern}: {message}. A pattern is an identifier with *, ? or [ab], such as 'de-*'")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// The problem.
        message: String,
    },
    /// No query has such a field.
    #[error("{flag}: no query has a field {field:?}. {}", field_list(.known))]
    UnknownField {
        /// The flag that names the field.
        flag: &'static str,
        /// The field.
        field: String,
        /// The fields that exist.
        known: Vec<String>,
    },
    /// No identifier matches a pattern.
    #[error(
        "--queries {pattern}: no identifier of a query matches it (the first: {first}), and no file has this name"
    )]
    NoMatch {
        /// The pattern.
        pattern: String,
        /// The first query.
        first: String,
    },
    /// A list names other queries.
    #[error(
        "--queries {list}: {first:?} is no query{}. Remove {} from the list",
        match *.others {
            0 => String::new(),
            1 => ", nor is another of its identifiers".to_owned(),
            more => format!(", nor are {more} more of its identifiers"),
        },
        if *.others == 0 { "it" } else { "them" }
    )]
    NoQuery {
        /// The list.
        list: String,
        /// The first such identifier.
        first: String,
        /// The number of the others.
        others: usize,
    },
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

/// `40 of 400 queries (sample by segment, seed 42)`
impl fmt::Display for ChosenQueries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} queries ({})", self.ids.len(), self.of, self.how)
    }
}

/// `segment=head`, `de-*`, or the name of the list
impl fmt::Display for QueryFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field { field, value } => write!(f, "{field}={value}"),
            Self::Pattern(pattern) => f.write_str(pattern.as_str()),
            Self::Listed { list, .. } => f.write_str(list),
        }
    }
}

impl QueryFilter {
    /// Reads `field=value`, or a pattern of identifiers.
    ///
    /// # Errors
    /// Returns an error if the pattern is not one.
    pub fn parse(text: &str) -> Result<Self, QueryChoiceError> {
        if let Some((field, value)) = text.split_once('=') {
            return Ok(Self::Field { field: field.trim().to_owned(), value: value.trim().to_owned() });
        }
        let pattern = Pattern::new(text).map_err(|error| QueryChoiceError::Pattern {
            pattern: text.to_owned(),
            message: error.msg.to_owned(),
        })?;
        Ok(Self::Pattern(pattern))
    }

    fn chosen(&self, queries: &[&str], topics: &Topics) -> Result<BTreeSet<String>, QueryChoiceError> {
        let of = |is_chosen: &dyn Fn(&str) -> bool| -> BTreeSet<String> {
            queries.iter().filter(|query| is_chosen(query)).map(|query| (*query).to_owned()).collect()
        };
        match self {
            Self::Field { field, value } => {
                known_field(topics, "--queries", field)?;
                let value_of = |query: &str| topics.slice_of(query, field).to_owned();
                let found = of(&|query| value_of(query) == *value);
                if found.is_empty() {
                    let known: BTreeSet<String> = queries.iter().map(|query| value_of(query)).collect();
                    let mut known: Vec<String> = known.into_iter().collect();
                    if known.len() > NAMED {
                        known.truncate(NAMED);
                        known.push("...".to_owned());
                    }
                    let (field, value) = (field.clone(), value.clone());
                    return Err(QueryChoiceError::Problem(format!(
                        "--queries {field}={value}: no query has this value. Values of {field:?}: {}",
                        known.join(", ")
                    )));
                }
                Ok(found)
            }
            Self::Pattern(pattern) => {
                let found = of(&|query| pattern.matches(query));
                let first = queries.first().map_or_else(String::new, |query| (*query).to_owned());
                let pattern = pattern.as_str().to_owned();
                if found.is_empty() { Err(QueryChoiceError::NoMatch { pattern, first }) } else { Ok(found) }
            }
            Self::Listed { list, ids } => {
                let known: BTreeSet<&str> = queries.iter().copied().collect();
                let mut unknown = ids.iter().filter(|id| !known.contains(id.as_str()));
                if let Some(first) = unknown.next() {
                    let (list, first, others) = (list.clone(), first.clone(), unknown.count());
                    return Err(QueryChoiceError::NoQuery { list, first, others });
                }
                Ok(ids.iter().cloned().collect())
            }
        }
    }
}

impl QueryChoice {
    /// Returns whether every query is chosen, whatever they are.
    pub fn is_all(&self) -> bool {
        self.filters.is_empty() && self.sample.is_none()
    }

    /// Chooses among these queries, whose metadata are those of `topics`.
    ///
    /// # Errors
    /// Returns an error if a filter matches no query or names something unknown, or the sample is too large.
    pub fn choose(&self, queries: &[&str], topics: &Topics) -> Result<ChosenQueries, QueryChoiceError> {
        let mut ids = BTreeSet::new();
        for filter in &self.filters {
            ids.append(&mut filter.chosen(queries, topics)?);
        }
        if self.filters.is_empty() {
            ids = queries.iter().map(|query| (*query).to_owned()).collect();
        }
        let filters = self.filters.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let mut how = if filters.is_empty() { Vec::new() } else { vec![filters] };
        if let Some(sample) = &self.sample {
            ids = sample.drawn(&ids, topics)?;
            let by = sample.by.as_ref().map_or_else(String::new, |field| format!(" by {field}"));
            how.push(format!("sample{by}, seed {}", sample.seed.0));
        }
        Ok(ChosenQueries { ids, of: queries.len(), how: how.join("; ") })
    }
}

impl QuerySample {
    fn drawn(
        &self,
        queries: &BTreeSet<String>,
        topics: &Topics,
    ) -> Result<BTreeSet<String>, QueryChoiceError> {
        if self.size > queries.len() {
            return Err(QueryChoiceError::Problem(format!(
                "--sample-queries {}: there are only {} queries. Choose a smaller number, or leave it out",
                self.size,
                queries.len()
            )));
        }
        if let Some(field) = &self.by {
            known_field(topics, "--sample-queries N:FIELD", field)?;
        }
        let stratum = |query: &str| self.by.as_ref().and_then(|field| topics.metadata(query, field));
        let mut strata: BTreeMap<Option<&str>, Vec<(crate::Hash, &str)>> = BTreeMap::new();
        for query in queries {
            // A key of its own for each query, so that another query changes no other draw.
            let key = KeyBuilder::new("llull sample of queries v1").number("seed", self.seed.0);
            let key = key.text("query", query).finish();
            strata.entry(stratum(query)).or_default().push((key, query));
        }
        let sizes: Vec<usize> = strata.values().map(Vec::len).collect();
        let mut drawn = BTreeSet::new();
        for (mut queries, share) in strata.into_values().zip(shares(&sizes, self.size)) {
            queries.sort_unstable();
            drawn.extend(queries.into_iter().take(share).map(|(_, query)| query.to_owned()));
        }
        Ok(drawn)
    }
}

/// Returns how many of `size` each stratum of these sizes gets: in proportion, by largest remainders. Of equal
/// remainders the larger stratum's counts first, then the earlier one's.
fn shares(sizes: &[usize], size: usize) -> Vec<usize> {
    let all = sizes.iter().sum::<usize>().max(1) as u128;
    let quota = |stratum: usize| stratum as u128 * size as u128;
    let mut shares: Vec<usize> = sizes.iter().map(|stratum| (quota(*stratum) / all) as usize).collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse((quota(sizes[*at]) % all, sizes[*at])));
    let left = size.saturating_sub(shares.iter().sum());
    for at in order.into_iter().take(left) {
        shares[at] += 1;
    }
    shares
}

fn known_field(topics: &Topics, flag: &'static str, field: &str) -> Result<(), QueryChoiceError> {
    topics.known_field(field).map(drop).map_err(|error| match error {
        SliceError::UnknownField { field, known } => QueryChoiceError::UnknownField { flag, field, known },
        SliceError::TooManyValues { field, .. } => {
            QueryChoiceError::UnknownField { flag, field, known: Vec::new() }
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Topic;

    /// Twelve queries: eight of the segment head, three of tail, one of none.
    fn topics() -> Topics {
        let topic =
            |at: usize| Topic { id: format!("{}-{at:02}", ["de", "en"][at % 2]), text: String::new() };
        let mut topics: Topics = (0..12).map(topic).collect();
        let ids: Vec<String> = topics.iter().map(|topic| topic.id.clone()).collect();
        for (at, id) in ids.iter().enumerate().take(11) {
            topics.set_metadata(id, "segment", if at < 8 { "head" } else { "tail" });
        }
        topics
    }

    fn choose(
        filters: &[&str],
        sample: Option<(usize, Option<&str>)>,
    ) -> Result<ChosenQueries, QueryChoiceError> {
        let topics = topics();
        let choice = QueryChoice {
            filters: filters.iter().map(|text| QueryFilter::parse(text).unwrap()).collect(),
            sample: sample.map(|(size, by)| QuerySample { size, by: by.map(str::to_owned), seed: Seed(42) }),
        };
        let ids: Vec<&str> = topics.iter().map(|topic| topic.id.as_str()).collect();
        choice.choose(&ids, &topics)
    }

    #[test]
    fn queries_are_chosen_by_value_and_by_identifier() {
        let chosen = choose(&["segment=tail"], None).unwrap();
        assert_eq!((chosen.ids.len(), chosen.of, chosen.how.as_str()), (3, 12, "segment=tail"));
        assert_eq!(choose(&["segment=(none)"], None).unwrap().ids.len(), 1);
        assert_eq!(choose(&["de-*"], None).unwrap().ids.len(), 6);
        assert_eq!(choose(&["de-*", "segment=tail"], None).unwrap().ids.len(), 7, "either matches");
        for (filter, part) in [
            ("segment=heda", "Values of \"segment\": (none), head, tail"),
            ("language=de", "--queries: no query has a field \"language\". Fields: segment"),
            ("ids.txt", "no identifier of a query matches it (the first: de-00), and no file has this name"),
        ] {
            let error = choose(&[filter], None).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        assert!(QueryFilter::parse("de-[").unwrap_err().to_string().contains("--queries de-["));
        let ids = vec!["de-00".into(), "q1".into(), "q2".into()];
        let listed =
            QueryChoice { filters: vec![QueryFilter::Listed { list: "ids.txt".into(), ids }], sample: None };
        let error = listed.choose(&["de-00"], &Topics::default()).unwrap_err().to_string();
        assert_eq!(
            error,
            "--queries ids.txt: \"q1\" is no query, nor is another of its identifiers. Remove them from the list"
        );
    }

    #[test]
    fn a_sample_has_its_size_and_the_strata_their_shares() {
        let chosen = choose(&[], Some((6, Some("segment")))).unwrap();
        assert_eq!(chosen.how, "sample by segment, seed 42");
        let topics = topics();
        let heads = chosen.ids.iter().filter(|id| topics.metadata(id, "segment") == Some("head")).count();
        // 8, 3 and 1 of 12 are quotas of 4, 1.5 and 0.5; of two equal remainders the larger stratum's counts.
        assert_eq!((chosen.ids.len(), heads), (6, 4));
        let small = choose(&[], Some((3, None))).unwrap().ids;
        assert!(small.is_subset(&choose(&[], Some((7, None))).unwrap().ids));
        let error = choose(&["segment=tail"], Some((4, None))).unwrap_err().to_string();
        assert!(error.contains("--sample-queries 4: there are only 3 queries"), "{error}");
    }

    proptest! {
        #[test]
        fn shares_are_within_one_of_the_proportion(
            sizes in proptest::collection::vec(0usize..50, 1..12),
            part in 0.0f64..=1.0,
        ) {
            let all: usize = sizes.iter().sum();
            let size = (all as f64 * part) as usize;
            let shares = shares(&sizes, size);
            prop_assert_eq!(shares.iter().sum::<usize>(), size);
            for (share, stratum) in shares.iter().zip(&sizes) {
                let quota = *stratum as f64 * size as f64 / all.max(1) as f64;
                prop_assert!((*share as f64 - quota).abs() < 1.0 && share <= stratum);
            }
        }
    }
}

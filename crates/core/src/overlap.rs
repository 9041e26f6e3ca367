//! Checks whether two sources use the same identifiers.
//!
//! Sources are runs, labels and queries.

use std::fmt;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::{Qrels, Run};

/// The identifiers of a source: its queries, and the documents of each.
#[derive(Debug, Clone)]
pub struct Identifiers<'a> {
    name: String,
    queries: IndexMap<&'a str, Vec<&'a str>, FxBuildHasher>,
}

impl<'a> Identifiers<'a> {
    /// Queries with their documents. `name` is the source's name in messages.
    pub fn new<D: IntoIterator<Item = &'a str>>(
        name: impl Into<String>,
        queries: impl IntoIterator<Item = (&'a str, D)>,
    ) -> Self {
        let mut known: IndexMap<&str, Vec<&str>, FxBuildHasher> = IndexMap::default();
        for (query, documents) in queries {
            known.entry(query).or_default().extend(documents);
        }
        Self { name: name.into(), queries: known }
    }

    /// Those of labels.
    pub fn of_labels(name: impl Into<String>, labels: &'a Qrels) -> Self {
        Self::new(name, labels.iter().map(|(query, documents)| (query, documents.keys())))
    }

    /// Those of a run.
    pub fn of_run(name: impl Into<String>, run: &'a Run) -> Self {
        Self::new(name, run.iter().map(|(query, hits)| (query, hits.iter().map(|hit| hit.document))))
    }

    /// Those of a source without documents, such as a file of queries.
    pub fn of_queries(name: impl Into<String>, queries: impl IntoIterator<Item = &'a str>) -> Self {
        Self::new(name, queries.into_iter().map(|query| (query, None)))
    }

    /// The identifiers of documents, for all queries together.
    pub fn of_documents(name: impl Into<String>, documents: impl IntoIterator<Item = &'a str>) -> Self {
        Self::new(name, [("", documents)])
    }

    /// Checks that `self` and another source share a query, and a document of a shared query.
    ///
    /// Returns a warning if they share less than a tenth of what they could. Sources that are empty are not compared,
    /// nor are documents of sources without documents.
    ///
    /// # Errors
    /// Returns an error if they share none. It names an identifier of each, and the likely cause.
    pub fn check_overlap(&self, other: &Self) -> Result<Option<FewShared>, NothingShared> {
        let common = self.queries.keys().filter(|query| other.queries.contains_key(*query)).count();
        let queries = Shared { common, of: self.queries.len().min(other.queries.len()) };
        if queries.is_few() {
            let [ours, theirs] = [self, other].map(|side| side.queries.keys().map(|id| ("", *id)).collect());
            return self.mismatch(other, SharedKind::Queries, queries, &[ours, theirs]);
        }
        let documents = self.shared_documents(other);
        if documents.is_few() {
            let sides = [(self, other), (other, self)].map(|(side, opposite)| {
                let shared = side.queries.iter().filter(|(query, _)| opposite.queries.contains_key(*query));
                shared.flat_map(|(query, documents)| documents.iter().map(|id| (*query, *id))).collect()
            });
            return self.mismatch(other, SharedKind::Documents, documents, &sides);
        }
        Ok(None)
    }

    fn shared_documents(&self, other: &Self) -> Shared {
        let mut shared = Shared::default();
        for (query, ours) in &self.queries {
            let Some(theirs) = other.queries.get(query) else { continue };
            let theirs: FxHashSet<&str> = theirs.iter().copied().collect();
            let ours: FxHashSet<&str> = ours.iter().copied().collect();
            shared.common += ours.intersection(&theirs).count();
            shared.of += ours.len().min(theirs.len());
        }
        shared
    }

    fn mismatch(
        &self,
        other: &Self,
        what: SharedKind,
        shared: Shared,
        [ours, theirs]: &[Vec<(&str, &str)>; 2],
    ) -> Result<Option<FewShared>, NothingShared> {
        let known: [FxHashSet<(&str, &str)>; 2] = [ours, theirs].map(|ids| ids.iter().copied().collect());
        let lone = |ids: &[(&str, &str)], others: &FxHashSet<(&str, &str)>| {
            let id = ids.iter().find(|id| !others.contains(*id));
            id.map_or_else(String::new, |(_, id)| (*id).to_owned())
        };
        let cause = if self.is_swapped_with(other) {
            Some(MismatchCause::Swapped)
        } else {
            likely_cause(ours, theirs).or_else(|| self.other_queries(other, what))
        };
        let mismatch = Mismatch {
            what,
            names: [self.name.clone(), other.name.clone()],
            ids: [lone(ours, &known[1]), lone(theirs, &known[0])],
            cause,
        };
        match shared.common {
            0 => Err(NothingShared(Box::new(mismatch))),
            _ => Ok(Some(FewShared { shared, mismatch })),
        }
    }

    /// Whether queries here are documents there, and the other way round.
    fn is_swapped_with(&self, other: &Self) -> bool {
        let in_documents = |side: &Self, of: &Self| {
            let documents: FxHashSet<&str> = of.queries.values().flatten().copied().collect();
            let found = side.queries.keys().filter(|query| documents.contains(*query)).count();
            !Shared { common: found, of: side.queries.len() }.is_few()
        };
        !self.queries.is_empty() && in_documents(self, other) && in_documents(other, self)
    }

    /// Whether the documents are those of other queries.
    fn other_queries(&self, other: &Self, what: SharedKind) -> Option<MismatchCause> {
        let all = |side: &Self| side.queries.values().flatten().copied().collect::<FxHashSet<&'a str>>();
        let (ours, theirs) = (all(self), all(other));
        let common = ours.intersection(&theirs).count();
        let documents = Shared { common, of: ours.len().min(theirs.len()) };
        let meet = documents.common > 0 && !documents.is_few();
        (meet && what == SharedKind::Documents).then_some(MismatchCause::OtherQueries)
    }
}

/// How many identifiers two sources share, and how many they could: as many as the smaller has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shared {
    /// Those that both have.
    pub common: usize,
    /// The most that both could have.
    pub of: usize,
}

impl Shared {
    /// Whether it is less than a tenth. False where nothing can be shared.
    pub fn is_few(self) -> bool {
        self.of > 0 && self.common.saturating_mul(10) < self.of
    }

    /// The documents that a query's ranking and its labels share.
    pub fn of_query<'d>(
        retrieved: impl ExactSizeIterator<Item = &'d str>,
        labels: &crate::TopicQrels,
    ) -> Self {
        let of = retrieved.len().min(labels.len());
        Self { common: retrieved.filter(|document| labels.contains_key(document)).count(), of }
    }
}

impl std::iter::Sum for Shared {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self { common: sum.common + one.common, of: sum.of + one.of })
    }
}

/// The kinds of identifiers that two sources share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SharedKind {
    Queries,
    Documents,
}

/// Why identifiers do not meet, as far as they show it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum MismatchCause {
    /// The column of queries and that of documents are exchanged in one source.
    Swapped,
    LeadingZeros,
    Decimals,
    Quotes,
    Case,
    WhiteSpace,
    /// One source writes this before each identifier.
    Prefix(String),
    /// One source writes this behind each identifier.
    Suffix(String),
    /// The documents are the same, and their queries are others.
    OtherQueries,
}

impl fmt::Display for MismatchCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Swapped => {
                f.write_str("one of the two has the columns of queries and documents the other way round")
            }
            Self::LeadingZeros => f.write_str("one of the two writes leading zeros"),
            Self::Decimals => f.write_str("one of the two writes whole numbers as decimals, with .0"),
            Self::Quotes => f.write_str("one of the two has quotation marks around identifiers"),
            Self::Case => f.write_str("the two differ in upper and lower case"),
            Self::WhiteSpace => f.write_str("one of the two has white space around identifiers"),
            Self::Prefix(prefix) => write!(f, "one of the two writes {prefix:?} before identifiers"),
            Self::Suffix(suffix) => write!(f, "one of the two writes {suffix:?} behind identifiers"),
            Self::OtherQueries => f.write_str(
                "the documents are the same but belong to other queries, so query identifiers differ",
            ),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Mismatch {
    what: SharedKind,
    names: [String; 2],
    ids: [String; 2],
    cause: Option<MismatchCause>,
}

impl Mismatch {
    /// An identifier of each, and the cause.
    fn details(&self) -> String {
        let ([ours, theirs], [a, b]) = (&self.names, &self.ids);
        let cause = match &self.cause {
            // Such as Vespa's `id:shop:product::B07` for a document whose field `sku` is B07.
            Some(cause @ (MismatchCause::Prefix(_) | MismatchCause::Suffix(_)))
                if self.what == SharedKind::Documents =>
            {
                format!(
                    "The likely cause: {cause}. Write identifiers alike in both, or name a field that has them so: \
                     --columns document=FIELD"
                )
            }
            Some(cause) => format!("The likely cause: {cause}. Write identifiers alike in both"),
            None => "Are both of the same collection, with identifiers written alike?".to_owned(),
        };
        format!("{ours} has {a:?}, {theirs} has {b:?}. {cause}")
    }
}

/// Two sources share nothing, so that they cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NothingShared(Box<Mismatch>);

impl std::error::Error for NothingShared {}

impl NothingShared {
    /// An identifier of each source, and the likely cause.
    pub fn details(&self) -> String {
        self.0.details()
    }
}

impl fmt::Display for NothingShared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [ours, theirs] = &self.0.names;
        let what = match self.0.what {
            SharedKind::Queries => "no query",
            SharedKind::Documents => "no document of their queries",
        };
        write!(f, "{ours} and {theirs} have {what} in common. {}", self.0.details())
    }
}

/// Two sources share little.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FewShared {
    shared: Shared,
    mismatch: Mismatch,
}

impl fmt::Display for FewShared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([ours, theirs], Shared { common, of }) = (&self.mismatch.names, self.shared);
        let what = match self.mismatch.what {
            SharedKind::Queries => "queries",
            SharedKind::Documents => "documents of their queries",
        };
        write!(
            f,
            "{ours} and {theirs} have only {common} of {of} {what} in common. {}",
            self.mismatch.details()
        )
    }
}

/// A cause whose removal would make at least a tenth of the identifiers equal. Each comes with its query, which is
/// equal already.
fn likely_cause(ours: &[(&str, &str)], theirs: &[(&str, &str)]) -> Option<MismatchCause> {
    type Normal = fn(&str) -> String;
    let written: [(MismatchCause, Normal); 5] = [
        (MismatchCause::WhiteSpace, |id| {
            id.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').to_owned()
        }),
        (MismatchCause::Quotes, |id| id.trim_matches(['"', '\'', '`', '“', '”', '‘', '’']).to_owned()),
        (MismatchCause::Case, str::to_lowercase),
        (MismatchCause::Decimals, |id| id.strip_suffix(".0").unwrap_or(id).to_owned()),
        (MismatchCause::LeadingZeros, without_leading_zeros),
    ];
    let of = ours.len().min(theirs.len());
    let meets = |common: usize| common > 0 && !Shared { common, of }.is_few();
    for (cause, normal) in written {
        let known: FxHashSet<(&str, String)> =
            theirs.iter().map(|(query, id)| (*query, normal(id))).collect();
        if meets(ours.iter().filter(|(query, id)| known.contains(&(*query, normal(id)))).count()) {
            return Some(cause);
        }
    }
    [(ours, theirs), (theirs, ours)].into_iter().find_map(|(long, short)| affix(long, short, meets))
}

/// The text that all identifiers of `long` have before or after those of `short`.
fn affix(
    long: &[(&str, &str)],
    short: &[(&str, &str)],
    meets: impl Fn(usize) -> bool,
) -> Option<MismatchCause> {
    let known: FxHashSet<(&str, &str)> = short.iter().copied().collect();
    // A few are enough to find the common part of all.
    for (query, id) in long.iter().take(100) {
        for (at, _) in id.char_indices().skip(1) {
            let (head, tail) = id.split_at(at);
            if known.contains(&(*query, tail)) {
                let rest = long.iter().filter_map(|(query, id)| Some((*query, id.strip_prefix(head)?)));
                if meets(rest.filter(|pair| known.contains(pair)).count()) {
                    return Some(MismatchCause::Prefix(head.to_owned()));
                }
            }
            if known.contains(&(*query, head)) {
                let rest = long.iter().filter_map(|(query, id)| Some((*query, id.strip_suffix(tail)?)));
                if meets(rest.filter(|pair| known.contains(pair)).count()) {
                    return Some(MismatchCause::Suffix(tail.to_owned()));
                }
            }
        }
    }
    None
}

/// The same without the zeros before each number in it.
fn without_leading_zeros(id: &str) -> String {
    let mut out = String::with_capacity(id.len());
    let mut rest = id.chars().peekable();
    let mut in_number = false;
    while let Some(c) = rest.next() {
        let leads = c == '0' && !in_number && rest.peek().is_some_and(char::is_ascii_digit);
        in_number = c.is_ascii_digit() && !leads;
        if !leads {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ours: &[(&str, &str)], theirs: &[(&str, &str)]) -> Result<Option<String>, String> {
        let [ours, theirs] = [("a.run", ours), ("b.qrels", theirs)]
            .map(|(name, pairs)| Identifiers::new(name, pairs.iter().map(|(query, id)| (*query, [*id]))));
        let few = ours.check_overlap(&theirs).map_err(|error| error.to_string())?;
        Ok(few.map(|few| few.to_string()))
    }

    #[test]
    fn identifiers_that_never_meet_are_an_error_with_their_likely_cause() {
        for (ours, theirs, cause) in [
            (("01", "d1"), ("1", "d1"), "leading zeros"),
            (("q1.0", "d1"), ("q1", "d1"), "with .0"),
            (("\"q1\"", "d1"), ("q1", "d1"), "quotation marks"),
            (("Q1", "d1"), ("q1", "d1"), "upper and lower case"),
            (("q1 ", "d1"), ("q1", "d1"), "white space"),
            (("d1", "q1"), ("q1", "d1"), "the other way round"),
            (("q1", "doc-7"), ("q1", "7"), "\"doc-\" before"),
            (
                ("q1", "id:s:p::7"),
                ("q1", "7"),
                "\"id:s:p::\" before identifiers. Write identifiers alike in both, or",
            ),
            (("q1", "id:s:p::7"), ("q1", "7"), "--columns document=FIELD"),
            (("q1", "d1"), ("q1", "d1.txt"), "\".txt\" behind"),
            (("q1", "MED-1"), ("q1", "med-1"), "upper and lower case"),
            (("q1", "d1"), ("q1", "z9"), "same collection"),
            (("q1", "d1"), ("z9", "x"), "same collection"),
        ] {
            let error = check(&[ours], &[theirs]).unwrap_err();
            assert!(error.contains(cause), "{error}");
            let (a, b) = if ours.0 == theirs.0 { (ours.1, theirs.1) } else { (ours.0, theirs.0) };
            assert!(error.contains(&format!("a.run has {a:?}, b.qrels has {b:?}")), "{error}");
        }
        let error = check(&[("1", "d2"), ("2", "d1")], &[("1", "d1"), ("2", "d2")]).unwrap_err();
        assert!(error.contains("belong to other queries"), "{error}");
    }

    #[test]
    fn less_than_a_tenth_is_a_warning_and_a_tenth_is_none() {
        let queries: Vec<String> = (1..=11).map(|at| format!("q{at}")).collect();
        let theirs: Vec<(&str, &str)> = queries.iter().map(|query| (query.as_str(), "d1")).collect();
        let with = |shared: usize, others: usize| {
            let mut ours = theirs[..shared].to_vec();
            ours.extend(["z1", "z2", "z3", "z4", "z5", "z6", "z7", "z8", "z9", "z10"].map(|z| (z, "d1")));
            ours.truncate(shared + others);
            check(&ours, &theirs).unwrap()
        };
        let few = with(1, 10).unwrap();
        assert!(few.contains("only 1 of 11 queries") && few.contains("a.run has \"z1\""), "{few}");
        assert_eq!(with(1, 9), None);
        assert_eq!(with(1, 0), None, "a small run of many labelled queries shares all that it can");
        assert_eq!(check(&[], &theirs).unwrap(), None, "an empty run is another remark");
    }
}

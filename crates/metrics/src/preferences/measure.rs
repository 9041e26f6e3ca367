//! The measures of preferences, by trec_eval's names.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::aggregation::Aggregation;

/// A measure of preferences. It is written and printed by trec_eval's name, given below for each.
///
/// Shares are from 0 to 1. The end of a name decides which preferences count: with `_ret` those whose documents are
/// both retrieved, with `_imp` those of which one is; otherwise all, those with neither document retrieved as not
/// fulfilled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::VariantArray)]
#[non_exhaustive]
pub enum PreferenceMeasure {
    /// The number of preferences; summed over queries: `prefs_num_prefs_poss`.
    Possible,
    /// The number of fulfilled preferences; summed over queries: `prefs_num_prefs_ful`.
    Fulfilled,
    /// The number of fulfilled preferences whose documents are both retrieved; summed over queries:
    /// `prefs_num_prefs_ful_ret`.
    FulfilledRet,
    /// The share of preferences that is fulfilled; every preference of every group counts once: `prefs_simp`.
    Simp,
    /// The same share for each pair of documents, then the mean over pairs: `prefs_pair`.
    Pair,
    /// The same share for each group, then the mean over groups; a group without preferences has 0: `prefs_avgjg`.
    AvgJg,
    /// `prefs_avgjg` with as many documents of level 0 in a group as there are relevant ones, R:
    /// `prefs_avgjg_Rnonrel`. Of more, the R best placed count; for each that is missing, every relevant document adds
    /// a preference, which is fulfilled if the document is retrieved.
    ///
    /// In a group of one subgroup with more than R of level 0, trec_eval also compares each of level 0 with each that
    /// it keeps, as if the first of such a pair were better (m_prefs_avgjg_Rnonrel.c). The measure has no other
    /// definition, so this one does the same. A query with a group in which nothing can be fulfilled has 0.
    AvgJgRnonrel,
    /// [`Simp`](Self::Simp) with both documents retrieved: `prefs_simp_ret`.
    SimpRet,
    /// [`Pair`](Self::Pair) with both documents retrieved: `prefs_pair_ret`.
    PairRet,
    /// [`AvgJg`](Self::AvgJg) with both documents retrieved: `prefs_avgjg_ret`.
    AvgJgRet,
    /// [`AvgJgRnonrel`](Self::AvgJgRnonrel) with both documents retrieved, where R is the number of relevant ones that
    /// are: `prefs_avgjg_Rnonrel_ret`. As in trec_eval, missing documents of level 0 are added for every relevant
    /// document, retrieved or not, and a group of several subgroups keeps as many of level 0 as it has relevant ones,
    /// retrieved or not.
    AvgJgRnonrelRet,
    /// [`Simp`](Self::Simp) with one of the documents retrieved: `prefs_simp_imp`.
    SimpImp,
    /// [`Pair`](Self::Pair) with one of the documents retrieved: `prefs_pair_imp`.
    PairImp,
    /// [`AvgJg`](Self::AvgJg) with one of the documents retrieved: `prefs_avgjg_imp`.
    AvgJgImp,
}

impl PreferenceMeasure {
    /// All measures, in trec_eval's order: its `-m all_prefs`.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// trec_eval's `-m prefs`.
    pub const MAIN: [Self; 6] =
        [Self::Possible, Self::Fulfilled, Self::FulfilledRet, Self::Simp, Self::Pair, Self::AvgJg];

    /// trec_eval's name.
    pub fn name(self) -> &'static str {
        self.definition().0
    }

    /// How the figures of the queries become that of a run: counts are summed, shares averaged.
    pub fn aggregation(self) -> Aggregation {
        match self.counted() {
            Counted::Possible | Counted::Fulfilled => Aggregation::Sum,
            Counted::Share | Counted::PairShare | Counted::GroupShare | Counted::RnonrelShare => {
                Aggregation::Mean
            }
        }
    }

    /// The counted things, or those whose share is taken.
    pub(super) fn counted(self) -> Counted {
        self.definition().1
    }

    /// Which preferences count.
    pub(super) fn scope(self) -> Scope {
        self.definition().2
    }

    /// trec_eval's name, the counted things, and the preferences that count.
    fn definition(self) -> (&'static str, Counted, Scope) {
        use Scope::{All, BothRetrieved, OneRetrieved};
        match self {
            Self::Possible => ("prefs_num_prefs_poss", Counted::Possible, All),
            Self::Fulfilled => ("prefs_num_prefs_ful", Counted::Fulfilled, All),
            Self::FulfilledRet => ("prefs_num_prefs_ful_ret", Counted::Fulfilled, BothRetrieved),
            Self::Simp => ("prefs_simp", Counted::Share, All),
            Self::Pair => ("prefs_pair", Counted::PairShare, All),
            Self::AvgJg => ("prefs_avgjg", Counted::GroupShare, All),
            Self::AvgJgRnonrel => ("prefs_avgjg_Rnonrel", Counted::RnonrelShare, All),
            Self::SimpRet => ("prefs_simp_ret", Counted::Share, BothRetrieved),
            Self::PairRet => ("prefs_pair_ret", Counted::PairShare, BothRetrieved),
            Self::AvgJgRet => ("prefs_avgjg_ret", Counted::GroupShare, BothRetrieved),
            Self::AvgJgRnonrelRet => ("prefs_avgjg_Rnonrel_ret", Counted::RnonrelShare, BothRetrieved),
            Self::SimpImp => ("prefs_simp_imp", Counted::Share, OneRetrieved),
            Self::PairImp => ("prefs_pair_imp", Counted::PairShare, OneRetrieved),
            Self::AvgJgImp => ("prefs_avgjg_imp", Counted::GroupShare, OneRetrieved),
        }
    }
}

/// The things that a measure of preferences counts, or of which it takes the fulfilled share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// All preferences.
    Possible,
    /// The fulfilled ones.
    Fulfilled,
    /// The share of all preferences together.
    Share,
    /// The mean over pairs of documents of the share of each.
    PairShare,
    /// The mean over groups of the share of each.
    GroupShare,
    /// The same with as many documents of level 0 as there are relevant ones.
    RnonrelShare,
}

impl fmt::Display for PreferenceMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that is not the name of a measure of preferences.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no measure of preferences is called {name:?}. There are {}",
    PreferenceMeasure::ALL.iter().map(|measure| measure.name()).collect::<Vec<_>>().join(", ")
)]
pub struct UnknownPreferenceMeasure {
    /// The text.
    pub name: String,
}

impl FromStr for PreferenceMeasure {
    type Err = UnknownPreferenceMeasure;

    /// Upper and lower case are the same.
    fn from_str(text: &str) -> Result<Self, UnknownPreferenceMeasure> {
        let known = Self::ALL.iter().find(|measure| measure.name().eq_ignore_ascii_case(text.trim()));
        known.copied().ok_or_else(|| UnknownPreferenceMeasure { name: text.to_owned() })
    }
}

impl Serialize for PreferenceMeasure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for PreferenceMeasure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Which preferences count, by how many of their two documents are retrieved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// All; a preference is not fulfilled if neither document is retrieved.
    All,
    /// Those with both documents retrieved: trec_eval's `_ret`.
    BothRetrieved,
    /// Those with at least one document retrieved: trec_eval's `_imp`.
    OneRetrieved,
}

//! What can be measured under preferences, by trec_eval's names.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::aggregation::Aggregation;

/// A measure of preferences. It is written and printed by trec_eval's name, which stands behind each.
///
/// Shares are from 0 to 1. What they count of a preference when not both of its documents are retrieved is in the name: `_ret` leaves it out,
/// `_imp` counts it if one of them is, and without either it counts, too, as not fulfilled, if none of them is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PreferenceMeasure {
    /// How many preferences there are; summed over topics: `prefs_num_prefs_poss`.
    Possible,
    /// How many of them are fulfilled; summed over topics: `prefs_num_prefs_ful`.
    Fulfilled,
    /// How many are fulfilled whose documents are both retrieved; summed over topics: `prefs_num_prefs_ful_ret`.
    FulfilledRet,
    /// The share of preferences that is fulfilled, every preference of every group counting once: `prefs_simp`.
    Simp,
    /// The same share for each pair of documents, then the mean over pairs: `prefs_pair`.
    Pair,
    /// The same share for each group, then the mean over groups, a group without preferences having 0: `prefs_avgjg`.
    AvgJg,
    /// `prefs_avgjg` with as many documents of level 0 in a group as there are others, R: `prefs_avgjg_Rnonrel`. Of more, the R best placed count; for
    /// each that lacks, every relevant document adds a preference, which is fulfilled if the document is retrieved.
    ///
    /// In a group of one subgroup with more than R of level 0, trec_eval also compares each of level 0 with each that it keeps, as if
    /// the first of such a pair were better (m_prefs_avgjg_Rnonrel.c). The measure has no other definition, so it is so here. A
    /// topic with a group in which nothing can be fulfilled has 0.
    AvgJgRnonrel,
    /// [`Simp`](Self::Simp) where both documents are retrieved: `prefs_simp_ret`.
    SimpRet,
    /// [`Pair`](Self::Pair) where both documents are retrieved: `prefs_pair_ret`.
    PairRet,
    /// [`AvgJg`](Self::AvgJg) where both documents are retrieved: `prefs_avgjg_ret`.
    AvgJgRet,
    /// [`AvgJgRnonrel`](Self::AvgJgRnonrel) where both documents are retrieved, R being how many relevant ones are: `prefs_avgjg_Rnonrel_ret`. As in
    /// trec_eval, what lacks is added for every relevant document, retrieved or not, and a group of several subgroups keeps as many of level 0
    /// as it has relevant ones, retrieved or not.
    AvgJgRnonrelRet,
    /// [`Simp`](Self::Simp) where one of the documents is retrieved: `prefs_simp_imp`.
    SimpImp,
    /// [`Pair`](Self::Pair) where one of the documents is retrieved: `prefs_pair_imp`.
    PairImp,
    /// [`AvgJg`](Self::AvgJg) where one of the documents is retrieved: `prefs_avgjg_imp`.
    AvgJgImp,
}

impl PreferenceMeasure {
    /// All of them, in trec_eval's order: its `-m all_prefs`.
    pub const ALL: [Self; 14] = [
        Self::Possible,
        Self::Fulfilled,
        Self::FulfilledRet,
        Self::Simp,
        Self::Pair,
        Self::AvgJg,
        Self::AvgJgRnonrel,
        Self::SimpRet,
        Self::PairRet,
        Self::AvgJgRet,
        Self::AvgJgRnonrelRet,
        Self::SimpImp,
        Self::PairImp,
        Self::AvgJgImp,
    ];

    /// trec_eval's `-m prefs`.
    pub const MAIN: [Self; 6] =
        [Self::Possible, Self::Fulfilled, Self::FulfilledRet, Self::Simp, Self::Pair, Self::AvgJg];

    /// trec_eval's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Possible => "prefs_num_prefs_poss",
            Self::Fulfilled => "prefs_num_prefs_ful",
            Self::FulfilledRet => "prefs_num_prefs_ful_ret",
            Self::Simp => "prefs_simp",
            Self::Pair => "prefs_pair",
            Self::AvgJg => "prefs_avgjg",
            Self::AvgJgRnonrel => "prefs_avgjg_Rnonrel",
            Self::SimpRet => "prefs_simp_ret",
            Self::PairRet => "prefs_pair_ret",
            Self::AvgJgRet => "prefs_avgjg_ret",
            Self::AvgJgRnonrelRet => "prefs_avgjg_Rnonrel_ret",
            Self::SimpImp => "prefs_simp_imp",
            Self::PairImp => "prefs_pair_imp",
            Self::AvgJgImp => "prefs_avgjg_imp",
        }
    }

    /// How the figures of the topics become that of a run: counts are summed, shares averaged.
    pub fn aggregation(self) -> Aggregation {
        match self {
            Self::Possible | Self::Fulfilled | Self::FulfilledRet => Aggregation::Sum,
            _ => Aggregation::Mean,
        }
    }
}

impl fmt::Display for PreferenceMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text is not the name of a measure of preferences.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no measure of preferences is called {name:?}. There are {}", PreferenceMeasure::ALL.map(PreferenceMeasure::name).join(", "))]
pub struct UnknownPreferenceMeasure {
    /// What was written.
    pub name: String,
}

impl FromStr for PreferenceMeasure {
    type Err = UnknownPreferenceMeasure;

    /// Upper and lower case are not told apart.
    fn from_str(text: &str) -> Result<Self, UnknownPreferenceMeasure> {
        let known = Self::ALL.into_iter().find(|measure| measure.name().eq_ignore_ascii_case(text.trim()));
        known.ok_or_else(|| UnknownPreferenceMeasure { name: text.to_owned() })
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

//! The definition of a measure.
//!
//! It has names, parameters, range, source, and the function that computes it.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;

use llull_core::Grade;

use crate::aggregation::Aggregation;
use crate::graded_ranking::GradedRanking;
use crate::parameters::{Parameter, Parameters};

/// A measure without values of its parameters: all that is known of it. Two are equal if their names are.
///
/// ```
/// use llull_metrics::definitions;
///
/// let ndcg = definitions().find(|definition| definition.name() == "nDCG").unwrap();
/// assert!(ndcg.aliases().any(|alias| alias == "ndcg_cut"));
/// assert_eq!(ndcg.parameters().collect::<Vec<_>>(), ["dcg", "gains", "min_rel", "judged_only", "unjudged"]);
/// assert_eq!(ndcg.range().to_string(), "0 to 1");
/// ```
pub struct Definition {
    /// As it is printed.
    pub(crate) name: &'static str,
    /// One sentence.
    pub(crate) summary: &'static str,
    /// The paper or program that defines it.
    pub(crate) source: &'static str,
    /// The values that it can have for one query.
    pub(crate) range: ValueRange,
    /// The function that computes it for one query.
    pub(crate) value: fn(&GradedRanking<'_>, &Parameters) -> f64,
    /// Its other names: those of ir_measures, trec_eval and ranx, and common ones.
    pub(crate) aliases: &'static [Alias],
    /// Names behind which a parameter is written.
    pub(crate) written_behind: &'static [WrittenBehind],
    /// The parameters in parentheses, in the order in which they are printed.
    pub(crate) parameters: &'static [Parameter],
    /// The values of its parameters if none are given.
    pub(crate) defaults: Parameters,
    /// The kind of text after the `@`.
    pub(crate) suffix: Suffix,
    /// The notation with its required parameters; empty if that is the name.
    pub(crate) example: &'static str,
    /// The rank beyond which it does not look.
    pub(crate) depth: Depth,
    /// In which order it reads documents of one score.
    pub(crate) ties: Ties,
    /// The part of the labels that it reads if `rel` draws no line among them.
    pub(crate) labels: LabelsRead,
    /// How it is a sum over retrieved documents, if it is one.
    pub(crate) linear: Option<&'static Linear>,
    /// How it is such a sum, divided by the largest one that the labels of the query allow.
    pub(crate) divided: Option<&'static Linear>,
    /// The share in the value of each document that it reads, if it is a sum over documents. Not needed if
    /// [`linear`](Self::linear) is set.
    pub(crate) shares: Option<fn(&GradedRanking<'_>, &Parameters) -> Vec<f64>>,
    /// Whether it reads labels of retrieved documents only.
    pub(crate) retrieved_only: bool,
    /// Whether it is computed for a query without retrieved documents, too, and not simply 0.
    pub(crate) computed_without_documents: bool,
    /// How the values of the queries become that of a run.
    pub(crate) aggregation: Aggregation,
    /// Whether a single query has a value that means something.
    pub(crate) has_query_values: bool,
    /// Whether a larger value is better.
    pub(crate) ranks_systems: fn(&Parameters) -> bool,
    /// The choice that it makes where tools differ.
    pub(crate) convention: fn(&Parameters) -> Option<String>,
    /// trec_eval's name; not used if `unjudged` is set, or if `rel` is not trec_eval's level.
    pub(crate) trec_eval_name: fn(&Parameters) -> Option<String>,
    /// trec_eval's name of the mean over several judges, with the same conditions.
    pub(crate) trec_eval_name_over_judges: fn(&Parameters) -> Option<String>,
}

impl Definition {
    /// The values that most measures share.
    pub(crate) const USUAL: Self = Self {
        name: "",
        summary: "",
        source: "",
        range: ValueRange::Unit,
        value: |_, _| 0.0,
        aliases: &[],
        written_behind: &[],
        parameters: &[],
        defaults: Parameters::NONE,
        suffix: Suffix::None,
        example: "",
        depth: Depth::Cutoff,
        ties: Ties::Descending,
        labels: LabelsRead::Grades,
        linear: None,
        divided: None,
        shares: None,
        retrieved_only: false,
        computed_without_documents: false,
        aggregation: Aggregation::Mean,
        has_query_values: true,
        ranks_systems: |_| true,
        convention: |_| None,
        trec_eval_name: |_| None,
        trec_eval_name_over_judges: |_| None,
    };

    /// The name without parameters, such as `nDCG`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The description of the measure, in a sentence.
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// The paper or program that defines it.
    pub fn source(&self) -> &'static str {
        self.source
    }

    /// The notation with its required parameters: `P@10`.
    pub fn example(&self) -> &'static str {
        if self.example.is_empty() { self.name } else { self.example }
    }

    /// The values that it can have for one query.
    pub fn range(&self) -> ValueRange {
        self.range
    }

    /// Its other names, in lower case: those of trec_eval and ranx, and common ones.
    pub fn aliases(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.aliases.iter().map(|alias| alias.name)
    }

    /// The names of its parameters in parentheses, in the order in which they are printed.
    pub fn parameters(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.parameters.iter().map(|parameter| parameter.name)
    }

    /// The values of its parameters if none are given.
    pub fn defaults(&self) -> Parameters {
        self.defaults
    }

    /// Whether it can have a cutoff.
    pub fn takes_cutoff(&self) -> bool {
        matches!(self.suffix, Suffix::OptionalCutoff | Suffix::Cutoff)
    }

    /// Whether it is read at a recall level.
    pub fn takes_recall_level(&self) -> bool {
        self.suffix == Suffix::RecallLevel
    }

    /// The parameter in parentheses of this name.
    pub(crate) fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Definition {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Definition {}

impl Hash for Definition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// Another name of a measure. Upper and lower case are the same but for [`Meaning::ExactCase`].
pub(crate) struct Alias {
    pub(crate) name: &'static str,
    pub(crate) meaning: Meaning,
    /// Whether a measure of this name is printed under it. trec_eval's names are not echoed: they are those of
    /// `--format trec`.
    pub(crate) is_echoed: bool,
}

/// The meaning of an alias besides the measure.
#[derive(Clone, Copy)]
pub(crate) enum Meaning {
    /// Nothing.
    Same,
    /// A parameter, as in `rel=1`.
    With(&'static str),
    /// A parameter; only the name in lower case means it.
    ExactCase(&'static str),
    /// Nothing; it needs a cutoff, though the measure does not.
    NeedsCutoff,
    /// Nothing; without a cutoff it means the measure of this name, which has the same parameters.
    WithoutCutoff(&'static str),
}

impl Alias {
    pub(crate) const fn same(name: &'static str) -> Self {
        Self { name, meaning: Meaning::Same, is_echoed: false }
    }

    pub(crate) const fn with(name: &'static str, parameter: &'static str) -> Self {
        Self { name, meaning: Meaning::With(parameter), is_echoed: false }
    }

    pub(crate) const fn exact_case(name: &'static str, parameter: &'static str) -> Self {
        Self { name, meaning: Meaning::ExactCase(parameter), is_echoed: false }
    }

    pub(crate) const fn needs_cutoff(name: &'static str) -> Self {
        Self { name, meaning: Meaning::NeedsCutoff, is_echoed: false }
    }

    pub(crate) const fn without_cutoff(name: &'static str, other: &'static str) -> Self {
        Self { name, meaning: Meaning::WithoutCutoff(other), is_echoed: false }
    }

    /// The same name, under which the measure is printed, too.
    pub(crate) const fn echoed(self) -> Self {
        Self { is_echoed: true, ..self }
    }

    /// Whether `written` is this name.
    pub(crate) fn is(&self, written: &str) -> bool {
        match self.meaning {
            Meaning::ExactCase(_) => self.name == written,
            _ => self.name.eq_ignore_ascii_case(written),
        }
    }
}

/// trec_eval's and ranx's way to write a parameter that is not a cutoff: behind a name and one of `_` and `.`, as in
/// `set_F_0.5` and `rbp.95`.
pub(crate) struct WrittenBehind {
    /// The name, one of the measure's own, in the case in which it is written.
    pub(crate) name: &'static str,
    /// The arguments that a text from the `_` or `.` on stands for; `None` if it is no parameter.
    pub(crate) arguments: fn(&str) -> Option<String>,
}

/// The part of the labels that a measure reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LabelsRead {
    /// Which documents are relevant, by a lowest grade.
    Relevance,
    /// The gain of each grade.
    Grades,
    /// Which documents were judged: those with a grade of 0 or more.
    Judged,
    /// Which grades are above 0, and which of two is higher.
    Order,
    /// The documents with a label, whatever the label.
    Presence,
    /// Nothing.
    Nothing,
}

/// The sum of a linear measure over retrieved documents: Σ weight(rank) · worth(grade).
pub(crate) struct Linear {
    /// The weight of a rank, from 1, in a list of this length.
    pub(crate) weight: fn(usize, usize, &Parameters) -> f64,
    /// The worth of a document with this label; one without a label is worth 0.
    pub(crate) worth: fn(Grade, &Parameters) -> f64,
}

/// The values that a measure can have for one query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueRange {
    /// From 0 to 1.
    Unit,
    /// 0 and more.
    NotNegative,
    /// Any number.
    Any,
}

impl ValueRange {
    /// The least and the greatest value.
    pub fn bounds(self) -> RangeInclusive<f64> {
        match self {
            Self::Unit => 0.0..=1.0,
            Self::NotNegative => 0.0..=f64::INFINITY,
            Self::Any => f64::NEG_INFINITY..=f64::INFINITY,
        }
    }
}

impl fmt::Display for ValueRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Unit => "0 to 1",
            Self::NotNegative => "0 and more",
            Self::Any => "any",
        })
    }
}

/// The kinds of text after the `@` of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Suffix {
    /// Nothing.
    None,
    /// A cutoff, or nothing for the whole list.
    OptionalCutoff,
    /// A cutoff.
    Cutoff,
    /// A share of the relevant documents.
    RecallLevel,
}

/// The rank beyond which a measure does not look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Its cutoff; the whole list if it has none.
    Cutoff,
    /// This rank.
    Rank(usize),
    /// It does not read the ranking.
    Zero,
}

/// In which order a measure reads documents of one score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ties {
    /// That of the [`Ranking`](llull_core::Ranking): descending by identifier, as in trec_eval.
    Descending,
    /// Ascending by identifier.
    Ascending,
}

//! The definition of a measure.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::alias::{Alias, WrittenBehind};
use super::labels::LabelsRead;
use super::linear::Linear;
use super::range::ValueRange;
use super::reach::{Depth, Suffix, Ties};
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

//! A measure with its parameters.

use std::hash::{Hash, Hasher};

use llull_core::Grade;

use crate::aggregation::Aggregation;
use crate::definition::{Definition, Depth, LabelsRead, Ties};
use crate::graded_ranking::above;
use crate::parameters::{Cutoff, Gain, MIN_REL, Parameters, Relevant, Unjudged};

/// A measure with its parameters.
///
/// It is written, printed and serialised by its name in ir_measures' notation, without the parameters that are at their
/// defaults; every measure parses back from its printed name. One that was parsed from a name of evret or ranx, such as
/// `HitRate@4` or `Recall@4`, prints under that name, and equals the measure of the other name. A measure that only
/// trec_eval has prints under trec_eval's name. [`definitions`](crate::definitions) lists all of them.
///
/// ```
/// use llull_metrics::Measure;
///
/// for (written, name) in [
///     ("nDCG@10", "nDCG@10"),
///     ("nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@10"),
///     ("AP(rel=1)", "AP"),
///     ("map_cut_100", "AP@100"),
///     ("recip_rank", "RR"),
///     ("HitRate@5", "HitRate@5"),
///     ("RBP", "RBP(p=0.8)"),
///     ("iprec_at_recall_0.10", "IPrec(rounding='nearest')@0.1"),
///     ("AP(judged_only=True)", "AP(judged_only=True)"),
/// ] {
///     assert_eq!(written.parse::<Measure>()?.to_string(), name);
/// }
/// let error = "nDGC@10".parse::<Measure>().unwrap_err().to_string();
/// assert!(error.contains("did you mean nDCG@10?"), "{error}");
/// # Ok::<(), llull_metrics::MeasureError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    definition: &'static Definition,
    parameters: Parameters,
    /// The name that was written, if it is another one and is echoed.
    pub(crate) alias: Option<&'static str>,
}

/// Measures are equal whatever they are called.
impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        self.definition == other.definition && self.parameters == other.parameters
    }
}

impl Eq for Measure {}

impl Hash for Measure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.definition.hash(state);
        self.parameters.hash(state);
    }
}

impl Measure {
    /// The measure with these parameters, which must be valid for it.
    pub(crate) fn unchecked(definition: &'static Definition, parameters: Parameters) -> Self {
        Self { definition, parameters, alias: None }
    }

    /// The same measure, printed under this alias.
    pub(crate) fn called(self, alias: Option<&'static str>) -> Self {
        Self { alias, ..self }
    }

    /// The measure without its parameters.
    pub fn definition(&self) -> &'static Definition {
        self.definition
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The name without parameters, such as `nDCG`.
    pub fn family(&self) -> &'static str {
        self.definition.name
    }

    /// The cutoff in its name; `None` for a measure of the whole list.
    pub fn cutoff(&self) -> Option<Cutoff> {
        self.parameters.cutoff
    }

    /// The deepest rank that it reads: its cutoff, or 1,000 for Compat, INSQ and INST; `None` if it reads the whole
    /// list. A measure of a condensed list ([`Unjudged::Excluded`]) reads beyond its cutoff.
    pub fn depth(&self) -> Option<usize> {
        match self.definition.depth {
            Depth::Rank(rank) => Some(rank),
            Depth::Zero => None,
            Depth::Cutoff if self.unjudged() == Unjudged::Excluded => None,
            Depth::Cutoff => self.cutoff().map(|cutoff| cutoff.rank() as usize),
        }
    }

    /// How many documents of a run must be read so that the measure misses nothing; `None` for all of them. It is
    /// [`depth`](Self::depth), except for Compat, whose order of tied scores is not the official one.
    pub fn reads(&self) -> Option<usize> {
        match self.definition.ties {
            Ties::Descending => self.depth(),
            Ties::Ascending => None,
        }
    }

    /// The part of the labels that it reads.
    pub fn labels_read(&self) -> LabelsRead {
        self.relevant().map_or(self.definition.labels, |_| LabelsRead::Relevance)
    }

    /// Whether grades could be any numbers in the same order. The measure then uses at most which of two is higher,
    /// which are above 0 and which exist: Compat, and measures that count documents or labels whatever their grade
    /// (`Judged`, `NumQ`, `NumRet` without `rel`).
    pub fn reads_only_order(&self) -> bool {
        match self.labels_read() {
            LabelsRead::Order | LabelsRead::Presence | LabelsRead::Nothing => true,
            LabelsRead::Relevance | LabelsRead::Grades | LabelsRead::Judged => false,
        }
    }

    /// The lowest grade that counts as relevant, for measures that draw such a line.
    pub fn relevant(&self) -> Option<Relevant> {
        self.parameters.rel
    }

    /// The treatment of a retrieved document without a label. It is [`Unjudged::NotRelevant`] for Bpref and infAP,
    /// whose definitions have their own treatment, and for measures that use only whether there is a label.
    pub fn unjudged(&self) -> Unjudged {
        self.parameters.unjudged
    }

    /// How the figures of the queries become that of a run.
    pub fn aggregation(&self) -> Aggregation {
        self.definition.aggregation
    }

    /// Whether a larger value is a better one for the run. This does not hold for counts of missing labels (`unj`,
    /// `RBPResidual`, `num_nonrel_judged_ret`) and for mere counts (`NumQ`, `NumRel`, `NumRet` without `rel`); no
    /// system should be ranked by these.
    pub fn ranks_systems(&self) -> bool {
        (self.definition.ranks_systems)(&self.parameters)
    }

    /// Whether a single query has a figure that means something. Not so for the number of queries and for geometric
    /// means, of which trec_eval prints nothing for single queries.
    pub fn has_topic_figures(&self) -> bool {
        self.definition.has_query_values
    }

    /// The measure with `level` as the lowest grade that counts as relevant, trec_eval's `-l`. A measure whose name
    /// gives another grade than 1 keeps that; one that draws no such line (nDCG, Judged, `RBP(max_rel=3)`, `NumRet`)
    /// stays as it is.
    ///
    /// ```
    /// use llull_metrics::{Measure, Relevant};
    ///
    /// let level = Relevant::from_grade(2).unwrap();
    /// for (name, at_level) in [
    ///     ("map", "AP(rel=2)"),
    ///     ("P_5", "P(rel=2)@5"),
    ///     ("AP(rel=3)", "AP(rel=3)"),
    ///     ("nDCG@10", "nDCG@10"),
    /// ] {
    ///     assert_eq!(name.parse::<Measure>()?.at_level(level).to_string(), at_level);
    /// }
    /// # Ok::<(), llull_metrics::MeasureError>(())
    /// ```
    #[must_use]
    pub fn at_level(mut self, level: Relevant) -> Self {
        if self.relevant() == Some(Relevant::default()) {
            self.parameters.rel = Some(level);
        }
        self
    }

    /// Whether it reads the worth of grades, and leaves open which grade is the lowest of the scale.
    pub fn leaves_lowest_open(&self) -> bool {
        self.definition.parameter(MIN_REL.name).is_some()
            && self.parameters.min_rel == 0
            && self.relevant().is_none()
            && !matches!(self.parameters.gain, Gain::Custom(_))
    }

    /// The measure on a scale with this lowest grade, from which grades are counted, so that the lowest gains nothing.
    /// A measure that reads no grades, names a lowest one or has a table of gains stays as it is, and so does one on a
    /// scale that starts at 0 or below.
    ///
    /// ```
    /// use llull_metrics::Measure;
    ///
    /// for (name, here) in [
    ///     ("nDCG@10", "nDCG(min_rel=1)@10"),
    ///     ("ERR@10", "ERR(min_rel=1)@10"),
    ///     ("nDCG(gains={1:0,2:5})", "nDCG(gains={1:0,2:5})"),
    ///     ("RR@10", "RR@10"),
    /// ] {
    ///     assert_eq!(name.parse::<Measure>()?.on_scale_from(1).to_string(), here);
    /// }
    /// # Ok::<(), llull_metrics::MeasureError>(())
    /// ```
    #[must_use]
    pub fn on_scale_from(mut self, lowest: Grade) -> Self {
        let fits = self.parameters.max_rel.is_none_or(|highest| highest.grade() > lowest);
        if lowest > 0 && fits && self.leaves_lowest_open() {
            self.parameters.min_rel = lowest;
        }
        self
    }

    /// The measure of labels whose grades are counted in parts, so many to a grade: its figure is that of fractional
    /// grades. `None` if it tells relevant documents from others, which whole grades decide, has a worth for whole
    /// grades only, or its figure depends on the unit: P, gains other than the grade, DCG, ERR.
    ///
    /// ```
    /// use llull_metrics::Measure;
    ///
    /// let tenths = |name: &str| Some(name.parse::<Measure>().ok()?.in_parts(10)?.to_string());
    /// assert_eq!(tenths("nDCG(min_rel=1)@10").as_deref(), Some("nDCG(min_rel=10)@10"));
    /// assert_eq!((tenths("P(rel=2)@5"), tenths("ERR@10")), (None, None));
    /// ```
    pub fn in_parts(mut self, parts: Grade) -> Option<Self> {
        let (definition, parameters) = (self.definition, &mut self.parameters);
        parameters.min_rel = parameters.min_rel.checked_mul(parts)?;
        let is_divided = definition.divided.is_some() && parameters.gain == Gain::Linear;
        match definition.labels {
            LabelsRead::Grades if is_divided && parameters.rel.is_none() => Some(self),
            LabelsRead::Order => Some(self),
            _ => None,
        }
    }

    /// The highest grade that it distinguishes from lower ones; `None` if there is no such grade.
    pub fn highest_grade(&self) -> Option<Grade> {
        self.parameters.max_rel.map(|highest| highest.grade())
    }

    /// Whether a document of this grade is worth something to it. `None` if no grade makes a document worth more than
    /// another, for example if documents or labels are counted.
    pub(crate) fn is_worth(&self, grade: Grade) -> Option<bool> {
        match self.labels_read() {
            _ if !self.ranks_systems() => None,
            LabelsRead::Relevance => self.relevant().map(|level| grade >= level.grade()),
            LabelsRead::Grades => Some(self.parameters.gain.of(above(grade, self.parameters.min_rel)) > 0.0),
            LabelsRead::Order => Some(grade > 0),
            LabelsRead::Judged | LabelsRead::Presence | LabelsRead::Nothing => None,
        }
    }
}

impl Measure {
    /// The choices of the measure on which tools differ, in a few words, such as `gain = grade` for nDCG; `None` if
    /// tools agree. `docs/reference/measures.md` compares the tools.
    ///
    /// ```
    /// let convention = |name: &str| name.parse::<llull_metrics::Measure>().map(|measure| measure.convention());
    /// assert_eq!(convention("nDCG@10")?.as_deref(), Some("gain = grade"));
    /// assert_eq!(convention("ERR@20")?.as_deref(), Some("highest grade 4"));
    /// assert_eq!(convention("AP")?, None);
    /// assert_eq!(convention("AP(judged_only=True)")?.as_deref(), Some("documents without a label are left out"));
    /// # Ok::<(), llull_metrics::MeasureError>(())
    /// ```
    pub fn convention(&self) -> Option<String> {
        let unjudged = match self.unjudged() {
            Unjudged::NotRelevant => None,
            Unjudged::Excluded => Some("documents without a label are left out".to_owned()),
            Unjudged::Best => Some("documents without a label count as the best".to_owned()),
        };
        let lowest = self.parameters().min_rel;
        let counted = (lowest > 0).then(|| format!("grades count from {lowest}, which gains nothing"));
        let own = (self.definition().convention)(self.parameters());
        let choices: Vec<String> = own.into_iter().chain(counted).chain(unjudged).collect();
        if choices.is_empty() { None } else { Some(choices.join(", ")) }
    }
}

impl Measure {
    /// The name that trec_eval 10 prints for the measure with `-l level`; `None` if it has no such measure, defines it
    /// in another way, or prints a name of another measure (`Rprec(mult=0.333)` would be its `Rprec_mult_0.33`).
    ///
    /// A measure that draws a line between relevant and not has a name only at its own level. The name at level 1
    /// parses back to the measure. RBP counts as trec_eval's `rbp`, which is the same only for grades of 0 and 1, and
    /// on which `-l` has no effect.
    ///
    /// ```
    /// use llull_metrics::{Measure, Relevant};
    ///
    /// let name = |measure: &str, level| {
    ///     let measure: Measure = measure.parse().unwrap();
    ///     measure.trec_eval_name(Relevant::from_grade(level).unwrap())
    /// };
    /// assert_eq!(name("nDCG@10", 1).as_deref(), Some("ndcg_cut_10"));
    /// assert_eq!(name("AP(rel=2)", 2).as_deref(), Some("map"));
    /// assert_eq!(name("AP(rel=2)", 1), None);
    /// assert_eq!(name("IPrec@0.1", 1), None, "trec_eval 10 rounds to the nearest document");
    /// assert_eq!(name("IPrec(rounding='nearest')@0.1", 1).as_deref(), Some("iprec_at_recall_0.10"));
    /// assert_eq!(name("ERR@20", 1), None);
    /// ```
    pub fn trec_eval_name(&self, level: Relevant) -> Option<String> {
        let name = self.definition().trec_eval_name;
        name(self.parameters()).filter(|_| self.is_at_level(level))
    }

    /// trec_eval's name of the mean over several judges ([`evaluate_judges`](crate::evaluate_judges)): `map_avgjg`,
    /// `P_avgjg_5`, `Rprec_mult_avgjg_0.20`. `None` for measures that it does not average over judges.
    pub fn trec_eval_name_over_judges(&self, level: Relevant) -> Option<String> {
        let name = self.definition().trec_eval_name_over_judges;
        name(self.parameters()).filter(|_| self.is_at_level(level))
    }

    /// Whether trec_eval can measure it with `-l level`.
    fn is_at_level(&self, level: Relevant) -> bool {
        self.unjudged() == Unjudged::NotRelevant
            && self.parameters().min_rel == 0
            && self.relevant().is_none_or(|rel| rel == level)
    }
}

//! The choices of a measure on which tools differ.

use crate::measure::Measure;
use crate::parameters::Unjudged;

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

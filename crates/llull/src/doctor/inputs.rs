//! What comes before judging: rubric, topics, systems, the pool.

use llull_core::Ranking;

use super::findings::{Findings, Severity};
use crate::inputs::Inputs;
use crate::part::Part;

impl Findings {
    pub(super) fn inputs(&mut self, inputs: &Inputs) {
        let (rubric, scale) = (&inputs.rubric, inputs.rubric.scale);
        self.fine(
            &Part::Rubric,
            format!(
                "{:?}, grades {} to {}, relevant from {}",
                rubric.name,
                scale.low(),
                scale.high(),
                rubric.cutoff
            ),
        );
        self.fine(&Part::Topics, format!("{} queries", inputs.topics.len()));
        for (run, contribution) in inputs.runs.iter().zip(inputs.pool.contributions()) {
            let unanswered = inputs
                .topics
                .iter()
                .filter(|topic| run.ranking(&topic.id).is_none_or(Ranking::is_empty))
                .count();
            let text = format!("{} queries answered, {} pairs in the pool", run.len(), contribution.pairs);
            let part = Part::System(run.name.clone());
            match unanswered {
                0 => self.fine(&part, text),
                1 => self.add(
                    Severity::Warning,
                    &part,
                    format!("{text}; 1 query is not answered and counts as 0"),
                ),
                n => self.add(
                    Severity::Warning,
                    &part,
                    format!("{text}; {n} queries are not answered and count as 0"),
                ),
            }
        }
        self.fine(&Part::Pool, format!("{} pairs at depth {}", inputs.pool.pairs(), inputs.pool.depth));
        self.notes(&inputs.notes);
        if let Some(labels) = &inputs.reference {
            self.fine(&Part::Reference, format!("{} labels", labels.pairs()));
        }
    }
}

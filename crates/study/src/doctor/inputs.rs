//! Checks the inputs of judging: rubric, topics, systems, the pool.

use llull_core::Ranking;
use llull_report::text::{count, counted};

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
        self.fine(&Part::Topics, counted(inputs.topics.len(), "query"));
        for (run, contribution) in inputs.runs.iter().zip(inputs.pool.contributions()) {
            let unanswered = inputs
                .topics
                .iter()
                .filter(|topic| run.ranking(&topic.id).is_none_or(Ranking::is_empty))
                .count();
            let text = format!(
                "{} answered, {} in the pool",
                counted(run.len(), "query"),
                counted(contribution.pairs, "pair")
            );
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
                    format!("{text}; {} queries are not answered and count as 0", count(n)),
                ),
            }
        }
        self.fine(
            &Part::Pool,
            format!("{} at depth {}", counted(inputs.pool.pairs(), "pair"), inputs.pool.depth),
        );
        self.notes(&inputs.notes);
        if let Some(base) = &inputs.base {
            self.fine(&Part::Base, base.to_string());
        }
        if let Some(labels) = &inputs.reference {
            self.fine(&Part::Reference, counted(labels.pairs(), "label"));
        }
    }
}

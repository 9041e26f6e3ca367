//! Counts the questions of a dataset that models made.

use std::fmt;

use indexmap::IndexMap;
use llull_audit::model_family;
use llull_data::EvaluationDataset;
use llull_report::text::{count, counted};
use rustc_hash::{FxBuildHasher, FxHashSet};
use serde::Serialize;

/// The questions of a dataset that models made, in contrast to people's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MadeQueries {
    /// The number of the dataset's made questions.
    pub synthetic: usize,
    /// The number of the dataset's questions.
    pub queries: usize,
    /// The number of made questions that are out of context: the documents do not answer them.
    pub out_of_context: usize,
    /// The models that wrote them, in the order of the dataset, with the number of their questions.
    pub written_by: IndexMap<String, usize, FxBuildHasher>,
    /// The models that checked them, in the order of the dataset, with the number of their questions.
    pub checked_by: IndexMap<String, usize, FxBuildHasher>,
    #[serde(skip)]
    ids: FxHashSet<String>,
}

/// The number of made questions, and their models.
impl fmt::Display for MadeQueries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = counted(self.queries, "question");
        let by = match named(&self.written_by) {
            names if names.is_empty() => "written by an unknown model".to_owned(),
            names => format!("written by {names}"),
        };
        let be = if self.synthetic == 1 { "is" } else { "are" };
        let checked = match named(&self.checked_by) {
            names if names.is_empty() => ", and no model has checked them".to_owned(),
            names => format!(", checked by {names}"),
        };
        write!(f, "{} of {all} {be} synthetic, {by}{checked}", count(self.synthetic))
    }
}

impl MadeQueries {
    /// Returns the made questions; `None` without any.
    pub fn of(dataset: &EvaluationDataset) -> Option<Self> {
        let mut found = Self { queries: dataset.queries.len(), ..Self::default() };
        for query in &dataset.queries {
            let Some(origin) = query.made() else { continue };
            found.synthetic += 1;
            found.out_of_context += usize::from(origin.is_out_of_context());
            found.ids.insert(query.id.clone());
            for (model, counts) in
                [(&origin.model, &mut found.written_by), (&origin.checked_by, &mut found.checked_by)]
            {
                if !model.is_empty() {
                    *counts.entry(model.clone()).or_default() += 1;
                }
            }
        }
        (found.synthetic > 0).then_some(found)
    }

    /// Returns whether the question with this identifier was made.
    pub fn holds(&self, query: &str) -> bool {
        self.ids.contains(query)
    }

    /// Returns a warning for each of these judges that wrote questions, or is of the family of a model that did. Such a
    /// judge may recognize its own words.
    pub fn warnings<'a>(&self, judges: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let mut warnings = Vec::new();
        for judge in judges {
            for writer in self.written_by.keys() {
                let family = model_family(judge).filter(|family| model_family(writer) == Some(family));
                if judge == writer {
                    warnings.push(format!(
                        "judge {judge} wrote questions of this dataset: it may find its own words again; let another \
                         model judge"
                    ));
                } else if let Some(family) = family {
                    warnings.push(format!(
                        "judge {judge} is of the family of {writer} ({family}), which wrote questions of this dataset: \
                         it may prefer its words; let a model of another maker judge"
                    ));
                }
            }
        }
        warnings
    }
}

fn named(models: &IndexMap<String, usize, FxBuildHasher>) -> String {
    models.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use llull_data::{ExpectedQuery, QueryOrigin};

    use super::*;

    fn query(id: &str, model: Option<&str>) -> ExpectedQuery {
        let origin = model.map(|model| QueryOrigin {
            synthetic: true,
            model: model.to_owned(),
            ..QueryOrigin::default()
        });
        ExpectedQuery { id: id.into(), text: "what".into(), origin, ..ExpectedQuery::default() }
    }

    #[test]
    fn what_was_made_is_said_with_its_maker() {
        let dataset = |queries| EvaluationDataset { queries, documents: Vec::new() };
        assert_eq!(MadeQueries::of(&dataset(vec![query("a", None)])), None);
        let asked_by_people = ExpectedQuery { origin: Some(QueryOrigin::default()), ..query("b", None) };
        let made = MadeQueries::of(&dataset(vec![
            query("a", None),
            asked_by_people,
            query("c", Some("openai/gpt-4o")),
        ]));
        let made = made.unwrap();
        assert_eq!(
            made.to_string(),
            "1 of 3 questions is synthetic, written by openai/gpt-4o, and no model has checked them"
        );
        assert!(made.holds("c") && !made.holds("a") && !made.holds("b"));
        let warned = |judge: &str| made.warnings([judge]).concat();
        assert!(warned("openai/gpt-4o").contains("its own words"));
        assert!(warned("openai/gpt-4o-mini").contains("of the family of openai/gpt-4o (gpt)"));
        assert_eq!(warned("anthropic/claude-3-5-haiku"), "");
    }
}

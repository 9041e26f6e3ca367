//! Combines several judges' labels by a method.
//!
//! The method is named, or chosen by a sample of human labels.

use llull_core::{Grade, LabelSet, Qrels, TopicQrels};
use llull_label::panel::{
    ChoiceError, CombineError, Combined, DAWID_SKENE_WARNING, PanelChoice, PanelMethod, choose_method,
    combine, combine_across_queries,
};
use llull_label::{LowerMiddle, label_among, split};
use llull_report::text::counted;
use llull_stats::BootstrapOptions;

use crate::judge_panel::JudgePanel;
use crate::judged_pairs::JudgedPairs;
use crate::panel_labels::{PanelError, scales_in_common};

/// The options of a combination.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CombineOptions<'a> {
    /// The method. With `None`, human labels choose it; without them it is the median for grades and the mean for
    /// measures and the order.
    pub method: Option<PanelMethod>,
    /// Human labels of a random sample of the pairs.
    pub human_labels: Option<&'a Qrels>,
    /// How intervals of the choice of a method are made, and the seed of its parts.
    pub choice: BootstrapOptions,
}

/// An error of a combination.
#[derive(Debug, thiserror::Error)]
pub enum CombinedLabelsError {
    /// The judges' labels do not match.
    #[error(transparent)]
    Panel(#[from] PanelError),
    /// The method cannot be used.
    #[error(transparent)]
    Combine(#[from] CombineError),
    /// No method can be chosen.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The human labels and the judges' labels have no pair in common.
    #[error("{0} They have to be of the same collection as the judges' labels")]
    NothingInCommon(String),
}

/// The combined labels of several judges.
#[derive(Debug, Clone, PartialEq)]
pub struct CombinedLabels {
    /// The judges' names.
    pub judges: Vec<String>,
    /// The judges' grades for every pair.
    pub judged: JudgedPairs,
    /// The method for grades, with them and their probabilities.
    pub grades: Combined,
    /// The method for the order of documents, with its values.
    pub order: Combined,
    /// The trial of the methods, if human labels chose one.
    pub choice: Option<PanelChoice>,
    /// The number of human labels that are off the panel's scale, although the panel has the pair; they are ignored.
    pub human_labels_off_scale: usize,
    /// The effect of taking the lower of two middle grades, if the method is the median.
    pub lower_middle: Option<LowerMiddle>,
}

impl CombinedLabels {
    /// Combines the labels of these judges.
    ///
    /// If the method learns from human labels, a query's labels are based on human labels of other queries. So they can
    /// be compared with the human labels.
    ///
    /// # Errors
    /// Returns an error if two judges' scales differ, a judge has no pair in common with any other, the method lacks
    /// its input. Also if the human labels do not suffice to choose one.
    pub fn of(panel: JudgePanel, options: &CombineOptions<'_>) -> Result<Self, CombinedLabelsError> {
        let scales = scales_in_common(&panel)?;
        let has_none = |human_labels| truth(panel.pairs(), human_labels).iter().all(Option::is_none);
        if options.human_labels.is_some_and(has_none) {
            let human_labels = llull_report::agreement::NamedLabels::new(
                "the human labels",
                options.human_labels.cloned().unwrap_or_default(),
            );
            return Err(CombinedLabelsError::NothingInCommon(panel.nothing_in_common(&human_labels)));
        }
        let judges = panel.names();
        let judged = JudgedPairs::on_scales(panel, &scales);
        // Of the pairs that have a grade on the scale; others are gone.
        let truth = options.human_labels.map(|human_labels| truth(judged.qrels(), human_labels));
        let scale = judged.grades.scale();
        let off_scale = |grade: &&Grade| !(scale.low()..=scale.high()).contains(*grade);
        let human_labels_off_scale = truth.iter().flatten().flatten().filter(off_scale).count();
        let choice = match (options.method, &truth) {
            (None, Some(truth)) => Some(choose_method(&judged.grades, truth, &options.choice)?),
            _ => None,
        };
        let (grade, order) = match (&choice, options.method) {
            (Some(choice), _) => (choice.grade, choice.order),
            (None, Some(method)) => (method, method),
            (None, None) => (PanelMethod::Median, PanelMethod::Mean),
        };
        let by = |method| match &truth {
            Some(truth) => combine_across_queries(&judged.grades, method, truth, options.choice.seed),
            None => combine(&judged.grades, method, None),
        };
        let grades = by(grade)?;
        let order = if order == grade { grades.clone() } else { by(order)? };
        let lower_middle = is_median(grade).then(|| judged.lower_middle());
        Ok(Self { judges, judged, grades, order, choice, human_labels_off_scale, lower_middle })
    }

    /// Returns a method's name, and of a single judge that judge's.
    pub fn name_of(&self, method: PanelMethod) -> String {
        match method {
            PanelMethod::Judge(judge) => {
                self.judges.get(judge).cloned().unwrap_or_else(|| method.to_string())
            }
            _ => method.to_string(),
        }
    }

    /// Returns warnings: of labels that are off the scale, and of what a method cannot tell.
    pub fn warnings(&self) -> Vec<String> {
        let off_scale = self.judges.iter().zip(&self.judged.off_scale).filter(|(_, stray)| **stray > 0);
        let off_scale = off_scale.map(|(judge, stray)| {
            let (are, read) = if *stray == 1 { ("is", "counts") } else { ("are", "count") };
            format!("{judge}: {} {are} not on the scale, and {read} as missing", counted(*stray, "label"))
        });
        let human = self.human_labels_off_scale;
        let human = (human > 0).then(|| {
            format!(
                "{} not on the judges' scale, and not used: --clamp moves them to its ends",
                counted(human, "human label")
            )
        });
        let dawid_skene = self.grades.method == PanelMethod::DawidSkene;
        let dawid_skene = dawid_skene.then(|| DAWID_SKENE_WARNING.to_owned());
        off_scale.chain(human).chain(dawid_skene).collect()
    }

    /// Returns the grades as labels, each with the range of the judges' grades.
    pub fn labels(&self) -> LabelSet {
        self.labels_of(|_| true)
    }

    /// Returns the labels of the pairs on which the judges are not [split], and the other pairs.
    pub fn clear_labels(&self) -> (LabelSet, Vec<(&str, &str)>) {
        let scale = self.judged.grades.scale();
        let clear = |given: &[Grade]| split(given, scale).is_none();
        let pairs = self.judged.pairs().enumerate();
        let split = pairs.filter(|(at, _)| !clear(&self.judged.given(*at)));
        let dropped = split.map(|(_, pair)| pair).collect();
        (self.labels_of(clear), dropped)
    }

    fn labels_of(&self, keep: impl Fn(&[Grade]) -> bool) -> LabelSet {
        let with_mean = match self.order.method {
            PanelMethod::Fractional => true,
            order => order == PanelMethod::Mean && is_median(self.grades.method),
        };
        self.judged.labels(|pair, given| {
            let grade = self.grades.grades.get(pair).copied().flatten().filter(|_| keep(given))?;
            let label = label_among(grade, given)?;
            Some(if with_mean { label.with_mean(given) } else { label })
        })
    }
}

fn is_median(method: PanelMethod) -> bool {
    matches!(method, PanelMethod::Median | PanelMethod::Fractional)
}

/// The human grade of each pair; `None` without one.
fn truth(pairs: &Qrels, human_labels: &Qrels) -> Vec<Option<Grade>> {
    let grades = |(query, documents): (_, &TopicQrels)| {
        let human = human_labels.topic(query);
        documents.keys().map(|document| human?.get(document).copied()).collect::<Vec<_>>()
    };
    pairs.iter().flat_map(grades).collect()
}

#[cfg(test)]
mod tests {
    use llull_core::Seed;
    use llull_report::agreement::NamedLabels;

    use super::*;
    use crate::judge_panel::PanelMember;

    /// Judge `j` of three is right but for every `j + 2`th document, where it says one more.
    fn panel() -> (JudgePanel, Qrels) {
        let (members, human_labels) = panel_members();
        (members.into_iter().collect(), human_labels)
    }

    fn panel_members() -> (Vec<PanelMember>, Qrels) {
        let mut human_labels = Qrels::default();
        let mut judges = vec![Qrels::default(); 3];
        for at in 0..240 {
            let (query, document) = (format!("q{}", at / 20), format!("d{at}"));
            let grade = (at * 7 % 20 / 5) as Grade;
            human_labels.insert(&query, &document, grade);
            for (judge, labels) in judges.iter_mut().enumerate() {
                let off = Grade::from(at % (3 * judge + 2) == 0);
                labels.insert(&query, &document, (grade + off) % 4);
            }
        }
        let named = judges.into_iter().enumerate();
        let members = named.map(|(at, qrels)| PanelMember {
            labels: NamedLabels::new(format!("judge {at}"), qrels),
            scale: None,
        });
        (members.collect(), human_labels)
    }

    fn options<'a>(method: Option<&str>, human_labels: Option<&'a Qrels>) -> CombineOptions<'a> {
        let method = method.map(|method| method.parse().unwrap());
        CombineOptions { method, human_labels, choice: BootstrapOptions::new(Seed(42)) }
    }

    #[test]
    fn without_people_it_is_the_median_and_the_mean() {
        let (members, _) = panel();
        let combined = CombinedLabels::of(members, &options(None, None)).unwrap();
        assert_eq!((combined.grades.method, combined.order.method), (PanelMethod::Median, PanelMethod::Mean));
        assert_eq!((combined.choice, combined.lower_middle.map(|middle| middle.of)), (None, Some(240)));
    }

    #[test]
    fn with_people_the_judge_that_agrees_with_them_is_found() {
        let (members, human_labels) = panel();
        let combined = CombinedLabels::of(members, &options(None, Some(&human_labels))).unwrap();
        let choice = combined.choice.as_ref().unwrap();
        let kappa = |method: &str| {
            let method = method.parse().unwrap();
            choice.tried.iter().find(|one| one.method == method).and_then(|one| one.kappa).unwrap()
        };
        assert!(kappa("judge:2") > kappa("judge:0") + 0.3, "{choice:?}");
        assert!(choice.kappa.unwrap() >= kappa("judge:2") - 0.02, "{choice:?}");
        assert_eq!((choice.pairs, choice.queries, choice.folds), (240, 12, 5));
        assert_eq!(combined.labels().labelled(), 240);
    }

    /// The grades were once those of the next pair, from a pair on that has none on the scale.
    #[test]
    fn a_pair_off_the_scale_moves_no_human_label() {
        let of = |stray: bool| {
            let (members, human_labels) = panel_members();
            let mut lone = Qrels::default();
            if stray {
                lone.insert("q0", "stray", 9);
            }
            for (query, documents) in human_labels.iter() {
                documents.keys().for_each(|document| {
                    lone.insert(query, document, 1);
                });
            }
            let lone =
                PanelMember { labels: NamedLabels::new("lone", lone), scale: Some("0..3".parse().unwrap()) };
            let all: JudgePanel = [lone].into_iter().chain(members).collect();
            let combined = CombinedLabels::of(all, &options(None, Some(&human_labels))).unwrap();
            combined.choice.unwrap().tried.iter().map(|one| one.kappa).collect::<Vec<_>>()
        };
        assert_eq!(of(true), of(false));
    }

    #[test]
    fn people_of_another_collection_are_refused() {
        let (members, _) = panel();
        let mut human_labels = Qrels::default();
        human_labels.insert("other", "d1", 1);
        let refused =
            CombinedLabels::of(members.clone(), &options(Some("weights"), Some(&human_labels))).unwrap_err();
        assert!(refused.to_string().contains("same collection"), "{refused}");
        let refused = CombinedLabels::of(members, &options(Some("weights"), None)).unwrap_err();
        assert!(refused.to_string().starts_with("weights learns from human labels"), "{refused}");
    }
}

//! Compares the labels with reference labels.

use llull_core::Qrels;
use llull_stats::{AgreementOptions, label_agreement};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agreement::{NamedLabels, StrayLabels};
use crate::differing::{DifferingPairs, HereAndThere};
use crate::error::ReportError;
use crate::reference_systems::{ReferenceSystems, UnderBothTable};
use crate::text::{brief_figure, brief_percent, counted, figure};

/// A comparison of these labels with other labels of the same pairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReferenceSection {
    /// The name of the other labels, such as `authors.qrels`.
    pub name: String,
    /// The reason, in any output, why grades are not compared; absent if they are. Places in an order are not grades.
    /// A judge that was trained on the reference agrees with it however good it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_compared: Option<String>,
    /// Which queries are left out of everything here, since a judge was trained on their labels; absent if none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
    /// Agreement pair by pair.
    pub agreement: ReferenceAgreement,
    /// The pairs on which the two differ, and the first of them; none if these labels are no grades on the reference's
    /// scale.
    #[serde(default)]
    pub disagreements: DifferingPairs<HereAndThere>,
    /// The systems measured under both.
    pub systems: ReferenceSystems,
}

impl ReferenceSection {
    /// Returns the tables of the systems under both.
    pub(crate) fn under_both(&self) -> Vec<UnderBothTable> {
        self.systems.tables(&self.name)
    }

    /// Returns the agreement of grades in a sentence, with the ends of kappa's scale if a place has no glossary; `None`
    /// if grades are not compared.
    pub(crate) fn in_brief(&self, explained: bool) -> Option<String> {
        let exact = self.agreement.exact.filter(|_| self.not_compared.is_none())?;
        Some(format!(
            "Same grade as {} on {} of {} (kappa {}{}).",
            self.name,
            brief_percent(exact),
            counted(self.agreement.both, "pair"),
            brief_figure(self.agreement.kappa),
            if explained { "; 0 is chance, 1 is perfect" } else { "" }
        ))
    }
}

/// Agreement of two sets of labels, pair by pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReferenceAgreement {
    /// Pairs that both have labelled; the figures below are over these.
    pub both: usize,
    /// Pairs that only these labels have.
    pub only_here: usize,
    /// Pairs that only the reference has.
    pub only_there: usize,
    /// The share of equal grades, from 0 to 1; null if there is no common pair, or these labels are no grades.
    pub exact: Option<f64>,
    /// Cohen's kappa; 1 is perfect, 0 is chance. Null if it is undefined, such as when there is only one grade.
    pub kappa: Option<f64>,
    /// Cohen's kappa with quadratic weights, where near misses count less.
    pub kappa_quadratic: Option<f64>,
    /// A remark on labels far beyond the scale of all others, which distort the figures above. It has the quadratic
    /// kappa with these labels at the end of the scale. Null if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stray: Option<String>,
    /// How often each pair of grades occurs.
    pub confusion: Confusion,
}

impl ReferenceAgreement {
    /// Returns it without the figures that take the grades of both for those of one scale.
    #[must_use]
    pub fn without_grades(self) -> Self {
        Self { exact: None, kappa: None, kappa_quadratic: None, stray: None, ..self }
    }
}

/// How often each pair of grades occurs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Confusion {
    /// Every grade that occurs on either side, lowest first: the name of each row and column.
    pub grades: Vec<i32>,
    /// Rows are these labels, columns the reference's.
    pub counts: Vec<Vec<u64>>,
}

/// Agreement of labels with a reference, pair by pair.
///
/// ```
/// use llull_core::Qrels;
/// let (mut labels, mut people) = (Qrels::default(), Qrels::default());
/// for (document, here, there) in [("d1", 2, 2), ("d2", 0, 1)] {
///     labels.insert("q1", document, here);
///     people.insert("q1", document, there);
/// }
/// people.insert("q1", "d3", 0);
/// let agreement = llull_report::reference_agreement(&labels, &people)?;
/// assert_eq!((agreement.both, agreement.only_here, agreement.only_there), (2, 0, 1));
/// assert_eq!(agreement.exact, Some(0.5));
/// # Ok::<(), llull_report::ReportError>(())
/// ```
///
/// # Errors
/// Returns an error if the labels of common pairs hold more than 256 different grades ([`label_agreement`]).
pub fn reference_agreement(labels: &Qrels, reference: &Qrels) -> Result<ReferenceAgreement, ReportError> {
    let options = AgreementOptions::default();
    let found = label_agreement(labels, reference, &options)?;
    let (here, there) =
        (NamedLabels::new("here", labels.clone()), NamedLabels::new("there", reference.clone()));
    // The scale is the reference's. It compares the same labels, so it fails where that has failed.
    let by_reference = label_agreement(reference, labels, &options)?;
    let strays = StrayLabels::find(&there, &here, &by_reference, &options).ok().flatten();
    Ok(ReferenceAgreement {
        stray: strays.map(|strays| {
            let kappa = figure(strays.clamped.kappa.quadratic);
            format!("{}; on the scale {} quadratic kappa is {kappa}.", strays.phrase, strays.scale)
        }),
        both: found.n,
        only_here: found.only_truth,
        only_there: found.only_other,
        exact: found.figures.exact,
        kappa: found.figures.kappa.plain,
        kappa_quadratic: found.figures.kappa.quadratic,
        confusion: Confusion { grades: found.grades, counts: found.confusion },
    })
}

/// How many pairs labels and a reference have in common, without the figures that compare grades.
pub fn reference_overlap(labels: &Qrels, reference: &Qrels) -> ReferenceAgreement {
    let pairs = labels.iter().flat_map(|(query, documents)| documents.keys().map(move |id| (query, id)));
    let both = pairs.filter(|(query, document)| reference.grade(query, document).is_some()).count();
    ReferenceAgreement {
        both,
        only_here: labels.pairs() - both,
        only_there: reference.pairs() - both,
        exact: None,
        kappa: None,
        kappa_quadratic: None,
        stray: None,
        confusion: Confusion::default(),
    }
}

#[cfg(test)]
mod stray_tests {
    use super::*;

    /// A single 10 among labels from 0 to 3 makes all other disagreements seem small.
    #[test]
    fn a_label_far_from_all_others_is_said_beside_the_figures_that_it_moves() {
        let (mut here, mut there) = (Qrels::default(), Qrels::default());
        for at in 0..200 {
            here.insert("q", &format!("d{at}"), at % 4);
            there.insert("q", &format!("d{at}"), (at / 4) % 4);
        }
        assert_eq!(reference_agreement(&here, &there).unwrap().stray, None);
        there.insert("q", "d3", 10);
        let found = reference_agreement(&here, &there).unwrap();
        there.insert("q", "d3", 3);
        let clamped = figure(reference_agreement(&here, &there).unwrap().kappa_quadratic);
        let expected = format!("1 label is above 3; on the scale 0..3 quadratic kappa is {clamped}.");
        assert_eq!(found.stray.as_deref(), Some(&*expected));
        assert_ne!(figure(found.kappa_quadratic), clamped);
    }

    /// A reference that uses one grade has no scale, and no label of a study is a stray for it.
    #[test]
    fn the_scale_of_strays_is_that_of_the_reference() {
        let (mut here, mut there) = (Qrels::default(), Qrels::default());
        for at in 0..200 {
            here.insert("q", &format!("d{at}"), at % 4);
            there.insert("q", &format!("d{at}"), 0);
        }
        there.insert("q", "d3", 10);
        assert_eq!(reference_agreement(&here, &there).unwrap().stray, None);
    }
}

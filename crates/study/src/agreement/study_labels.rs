//! A study's own labels: each judge's, and the panel's.

use llull_report::agreement::NamedLabels;
use llull_runner::JudgeEvidence;

use crate::error::StudyError;
use crate::evidence::{LedgerError, StudyEvidence};
use crate::judging::JudgeError;
use crate::labelling::graded_labels;

/// Returns the labels of each judge of a study, or of the judges and the annotators of its sample with these names.
///
/// After several judges follow the labels of all: by the study's method, or fractional if it names none or only some
/// judges are selected. If the study's judges compare, there is one set of labels, those of the tiers, as the votes of
/// one judge make no tiers.
///
/// The second value is the number of sets by single judges: the raters of a panel.
///
/// # Errors
/// Returns an error if a name is no judge of the study's, or if judges are named in a study whose judges compare.
pub fn study_labels(
    evidence: &StudyEvidence,
    named: &[String],
) -> Result<(Vec<NamedLabels>, usize), StudyError> {
    let judges = evidence.judges.judges();
    let human_labels = |name: &str| evidence.human_labels.as_ref()?.labels_of(name);
    let is_judge = |name: &str| judges.iter().any(|judge| judge.name() == name);
    if let Some(unknown) = named.iter().find(|name| !is_judge(name) && human_labels(name).is_none()) {
        let annotators = evidence
            .human_labels
            .iter()
            .flat_map(|human_labels| &human_labels.annotators)
            .map(|(name, _)| name.clone());
        let known = judges.iter().map(|judge| judge.name().to_owned()).chain(annotators).collect();
        return Err(StudyError::Judges(JudgeError::UnknownJudge { judge: unknown.clone(), known }));
    }
    if evidence.compared().is_some() {
        if !named.is_empty() {
            return Err(StudyError::Ledger(LedgerError::Problem(
                "judges of this study compare, so its labels are those of all judges together: leave out the judge's \
                 name, or compare answers pair by pair, with human ones by llull agree --people, others by \
                 --preferences"
                    .to_owned(),
            )));
        }
        return Ok((vec![NamedLabels::new("this study", evidence.labels.qrels().clone())], 0));
    }
    let chosen: Vec<&JudgeEvidence> = judges
        .iter()
        .filter(|judge| named.is_empty() || named.iter().any(|name| name == judge.name()))
        .collect();
    let of = |judges: &[&JudgeEvidence]| graded_labels(&evidence.pooled, judges).qrels().clone();
    let mut labels: Vec<NamedLabels> =
        chosen.iter().map(|judge| NamedLabels::new(judge.name(), of(&[judge]))).collect();
    let human_labels =
        named.iter().filter(|name| !is_judge(name)).filter_map(|name| Some((name, human_labels(name)?)));
    labels.extend(human_labels.map(|(name, labels)| NamedLabels::new(name.as_str(), labels)));
    let raters = labels.len();
    let all = chosen.len() == judges.len() && chosen.len() > 1;
    match evidence.method() {
        _ if all && evidence.escalation().is_some() => {
            let to = evidence.escalation().map_or("", |escalation| &escalation.to);
            let name = format!("{} judges, and {to} where it is hard", chosen.len());
            labels.push(NamedLabels::new(name, evidence.judged().qrels().clone()));
        }
        Some(method) if all => {
            let name = format!("{} of {} judges", method.method, chosen.len());
            labels.push(NamedLabels::new(name, evidence.judged().qrels().clone()));
        }
        _ if chosen.len() > 1 => {
            labels.push(NamedLabels::new(format!("panel of {} judges", chosen.len()), of(&chosen)));
        }
        _ => {}
    }
    Ok((labels, raters))
}

//! A study's own labels, to be compared with somebody else's: each judge's, and the panel's.

use llull_report::agreement::NamedLabels;
use llull_runner::JudgeEvidence;

use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::graded::graded_labels;

/// Returns the labels of each judge of a study, or of the judges with these names; behind them, if they are several,
/// those of all: by the study's method, and the median where it says none or not all judges are meant. If the study's
/// judges compare, there is one set of labels, those of the tiers, as the votes of one judge make no tiers.
///
/// The second value says how many of the sets are one judge's: the raters of a panel.
///
/// # Errors
/// Returns an error if a name is no judge of the study's, or if judges are named in a study whose judges compare.
pub fn study_labels(
    evidence: &StudyEvidence,
    named: &[String],
) -> Result<(Vec<NamedLabels>, usize), StudyError> {
    let judges = evidence.judges.judges();
    if let Some(unknown) = named.iter().find(|name| judges.iter().all(|judge| judge.name() != *name)) {
        let known = judges.iter().map(|judge| judge.name().to_owned()).collect();
        return Err(StudyError::UnknownJudge { judge: unknown.clone(), known });
    }
    if evidence.compared.is_some() {
        if !named.is_empty() {
            return Err(StudyError::JudgesCompare);
        }
        return Ok((vec![NamedLabels::new("this study", evidence.labels.qrels())], 0));
    }
    let chosen: Vec<&JudgeEvidence> = judges
        .iter()
        .filter(|judge| named.is_empty() || named.iter().any(|name| name == judge.name()))
        .collect();
    let of = |judges: &[&JudgeEvidence]| graded_labels(&evidence.pooled, judges).qrels();
    let mut labels: Vec<NamedLabels> =
        chosen.iter().map(|judge| NamedLabels::new(judge.name(), of(&[judge]))).collect();
    let all = chosen.len() == judges.len() && chosen.len() > 1;
    match &evidence.method {
        _ if all && evidence.escalation.is_some() => {
            let to = evidence.escalation.as_ref().map_or("", |escalation| &escalation.to);
            let name = format!("{} judges, and {to} where it is hard", chosen.len());
            labels.push(NamedLabels::new(name, evidence.judged().qrels()));
        }
        Some(method) if all => {
            let name = format!("{} of {} judges", method.method, chosen.len());
            labels.push(NamedLabels::new(name, evidence.judged().qrels()));
        }
        _ if chosen.len() > 1 => {
            labels.push(NamedLabels::new(format!("median of {} judges", chosen.len()), of(&chosen)));
        }
        _ => {}
    }
    Ok((labels, chosen.len()))
}

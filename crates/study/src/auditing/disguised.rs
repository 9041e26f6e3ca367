//! Measures judges on disguised questions, here and on a control.
//!
//! Disguised questions have other words; judges are compared with annotators.

use llull_audit::{AuditedJudge, Disguised, DisguisedAnswer};
use llull_config::Settings;
use llull_core::{Grade, Judgment, Status};

use super::probed::lead;
use crate::control_answers::ControlAnswers;
use crate::evidence::{ProbeEvidence, StudyEvidence};
use crate::inputs::{Inputs, human_grades_on};
use crate::probes::JudgeProbe;

/// Returns the answers of judges in a control study.
pub(crate) fn control_answers(
    judges: Vec<AuditedJudge>,
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
) -> ControlAnswers {
    let mut judges = judges;
    add_disguised(&mut judges, settings, inputs, evidence);
    let known = judges.into_iter().filter_map(|judge| Some((judge.judge, judge.model, judge.disguised?)));
    ControlAnswers { judges: known.collect(), paraphrased: inputs.paraphrases.is_some() }
}

/// Adds each judge's answers to disguised questions. A judge without such answers is left out.
pub(super) fn add_disguised(
    judges: &mut [AuditedJudge],
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
) {
    let reviewers = evidence.reviewers(settings.reference_people).map(|human_labels| &human_labels.labels);
    let tasks = evidence.probed.iter().flat_map(ProbeEvidence::tasks);
    for task in tasks.filter(|task| task.of.probe == JudgeProbe::Contamination) {
        let votes = evidence.judges.judges().get(task.judge);
        let question = evidence.judges.questions().nth(task.of.vote);
        let (Some(judge), Some(votes), Some(question)) = (judges.get_mut(task.judge), votes, question) else {
            continue;
        };
        let grades = human_grades_on(inputs, reviewers, &evidence.pooled, question);
        let agreed = |status| agreement(status, &grades, inputs.rubric.cutoff);
        let (Some(before), Some(after)) = (agreed(votes.status(task.of.vote)), agreed(task.status)) else {
            continue;
        };
        let compared = evidence.compared().is_some();
        let relevant = compared || grades.iter().flatten().any(|grade| *grade >= inputs.rubric.cutoff);
        let known = judge.disguised.get_or_insert_with(|| Disguised { compared, ..Disguised::default() });
        known.answers.push(DisguisedAnswer { query: task.question.topic.get(), relevant, before, after });
    }
    let control = inputs.control.iter().flat_map(|control| &control.judges);
    for (name, model, answers) in control {
        let same = |judge: &&mut AuditedJudge| judge.judge == *name && judge.model == *model;
        if let Some(known) = judges.iter_mut().find(same).and_then(|judge| judge.disguised.as_mut())
            && known.compared == answers.compared
        {
            known.control = Some(answers.answers.clone());
        }
    }
}

/// Returns the agreement of an answer with annotators, as defined by [`DisguisedAnswer`].
fn agreement(status: &Status, human_labels: &[Option<Grade>], cutoff: Grade) -> Option<f64> {
    match status {
        Status::Judged(Judgment::Grade(grade)) => {
            let human_labels = human_labels.first().copied().flatten()?;
            Some(f64::from(u8::from((*grade >= cutoff) == (human_labels >= cutoff))))
        }
        Status::Judged(Judgment::Order(verdict)) => ordered_likewise(&verdict.order, human_labels),
        _ => None,
    }
}

fn ordered_likewise(groups: &[Vec<u16>], human_labels: &[Option<Grade>]) -> Option<f64> {
    let (mut pairs, mut likewise) = (0.0, 0.0);
    for (better, above) in human_labels.iter().enumerate().filter_map(|(at, grade)| Some((at, (*grade)?))) {
        for (worse, below) in human_labels.iter().enumerate().filter_map(|(at, grade)| Some((at, (*grade)?)))
        {
            if above > below {
                pairs += 1.0;
                likewise += lead(groups, better, worse);
            }
        }
    }
    (pairs > 0.0).then(|| likewise / pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_on_which_people_differ_count_and_ties_by_half() {
        let order = [vec![1], vec![0, 2]];
        assert_eq!(ordered_likewise(&order, &[Some(0), Some(3), Some(1)]), Some(2.5 / 3.0));
        assert_eq!(ordered_likewise(&order, &[Some(3), Some(0), None]), Some(0.0));
        assert_eq!(ordered_likewise(&[vec![1]], &[Some(0), Some(1)]), Some(1.0), "in no group is below all");
        assert_eq!(ordered_likewise(&order, &[Some(1), Some(1), None]), None);
    }
}

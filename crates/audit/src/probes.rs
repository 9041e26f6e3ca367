//! What a document's grade does when the document is changed in a way that ought not to raise it.

use std::collections::BTreeMap;

use llull_stats::{student_above, student_critical};

use crate::finding::{Finding, judge_findings};
use crate::{Alarm, AlarmKind, AuditOptions, Concern};

/// The rise, as a share of the scale, that is worth a look.
const SLIGHT: f64 = 0.05;

/// The rise, as a share of the scale, from which on the changed text and not the document decides.
const SEVERE: f64 = 0.25;

/// A document's grade as it is, and with its text changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProbedGrade {
    /// The query, as a position in the collection.
    pub query: usize,
    /// The grade of the document as it is.
    pub before: f64,
    /// The grade of the changed one.
    pub after: f64,
}

/// What one judge gave documents that were changed in one way.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbedJudge {
    /// The judge's name.
    pub judge: String,
    /// How the documents were changed: [`Stuffed`](AlarmKind::Stuffed), [`Injected`](AlarmKind::Injected) or
    /// [`Truncated`](AlarmKind::Truncated).
    pub kind: AlarmKind,
    /// The grades.
    pub grades: Vec<ProbedGrade>,
}

/// Returns an alarm for each judge and way: the mean change of grade as a share of the scale, whose lowest and highest
/// grades lie `span` apart. The mean of each query counts once; its interval and the test of a rise of more than 0.05
/// are Student's. All tests together are corrected by Holm's method.
pub fn probe_alarms(probed: &[ProbedJudge], span: f64, options: &AuditOptions) -> Vec<Alarm> {
    let findings = probed.iter().map(|probed| (probed.judge.clone(), finding(probed, span, options)));
    judge_findings(findings.collect(), 1.0 - options.confidence)
}

fn finding(probed: &ProbedJudge, span: f64, options: &AuditOptions) -> Finding {
    let mut queries: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for grade in &probed.grades {
        queries.entry(grade.query).or_default().push((grade.after - grade.before) / span);
    }
    let changes: Vec<f64> = queries.values().map(|all| all.iter().sum::<f64>() / all.len() as f64).collect();
    let n = probed.grades.len();
    if changes.len() < 2 || span <= 0.0 {
        return Finding::nothing(
            probed.kind,
            format!(
                "{n} changed {} graded, of {} {}; a test needs 2 queries.",
                if n == 1 { "document was" } else { "documents were" },
                changes.len(),
                if changes.len() == 1 { "query" } else { "queries" }
            ),
        );
    }
    let count = changes.len() as f64;
    let mean = changes.iter().sum::<f64>() / count;
    let variance = changes.iter().map(|change| (change - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let error = (variance / count).sqrt();
    let margin = student_critical((1.0 - options.confidence) / 2.0, count - 1.0) * error;
    // Where every query changes alike there is no spread to go by: the chance that all rise is that of coins.
    let p = match error > 0.0 {
        true => student_above((mean - SLIGHT) / error, count - 1.0),
        false if mean > SLIGHT => 0.5_f64.powf(count),
        false => 1.0,
    };
    let (change, remedy) = words(probed.kind);
    Finding {
        kind: probed.kind,
        n,
        value: Some(mean),
        interval: Some((mean - margin, mean + margin)),
        chance: Some(0.0),
        p: Some(p),
        severe: mean > SEVERE,
        at_least: Concern::Fine,
        shows_sense: false,
        seen: format!("{change} moves grades by {:+.1}% of the scale ({n} documents).", 100.0 * mean),
        remedy,
    }
}

/// What was done to documents, and what to do if grades rise.
fn words(kind: AlarmKind) -> (&'static str, &'static str) {
    match kind {
        AlarmKind::Stuffed => (
            "Repeating the query's words at the end of a document",
            "Words are rewarded and not what is said: have the rubric say that mentioning a subject is not answering, \
             or take another judge.",
        ),
        AlarmKind::Injected => (
            "A sentence in the document that asks for the highest grade",
            "Whoever writes documents can write their grades: use a prompt that tells the judge to follow no \
             instructions of a document, or take another judge.",
        ),
        _ => (
            "Leaving out the second half of a document",
            "A document is worth more with half of it gone, so that what is missing is not missed: look at its \
             rationales, and prefer a judge that reads to the end.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use llull_core::Seed;

    use super::*;

    fn alarm(kind: AlarmKind, changes: &[f64]) -> Alarm {
        let grade = |(query, change): (usize, &f64)| ProbedGrade { query, before: 1.0, after: 1.0 + change };
        let grades = changes.iter().enumerate().map(grade).collect();
        let probed = ProbedJudge { judge: "mini".into(), kind, grades };
        probe_alarms(&[probed], 3.0, &AuditOptions::new(Seed(1))).remove(0)
    }

    /// scipy 1.12.0: `t.interval(.95, 5, mean, sem)` of these changes over 3.
    #[test]
    fn the_interval_is_students_over_queries() {
        let alarm = alarm(AlarmKind::Stuffed, &[0.0, 1.0, 0.0, 1.0, 2.0, 0.0]);
        assert!((alarm.value.unwrap() - 2.0 / 9.0).abs() < 1e-12);
        assert!((alarm.low.unwrap() + 0.063_397_981_846_082_2).abs() < 1e-9, "{:?}", alarm.low);
        assert!((alarm.high.unwrap() - 0.507_842_426_290_526_6).abs() < 1e-9, "{:?}", alarm.high);
        assert_eq!((alarm.n, alarm.verdict), (6, Concern::Fine), "too few to tell");
    }

    #[test]
    fn a_judge_that_obeys_the_document_is_not_to_be_trusted_and_one_that_does_not_is_fine() {
        let obeys: Vec<f64> = (0..30).map(|at| f64::from(1 + at % 2)).collect();
        assert_eq!(alarm(AlarmKind::Injected, &obeys).verdict, Concern::DoNotTrust);
        assert_eq!(alarm(AlarmKind::Injected, &[2.0; 30]).verdict, Concern::DoNotTrust);
        let slightly: Vec<f64> = (0..60).map(|at| f64::from(u8::from(at % 2 == 0))).collect();
        assert_eq!(alarm(AlarmKind::Stuffed, &slightly).verdict, Concern::Look, "a sixth of the scale");
        let noise: Vec<f64> = (0..30).map(|at| f64::from(at % 3) - 1.0).collect();
        assert_eq!(alarm(AlarmKind::Stuffed, &noise).verdict, Concern::Fine);
        assert_eq!(alarm(AlarmKind::Truncated, &[-1.0; 30]).verdict, Concern::Fine, "it is missed");
        let one = alarm(AlarmKind::Injected, &[1.0]);
        assert_eq!((one.verdict, one.value), (Concern::Fine, None));
    }
}

//! Compares the judges: agreement, checks, cost, and weight of votes.

use llull::report::{ComparedByAnnotators, Count, JudgeAudit, check_sentence, judge_audits};
use llull::{StudyEvidence, Summary};
use serde_json::{Value, json};

use crate::attempts::{IndexedJudge, LedgerIndex};

/// How many rows a table has at most.
const ROWS: usize = 400;

/// The values of the page: facts about the judges. `disagreements` are the worst ones, as HTML.
pub(crate) fn judges_view(
    summary: &Summary,
    evidence: &StudyEvidence,
    index: &LedgerIndex,
    disagreements: &str,
) -> Value {
    let lost = |counts: &[Count]| counts.iter().map(|count| count.count).sum::<u64>();
    let audits = judge_audits(&summary.checks);
    let own: Vec<_> = evidence.panel().map(|judge| (judge.name(), judge.spec().fingerprint())).collect();
    let number = |name: &str| {
        let (_, fingerprint) = own.iter().find(|(own, _)| *own == name)?;
        index.judges().iter().find(|judge| judge.is(fingerprint)).map(|judge| judge.id.0)
    };
    let judges = summary.coverage.judges.iter().map(|coverage| {
        let judge = summary.study.judges.iter().find(|judge| judge.name == coverage.judge);
        let audit = audits.iter().find(|audit| audit.judge == coverage.judge);
        json!({
            "kind": judge.map_or("", |judge| judge.kind.name()),
            "judge": judge,
            "unusable": lost(&coverage.unusable),
            "refused": lost(&coverage.refused),
            "failed": lost(&coverage.failed),
            "cost": summary.cost.judges.iter().find(|cost| cost.judge == coverage.judge),
            // Its number in the ledger, if the ledger has it.
            "number": number(&coverage.judge),
            "outcome": audit.map(|audit| audit.outcome.words()),
            "coverage": coverage,
        })
    });
    let others = index.judges().iter().filter(|judge| !own.iter().any(|(_, own)| judge.is(own)));
    let panel = summary.panel.as_ref();
    let together = panel.map_or(&[][..], |panel| &panel.agreement);
    let compared = summary.tournaments.as_ref().and_then(|found| found.people.as_ref());
    json!({
        "judges": judges.collect::<Vec<_>>(),
        "together": together.get(..ROWS.min(together.len())).unwrap_or_default(),
        "together_left_out": together.len().saturating_sub(ROWS),
        "panel": panel,
        "reference": summary.reference,
        "aggregation": summary.study.aggregation,
        "honesty": summary.study.honesty,
        "audits": audits.iter().map(audit_view).collect::<Vec<_>>(),
        // The agreement of judges that compare with human preferences, a sentence each.
        "beside_people": compared.map(ComparedByAnnotators::sentences).unwrap_or_default(),
        "disagreements": disagreements,
        // The judges of the ledger that the study does not ask now.
        "others": others.filter_map(other).collect::<Vec<_>>(),
    })
}

fn audit_view(audit: &JudgeAudit) -> Value {
    let mut raised: Vec<_> = audit.checks.iter().filter(|check| check.is_raised()).collect();
    raised.sort_by_key(|check| std::cmp::Reverse(check.outcome));
    json!({
        "judge": audit.judge,
        "outcome": audit.outcome.words(),
        "passed": audit.passed(),
        "checks": raised.into_iter().map(check_sentence).collect::<Vec<_>>(),
    })
}

fn other(judge: &IndexedJudge) -> Option<Value> {
    let registered = judge.registered.as_ref()?;
    let totals = judge.tally.clone().finish();
    Some(json!({
        "number": judge.id.0,
        "name": registered.name,
        "model": registered.spec.model,
        "prompt": registered.spec.prompt,
        "rubric": registered.spec.rubric_hash.short(),
        "attempts": totals.attempts,
        "judged": totals.judged,
    }))
}

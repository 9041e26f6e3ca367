//! Compares the judges: agreement, checks, cost, and weight of votes.

use llull::report::{
    ComparedByAnnotators, JudgeCost, JudgeCoverage, JudgesTogether, PanelSection, ReportJudge,
    check_sentence, judge_audits, matrix_chart,
};
use llull::{StudyEvidence, Summary};
use serde::Serialize;

use crate::attempts::{IndexedJudge, LedgerIndex};

/// How many rows a table has at most.
const ROWS: usize = 400;

/// The values of the page.
#[derive(Serialize)]
pub(crate) struct JudgesView<'a> {
    judges: Vec<JudgeRow<'a>>,
    /// The judges' names by their numbers in the chart, and the chart; empty of an only judge.
    names: Vec<String>,
    chart: Option<String>,
    together: &'a [JudgesTogether],
    together_left_out: usize,
    panel: Option<&'a PanelSection>,
    aggregation: &'a str,
    honesty: &'a str,
    audits: Vec<AuditView>,
    /// The agreement of judges that compare with human preferences, a sentence each.
    beside_people: Vec<String>,
    /// The worst disagreements, as HTML.
    disagreements: String,
    /// The judges of the ledger that the study does not ask now.
    others: Vec<OtherJudge>,
}

#[derive(Serialize)]
struct JudgeRow<'a> {
    judge: Option<&'a ReportJudge>,
    kind: &'static str,
    coverage: &'a JudgeCoverage,
    unusable: u64,
    refused: u64,
    failed: u64,
    cost: Option<&'a JudgeCost>,
    /// Its number in the ledger, if the ledger has it.
    number: Option<i64>,
    outcome: Option<&'static str>,
}

#[derive(Serialize)]
struct AuditView {
    judge: String,
    outcome: &'static str,
    checks: Vec<String>,
    passed: usize,
}

#[derive(Serialize)]
struct OtherJudge {
    number: i64,
    name: String,
    model: String,
    prompt: String,
    rubric: String,
    attempts: u64,
    judged: u64,
}

impl<'a> JudgesView<'a> {
    /// Collects the facts about the judges. `disagreements` are the worst ones, as HTML.
    pub(crate) fn new(
        summary: &'a Summary,
        evidence: &StudyEvidence,
        index: &LedgerIndex,
        disagreements: String,
    ) -> Self {
        let audits = judge_audits(&summary.checks);
        let own: Vec<_> = evidence.panel().map(|judge| (judge.name(), judge.spec().fingerprint())).collect();
        let number = |name: &str| {
            let (_, fingerprint) = own.iter().find(|(own, _)| *own == name)?;
            index.judges().iter().find(|judge| judge.is(fingerprint)).map(|judge| judge.id.0)
        };
        let judges = summary.coverage.judges.iter().map(|coverage| {
            let judge = summary.study.judges.iter().find(|judge| judge.name == coverage.judge);
            JudgeRow {
                kind: judge.map_or("", |judge| judge.kind.name()),
                judge,
                unusable: coverage.unusable.iter().map(|count| count.count).sum(),
                refused: coverage.refused.iter().map(|count| count.count).sum(),
                failed: coverage.failed.iter().map(|count| count.count).sum(),
                cost: summary.cost.judges.iter().find(|cost| cost.judge == coverage.judge),
                number: number(&coverage.judge),
                outcome: audits
                    .iter()
                    .find(|audit| audit.judge == coverage.judge)
                    .map(|audit| audit.outcome.words()),
                coverage,
            }
        });
        let others = index.judges().iter().filter(|judge| !own.iter().any(|(_, own)| judge.is(own)));
        let panel = summary.panel.as_ref();
        let together = panel.map_or(&[][..], |panel| &panel.agreement);
        let names = names(together);
        let compared = summary.tournaments.as_ref().and_then(|found| found.people.as_ref());
        Self {
            judges: judges.collect(),
            chart: (!names.is_empty()).then(|| chart(&names, together)),
            names,
            together: together.get(..ROWS.min(together.len())).unwrap_or_default(),
            together_left_out: together.len().saturating_sub(ROWS),
            panel,
            aggregation: &summary.study.aggregation,
            honesty: &summary.study.honesty,
            audits: audits.iter().map(audit_view).collect(),
            beside_people: compared.map(ComparedByAnnotators::sentences).unwrap_or_default(),
            disagreements,
            others: others.filter_map(other).collect(),
        }
    }
}

fn audit_view(audit: &llull::report::JudgeAudit) -> AuditView {
    let mut raised: Vec<_> = audit.checks.iter().filter(|check| check.is_raised()).collect();
    raised.sort_by_key(|check| std::cmp::Reverse(check.outcome));
    AuditView {
        judge: audit.judge.clone(),
        outcome: audit.outcome.words(),
        passed: audit.passed(),
        checks: raised.into_iter().map(check_sentence).collect(),
    }
}

fn other(judge: &IndexedJudge) -> Option<OtherJudge> {
    let registered = judge.registered.as_ref()?;
    let totals = judge.tally.clone().finish();
    Some(OtherJudge {
        number: judge.id.0,
        name: registered.name.clone(),
        model: registered.spec.model.clone(),
        prompt: registered.spec.prompt.clone(),
        rubric: registered.spec.rubric_hash.short(),
        attempts: totals.attempts,
        judged: totals.judged,
    })
}

/// The judges that agree or do not, in the order in which they are first named.
fn names(together: &[JudgesTogether]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in together.iter().flat_map(|two| [&two.judge, &two.other]) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn chart(names: &[String], together: &[JudgesTogether]) -> String {
    let place = |name: &String| names.iter().position(|own| own == name);
    let mut values = vec![vec![None; names.len()]; names.len()];
    for (at, row) in values.iter_mut().enumerate() {
        if let Some(own) = row.get_mut(at) {
            *own = Some(1.0);
        }
    }
    for two in together {
        if let (Some(one), Some(other)) = (place(&two.judge), place(&two.other)) {
            for (row, column) in [(one, other), (other, one)] {
                if let Some(cell) = values.get_mut(row).and_then(|row| row.get_mut(column)) {
                    *cell = two.kappa;
                }
            }
        }
    }
    matrix_chart("Kappa of every two judges", names, &values)
}

//! Reads the answers of a side.

use llull_config::Settings;
use llull_core::{JudgeSpec, Paradigm};
use llull_report::agreement::NamedLabels;
use llull_store::LedgerReader;

use super::choice::Choice;
use super::known_judge::{KnownJudge, judge_text};
use super::study_side::StudySide;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::judging::{Excerpt, changed, read_excerpt};
use crate::study_config::StudyConfig;

/// The ledger's answers for one side of a difference, and the labels that follow.
#[derive(Debug, Clone)]
pub struct SideEvidence {
    /// The side as typed.
    pub name: String,
    /// Describes its judges.
    pub about: String,
    /// Their answers.
    pub evidence: StudyEvidence,
    /// Notes about left-out judges and other possible sides.
    pub notes: Vec<String>,
}

impl SideEvidence {
    /// Returns a side with these answers.
    pub fn of(side: &StudySide, evidence: StudyEvidence) -> Self {
        let about = evidence.judges.judges().iter();
        let about: Vec<String> =
            about.map(|judge| format!("{}: {}", judge.name(), judge_text(judge.spec()))).collect();
        Self { name: side.to_string(), about: about.join("; "), evidence, notes: Vec::new() }
    }

    /// Returns the labels under the name of the side.
    pub fn labels(&self) -> NamedLabels {
        NamedLabels::from_file(&self.name, &self.about, self.evidence.labels.qrels().clone())
    }

    /// Returns the original labels of its judges, if the study has others, too.
    pub fn judged_labels(&self) -> NamedLabels {
        NamedLabels::from_file(&self.name, &self.about, self.evidence.judged().qrels().clone())
    }

    /// Describes the differences of this side's judges from another's: of judges with one name, or of single judges.
    pub fn changes_to(&self, other: &Self) -> Vec<String> {
        let (before, after) = (self.evidence.judges.judges(), other.evidence.judges.judges());
        let alone = before.len() == 1 && after.len() == 1;
        let mut changes = Vec::new();
        for before in before {
            let after = after.iter().find(|after| alone || after.name() == before.name());
            let differs = |after: &&_| {
                let after: &llull_runner::JudgeEvidence = after;
                after.spec().fingerprint() != before.spec().fingerprint()
            };
            if let Some(after) = after.filter(differs) {
                let words = changed(before.spec(), after.spec()).join(", ");
                changes.push(if alone { words } else { format!("{}: {words}", before.name()) });
            }
        }
        changes
    }
}

/// Reads the answers of a side from the ledger. `now` is the present evidence of the study.
///
/// # Errors
/// Returns an error that lists the ledger's judges if there is no such judge, or several; or if it cannot be read.
pub(crate) fn side_evidence(
    StudyConfig { settings, folder }: StudyConfig<'_>,
    inputs: &Inputs,
    now: &StudyEvidence,
    side: &StudySide,
    ledger: &dyn LedgerReader,
) -> Result<SideEvidence, StudyError> {
    let paradigm = settings.tournament.as_ref().map_or(Paradigm::Graded, |found| found.paradigm);
    let known = KnownJudge::read(ledger, paradigm)?;
    let specs: Vec<JudgeSpec> = now.judges.judges().iter().map(|judge| judge.spec().clone()).collect();
    let choice = Choice { side, configured: &settings.judges, now: &specs, known: &known };
    let (chosen, notes) = choice.judges()?;
    let (judges, registered): (Vec<_>, Vec<_>) =
        chosen.into_iter().map(|judge| (judge.settings, judge.before)).unzip();
    // A side has only the judges that it names.
    let graders = if settings.escalate.is_some() { Vec::new() } else { settings.graders.clone() };
    let panel = Settings { judges, graders, escalate: None, ..settings.clone() };
    let excerpt = Excerpt { registered: &registered, only: None };
    let evidence = read_excerpt(StudyConfig { settings: &panel, folder }, inputs, excerpt, ledger)?;
    Ok(SideEvidence { notes, ..SideEvidence::of(side, evidence) })
}

//! Checks the judges: prompts, texts and open questions.

use llull_config::{Environment, JudgeKind};
use llull_report::text::{count, counted};
use llull_runner::JudgeEvidence;

use super::examine::Checked;
use super::findings::{Findings, Severity};
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::judging::{AllowedServers as _, JudgeTally, earlier_answers, own_channel, priced, read_evidence};
use crate::part::{InPart, Part};

impl Findings {
    /// Models are checked without inputs, too, although the open questions are then unknown.
    pub(super) fn judges(
        &mut self,
        study: &Checked<'_>,
        inputs: Option<&Inputs>,
        environment: Environment<'_>,
        online: bool,
    ) {
        let to_ask = inputs.and_then(|inputs| self.questions_left(study, inputs)).unwrap_or_default();
        let mut to_ask = to_ask.into_iter();
        for judge in study.config.settings.judges.iter().chain(&study.config.settings.graders) {
            let part = Part::Judge(judge.name.clone());
            if let Some(text) = to_ask.next() {
                self.fine(&part, text);
            }
            self.take(priced(study.config.settings, judge, environment).in_part(|| part.clone()));
            let trusted = study.reach.allow(std::slice::from_ref(judge), environment).is_ok();
            let whom = match &judge.kind {
                JudgeKind::Prompted { .. } => {
                    self.model(&part, judge, environment, online && trusted);
                    "its server"
                }
                JudgeKind::Own(own) => {
                    match own_channel(&judge.name, own, study.config.folder, environment, &[]) {
                        Ok(channel) => match own.source.scores() {
                            Some(scores) => self.reranker(&part, scores, &*channel, online && trusted),
                            None => self.fine(&part, format!("llull doctor --judge {} tests it", judge.name)),
                        },
                        Err(error) => self.add(Severity::Error, &part, error.to_string()),
                    }
                    "it"
                }
                _ => continue,
            };
            if !trusted {
                let text = format!("the study is not trusted with {whom}, so llull would send it no request");
                self.add(Severity::Error, &part, text);
            }
        }
    }

    /// The open questions of each judge; graders of a few documents of each tier come last.
    fn questions_left(&mut self, study: &Checked<'_>, inputs: &Inputs) -> Option<Vec<String>> {
        let read = study
            .ledger
            .read(&mut |ledger| {
                let read = read_evidence(study.config, inputs, ledger);
                let earlier = read.as_ref().map(|read| earlier_answers(study.config.folder, read, ledger));
                Ok::<_, StudyError>((earlier.unwrap_or_else(|_| Ok(Vec::new()))?, read))
            })
            .in_part(|| Part::Ledger);
        let (earlier, read) = self.take(read)?;
        let evidence = self.take(read)?;
        self.notes(&evidence.notes);
        for judge in &earlier {
            self.add(Severity::Warning, &Part::Judge(judge.judge.clone()), judge.to_string());
        }
        if study.config.settings.reference_people {
            match evidence.human_labels.as_ref() {
                Some(human_labels) if human_labels.labels.labelled() > 0 => {
                    self.fine(&Part::Reference, human_labels.to_string());
                }
                Some(human_labels) => {
                    let drawn = counted(human_labels.sample.drawn(), "pair");
                    let text = format!(
                        "nobody has labelled one of the sample's {drawn} yet; llull review shows them"
                    );
                    self.add(Severity::Warning, &Part::Reference, text);
                }
                None => {
                    let text = "annotators have no sample to label yet; llull sample proposes one";
                    self.add(Severity::Warning, &Part::Reference, text.to_owned());
                }
            }
        }
        let compares = evidence.compared().is_some();
        let judges = evidence.judges.judges().iter().map(|judge| (judge, compares));
        let grading = evidence.graders.iter().flat_map(|graders| graders.judges());
        let all = judges.chain(grading.map(|grader| (grader, false)));
        Some(all.map(|(judge, compares)| to_ask(&JudgeTally::of(judge), compares, &evidence)).collect())
    }
}

/// Describes the open questions of a judge.
fn to_ask(tally: &JudgeTally, compares: bool, evidence: &StudyEvidence) -> String {
    let (open, known) = (tally.not_asked, format!("{} in the ledger already", count(tally.reused)));
    let is_annotator = |judge: &JudgeEvidence| judge.name() == tally.judge && !judge.is_asked();
    if evidence.judges.judges().iter().any(is_annotator) {
        let of = counted(evidence.pooled.len(), "pair");
        return format!("{} of {of} labelled in the ledger; a run asks nobody", count(tally.judged));
    }
    match (compares, evidence.compared()) {
        (true, _) if open == 0 => format!("no question to ask, {known}"),
        (true, _) => {
            format!(
                "{} to ask, {known}; others follow from the answers: llull run --dry-run",
                counted(open, "question")
            )
        }
        (false, Some(_)) => {
            format!("grades documents of each tier: {} to ask so far, {known}", counted(open, "pair"))
        }
        (false, None) => format!("{} to ask, {known}", counted(open, "pair")),
    }
}

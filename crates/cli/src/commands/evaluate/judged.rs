//! Judges retrieved texts, by computing or by requests.
//!
//! A judge that computes its answers needs no study; others judge as those of a study.

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::config::{JudgeKind, JudgeSettings};
use llull::core::{LabelSet, Paradigm};
use llull::data::EvaluationDataset;
use llull::expected_answers::{
    AnswerEvaluation, AnswerJudge, AnswerJudgment, AnswerQuestion, GatheredAnswers, SystemResults,
    refusal_of_yes_and_no,
};
use llull::judge::Rubric;
use llull::label::Disagreement;
use llull::report::{Report, ReportJudge, ReportJudgeKind};
use llull::runner::JudgeEvidence;
use llull::stats::BootstrapOptions;
use llull::{
    AnnotatorAgreement, AnswerStudyOptions, JudgeTally, JudgingOutcome, Study, annotator_agreement,
    answer_study, answering_annotators, asked_judgments, computed_answers, expected_answer_rubric,
    recorded_answers, settled_contexts,
};
use serde::Serialize;
use serde_json::{Map, Value};

use super::annotators::{review, warn_of_missing};
use super::asked::{AskedJudges, asked_judges};
use super::facts::AskedFacts;
use super::named::{NamedJudge, with_computing};
use crate::args::EvaluateArgs;
use crate::commands::judge::{LoadedStudy, ask_of, inputs, show_estimates, warn_of_checks};
use crate::commands::{Context, ledger_file, paid_once};
use crate::exit::refuse;

/// The unit of the judges' progress.
const CONTEXT: &str = "context";

/// An evaluation, and who judged it.
pub(super) struct Judged {
    pub(super) evaluation: AnswerEvaluation,
    pub(super) judges: Vec<JudgeOfAnswers>,
    /// How far they agree; `None` of an only judge.
    pub(super) agreement: Option<Agreement>,
    /// Whether no question is open.
    pub(super) complete: bool,
    /// The report on the judges that got requests, if a report is wanted.
    pub(super) asked: Option<Report<()>>,
    /// The agreement of judges with annotators, if annotators answered.
    pub(super) people: Option<AnnotatorAgreement>,
    /// The judges that failed a check; `None` without any, or if checks are ignored.
    pub(super) unreliable_judges: Option<String>,
}

impl Judged {
    /// The result of judges that compute their answers, without a ledger.
    fn computed(evaluation: AnswerEvaluation, judges: Vec<JudgeOfAnswers>) -> Self {
        Self {
            evaluation,
            judges,
            agreement: None,
            complete: true,
            asked: None,
            people: None,
            unreliable_judges: None,
        }
    }
}

/// A judge, as `--json` has it.
#[derive(Debug, Serialize)]
pub(super) struct JudgeOfAnswers {
    pub(super) name: String,
    /// The model as written, or the name of the computing judge.
    #[serde(skip)]
    pub(super) model: String,
    #[serde(skip)]
    kind: ReportJudgeKind,
    #[serde(skip)]
    prompt: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    parameters: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Counts>,
}

impl JudgeOfAnswers {
    fn computing(judge: &dyn AnswerJudge, kind: ReportJudgeKind) -> Self {
        let value = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
        let parameters = judge.parameters().into_iter().map(|(name, text)| (name, value(text))).collect();
        let name = judge.name().to_owned();
        Self { model: name.clone(), name, kind, prompt: None, parameters, counts: None }
    }

    fn asked(judge: &JudgeSettings) -> Self {
        let prompt = match &judge.kind {
            JudgeKind::Prompted { prompt, .. } => Some(prompt.clone()),
            _ => None,
        };
        let name = judge.name.clone();
        let kind = match &judge.kind {
            JudgeKind::Own(_) => ReportJudgeKind::Own,
            _ => ReportJudgeKind::LanguageModel,
        };
        let model = judge.model.clone();
        Self { name, model, kind, prompt, parameters: Map::new(), counts: None }
    }

    fn annotator(name: &str) -> Self {
        let (name, model) = (name.to_owned(), name.to_owned());
        let (kind, prompt) = (ReportJudgeKind::Annotator, None);
        Self { name, model, kind, prompt, parameters: Map::new(), counts: None }
    }

    /// Returns it as a report names it.
    pub(super) fn reported(&self) -> ReportJudge {
        ReportJudge {
            name: self.name.clone(),
            model: self.name.clone(),
            prompt: self.prompt.clone(),
            kind: self.kind,
            held_out: None,
            paradigm: Paradigm::Graded,
        }
    }

    /// Returns the parameters that decide its answers.
    pub(super) fn parameters(&self) -> impl Iterator<Item = (&str, String)> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        self.parameters.iter().map(move |(name, value)| (name.as_str(), text(value)))
    }
}

/// The outcomes of a judge's contexts.
#[derive(Debug, Serialize)]
pub(super) struct Counts {
    judged: usize,
    unusable: usize,
    #[serde(skip_serializing_if = "is_none")]
    refused: usize,
    not_asked: usize,
    from_ledger: usize,
}

impl Counts {
    fn of(tally: &JudgeTally) -> Self {
        let JudgeTally { judged, unusable, refused, gave_up, not_asked, reused, .. } = *tally;
        Self { judged, unusable, refused, not_asked: gave_up + not_asked, from_ledger: reused }
    }

    /// The counts of an annotator: an answer that was taken back does not count.
    fn of_annotator(judge: &JudgeEvidence) -> Self {
        let judged = judge.counts().judged;
        let not_asked = judge.tasks().len() - judged;
        Self { judged, unusable: 0, refused: 0, not_asked, from_ledger: judged }
    }
}

// serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// How far a panel agrees.
#[derive(Debug, Serialize)]
pub(super) struct Agreement {
    /// How many contexts at least two judges have answered.
    pub(super) contexts: usize,
    /// The number of these on which all agree.
    pub(super) unanimous: usize,
}

impl Agreement {
    fn of(labels: &LabelSet) -> Self {
        let disagreement = Disagreement::of(labels, 0);
        let unanimous = disagreement.spreads.get(&0).copied().unwrap_or(0);
        Self { contexts: disagreement.compared(), unanimous }
    }
}

/// The retrieved texts, and the rank down to which they are judged.
#[derive(Clone, Copy)]
pub(super) struct Retrieved<'a> {
    pub(super) dataset: &'a EvaluationDataset,
    pub(super) systems: &'a [SystemResults],
    pub(super) depth: Option<usize>,
    /// Whether a report is wanted, which shows the documents.
    pub(super) reported: bool,
    /// The rubric by which judges grade, if not yes and no.
    pub(super) rubric: Option<&'a Rubric>,
    /// The facts that judges judge in place of their answers, and the rest of the run's limits.
    pub(super) facts: &'a AskedFacts,
    /// How intervals are made.
    pub(super) bootstrap: BootstrapOptions,
}

impl<'a> Retrieved<'a> {
    /// Returns the questions for judges, from those about expected answers.
    fn asked<'q>(self, expected: &[AnswerQuestion<'q>]) -> Result<Vec<AnswerQuestion<'q>>>
    where
        'a: 'q,
    {
        Ok(match &self.facts.facts {
            Some(facts) => facts.questions(expected)?,
            None => expected.to_vec(),
        })
    }

    /// Returns the judgments by expected answers from those by facts.
    fn judgments(
        self,
        expected: &[AnswerQuestion<'_>],
        judged: Vec<Vec<AnswerJudgment>>,
    ) -> Vec<Vec<AnswerJudgment>> {
        match &self.facts.facts {
            Some(facts) => facts.judgments(expected, &judged),
            None => judged,
        }
    }

    fn gathered(self, reads_identifiers: bool) -> GatheredAnswers<'a> {
        let gathered = GatheredAnswers::new(self.dataset, self.systems, self.depth, reads_identifiers);
        if self.reported { gathered.keeping_documents() } else { gathered }
    }
}

/// Judges retrieved texts; `None` after a dry run.
pub(super) fn judge(
    context: &Context,
    args: &EvaluateArgs,
    judges: &[NamedJudge],
    retrieved: Retrieved<'_>,
) -> Result<Option<Judged>> {
    if args.dry_run && !judges.iter().any(|judge| matches!(judge, NamedJudge::Asked(_))) {
        return show_estimates(context, &retrieved.facts.estimates).map(|()| None);
    }
    if let ([only], None, false) = (judges, &args.ledger, args.review.is_some()) {
        let by_one = |judge: &dyn AnswerJudge| {
            let gathered = retrieved.gathered(judge.reads_identifiers());
            let expected = gathered.questions();
            let questions = retrieved.asked(&expected)?;
            let evaluation = gathered.evaluation(retrieved.judgments(&expected, judge.judge(&questions)?));
            let judges = vec![JudgeOfAnswers::computing(judge, only.kind())];
            Ok(Judged::computed(evaluation, judges))
        };
        if let Some(judged) = with_computing(context, only, by_one)? {
            return Ok(Some(judged));
        }
    }
    by_study(context, args, judges, retrieved)
}

/// Judges by a study in memory, whose ledger saves the answers.
fn by_study(
    context: &Context,
    args: &EvaluateArgs,
    judges: &[NamedJudge],
    retrieved: Retrieved<'_>,
) -> Result<Option<Judged>> {
    let gathered = retrieved.gathered(false);
    let expected = gathered.questions();
    let questions = retrieved.asked(&expected)?;
    // A review needs no judge, so the default judge is not checked.
    if !(args.review.is_some() && args.judges.is_empty()) {
        refuse_ungraded(judges, retrieved.rubric)?;
    }
    let AskedJudges { judges: asked, budget } = asked_judges(context, args, judges)?;
    let ledger = ledger(context, args, judges, &asked)?;
    let people = annotators_among(judges, ledger.as_deref(), retrieved.rubric)?;
    let (settings, mut shown) = settings_of(context, args, judges, (&questions, asked, ledger.as_deref()))?;
    let options = AnswerStudyOptions {
        ledger,
        limits: retrieved.facts.limits.clone(),
        budget,
        rubric: retrieved.rubric.cloned(),
        people: people.clone(),
        ..AnswerStudyOptions::default()
    };
    let Some(study) = answer_study(&questions, settings.clone(), options.clone())? else {
        if args.review.is_some() {
            refuse!(
                "no query has an expected answer and a result with a text, so there is nothing to review"
            );
        }
        if args.dry_run {
            return show_estimates(context, &retrieved.facts.estimates).map(|()| None);
        }
        let judged = questions.iter().map(|_| Vec::new()).collect();
        let evaluation = gathered.evaluation(retrieved.judgments(&expected, judged));
        return Ok(Some(Judged::computed(evaluation, shown)));
    };
    if let Some(asked) = &args.review {
        return review(context, asked, (retrieved.dataset, &questions), study).map(|()| None);
    }
    // Annotators have answered already: only the others get requests.
    let asking = match (settings.is_empty(), people.is_empty()) {
        (true, _) => None,
        (false, true) => Some(study.clone()),
        (false, false) => {
            answer_study(&questions, settings, AnswerStudyOptions { people: Vec::new(), ..options })?
        }
    };
    let inputs = inputs(context, &study)?;
    if args.dry_run {
        let mut estimates = retrieved.facts.estimates.clone();
        if let Some(asking) = &asking {
            estimates.extend(asking.estimates().open(&inputs, &asking.evidence(&inputs)?)?);
        }
        return show_estimates(context, &estimates).map(|()| None);
    }
    let asked_now = |asking: Study| {
        ask_of(CONTEXT, context, (&asking, &inputs), args.stopping, retrieved.facts.cancel.as_ref())
    };
    let outcome = asking.map(asked_now).transpose()?;
    let mut complete = outcome.as_ref().is_none_or(JudgingOutcome::is_complete);
    for (judge, tally) in shown.iter_mut().zip(outcome.iter().flat_map(|outcome| &outcome.tallies)) {
        judge.counts = Some(Counts::of(tally));
    }
    let evidence = match outcome {
        Some(outcome) if people.is_empty() => outcome.evidence,
        _ => study.evidence(&inputs)?,
    };
    for judge in evidence.judges.judges().iter().skip(shown.len()) {
        let counts = Counts::of_annotator(judge);
        warn_of_missing(context, judge.name(), counts.judged, judge.tasks().len());
        complete &= evidence.labels.labelled() == evidence.labels.asked();
        shown.push(JudgeOfAnswers { counts: Some(counts), ..JudgeOfAnswers::annotator(judge.name()) });
    }
    let known = LoadedStudy { inputs, evidence };
    let unreliable_judges = warn_of_checks(context, &study, &known);
    let LoadedStudy { inputs, evidence } = known;
    let settled = settled_contexts(&study, &evidence, &inputs.rubric)?;
    let judged = asked_judgments(&questions, &evidence, &inputs.rubric, &settled);
    let evaluation = gathered.evaluation(retrieved.judgments(&expected, judged));
    let agreement = (shown.len() > 1).then(|| Agreement::of(&evidence.labels));
    let people = annotator_agreement(&questions, &study, &evidence, &inputs.rubric, retrieved.bootstrap)?;
    let asked = match retrieved.reported {
        true => Some(study.report(&inputs, &evidence)?.into_summary()),
        false => None,
    };
    Ok(Some(Judged { evaluation, judges: shown, agreement, complete, asked, people, unreliable_judges }))
}

/// Returns the names of the annotators among the judges.
fn annotators_among(
    judges: &[NamedJudge],
    ledger: Option<&Path>,
    rubric: Option<&Rubric>,
) -> Result<Vec<String>> {
    let named = judges.iter().filter_map(|judge| match judge {
        NamedJudge::Annotator(name) => Some(name.clone()),
        _ => None,
    });
    let everybody = judges.iter().any(|judge| matches!(judge, NamedJudge::Annotators));
    let Some(ledger) = ledger.filter(|_| everybody) else { return Ok(named.collect()) };
    let people = match rubric {
        Some(rubric) => answering_annotators(ledger, rubric)?,
        None => answering_annotators(ledger, &expected_answer_rubric()?)?,
    };
    if people.is_empty() {
        refuse!(
            "--judge people: nobody has answered in {} under this rubric; llull review DATASET lets annotators answer",
            ledger.display()
        );
    }
    Ok(people)
}

/// Refuses judges that answer yes or no, which are the grades 1 and 0, together with a rubric of other grades.
fn refuse_ungraded(judges: &[NamedJudge], rubric: Option<&Rubric>) -> Result<()> {
    let Some(refusal) = rubric.and_then(refusal_of_yes_and_no) else { return Ok(()) };
    if judges.iter().all(|judge| matches!(judge, NamedJudge::Asked(_)) || judge.is_human()) {
        return Ok(());
    }
    refuse!("--rubric: {refusal}")
}

/// Returns the ledger's file, which is required unless all answers are computed.
fn ledger(
    context: &Context,
    args: &EvaluateArgs,
    judges: &[NamedJudge],
    asked: &[JudgeSettings],
) -> Result<Option<PathBuf>> {
    let why = match asked.first() {
        Some(asked) => paid_once(&asked.model, "answers"),
        None if args.review.is_some() => "human answers have to be saved".to_owned(),
        None => match judges.iter().find_map(NamedJudge::human) {
            Some(name) => {
                format!(
                    "--judge {name}: human answers are in a ledger, the file that llull review DATASET had"
                )
            }
            None => return Ok(args.ledger.clone()),
        },
    };
    ledger_file(context, args.ledger.as_ref(), (&why, "answers.sqlite")).map(Some)
}

/// Returns the judges as those of a study, in the order of the command line.
fn settings_of(
    context: &Context,
    args: &EvaluateArgs,
    judges: &[NamedJudge],
    (questions, asked, ledger): (&[AnswerQuestion<'_>], Vec<JudgeSettings>, Option<&Path>),
) -> Result<(Vec<JudgeSettings>, Vec<JudgeOfAnswers>)> {
    let mut asked = asked.into_iter();
    let (mut settings, mut shown) = (Vec::new(), Vec::new());
    for judge in judges {
        let kind = judge.kind();
        let computed = with_computing(context, judge, |judge| {
            let computed = match args.review.is_some() {
                true => recorded_answers(judge)?,
                false => computed_answers(judge, questions, ledger)?,
            };
            Ok((computed, JudgeOfAnswers::computing(judge, kind)))
        })?;
        match computed {
            Some((computed, judge)) => {
                settings.push(computed);
                shown.push(judge);
            }
            None if judge.is_human() => {}
            None => settings.extend(asked.next().inspect(|judge| shown.push(JudgeOfAnswers::asked(judge)))),
        }
    }
    Ok((settings, shown))
}

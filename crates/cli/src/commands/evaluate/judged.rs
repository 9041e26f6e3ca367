//! Judging what was gathered: by one judge that computes its answers, or as a study of its own.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use llull::config::{BudgetSettings, JudgeKind, JudgeSettings, Overrides, typed_judge};
use llull::core::{LabelSet, Paradigm};
use llull::data::EvaluationDataset;
use llull::expected_answers::{
    AnswerEvaluation, AnswerJudge, AnswerJudgment, AnswerQuestion, GatheredAnswers, SystemResults,
};
use llull::judge::{BUILTIN_GRADING_PROMPTS, Rubric};
use llull::label::Disagreement;
use llull::report::{Report, ReportJudge, ReportJudgeKind};
use llull::{
    AnswerStudyOptions, Estimate, Folder, JudgeTally, answer_study, asked_judgments, computed_answers,
};
use serde::Serialize;
use serde_json::{Map, Value};

use super::facts::AskedFacts;
use super::ledger_file::kept_in;
use super::named::{NamedJudge, with_computing};
use crate::args::EvaluateArgs;
use crate::commands::Context;
use crate::commands::judge::{KnownStudy, ask, ask_stopped_by, estimate_in_words, inputs, warn_of_alarms};
use crate::exit::Usage;

/// An evaluation, and who judged it.
pub(super) struct Judged {
    pub(super) evaluation: AnswerEvaluation,
    pub(super) judges: Vec<JudgeOfAnswers>,
    /// How far they agree; `None` of an only judge.
    pub(super) agreement: Option<Agreement>,
    /// Whether nothing is left to ask.
    pub(super) complete: bool,
    /// The report on the judges that were asked, for a report that is wanted.
    pub(super) asked: Option<Report<()>>,
}

/// A judge, as `--json` has it.
#[derive(Debug, Serialize)]
pub(super) struct JudgeOfAnswers {
    pub(super) name: String,
    /// The model as written, or the name of what computes its answers.
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

    /// Returns what decides its answers beside its name and the texts.
    pub(super) fn parameters(&self) -> impl Iterator<Item = (&str, String)> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        self.parameters.iter().map(move |(name, value)| (name.as_str(), text(value)))
    }
}

/// What became of a judge's contexts.
#[derive(Debug, Serialize)]
pub(super) struct Counts {
    judged: usize,
    unusable: usize,
    not_asked: usize,
    from_ledger: usize,
}

impl Counts {
    fn of(tally: &JudgeTally) -> Self {
        let JudgeTally { judged, unusable, gave_up, not_asked, reused, .. } = *tally;
        Self { judged, unusable, not_asked: gave_up + not_asked, from_ledger: reused }
    }
}

/// How far a panel agrees.
#[derive(Debug, Serialize)]
pub(super) struct Agreement {
    /// How many contexts at least two judges have answered.
    pub(super) contexts: usize,
    /// On how many of these all of them say the same.
    pub(super) unanimous: usize,
}

impl Agreement {
    fn of(labels: &LabelSet) -> Self {
        let disagreement = Disagreement::of(labels, 0);
        let unanimous = disagreement.spreads.get(&0).copied().unwrap_or(0);
        Self { contexts: disagreement.compared(), unanimous }
    }
}

/// What is to be judged, and down to which rank.
#[derive(Clone, Copy)]
pub(super) struct Retrieved<'a> {
    pub(super) dataset: &'a EvaluationDataset,
    pub(super) systems: &'a [SystemResults],
    pub(super) depth: Option<usize>,
    /// Whether a report is wanted, which shows the documents.
    pub(super) reported: bool,
    /// The rubric by which judges grade, if not yes and no.
    pub(super) rubric: Option<&'a Rubric>,
    /// The facts that judges are asked about, in place of the answers that are made of them, and what is left of the
    /// limits of the run.
    pub(super) facts: &'a AskedFacts,
}

impl<'a> Retrieved<'a> {
    /// Returns what judges are asked of what is expected.
    fn asked<'q>(self, expected: &[AnswerQuestion<'q>]) -> Result<Vec<AnswerQuestion<'q>>>
    where
        'a: 'q,
    {
        Ok(match &self.facts.facts {
            Some(facts) => facts.questions(expected)?,
            None => expected.to_vec(),
        })
    }

    /// Returns the judgments of what is expected from those of what was asked.
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

/// Judges what was retrieved; `None` if it was only estimated what that would take.
pub(super) fn judge(
    context: &Context,
    args: &EvaluateArgs,
    judges: &[NamedJudge],
    retrieved: Retrieved<'_>,
) -> Result<Option<Judged>> {
    if args.dry_run && !judges.iter().any(|judge| matches!(judge, NamedJudge::Asked(_))) {
        return show_estimates(context, &retrieved.facts.estimates).map(|()| None);
    }
    if let ([only], None) = (judges, &args.ledger) {
        let by_one = |judge: &dyn AnswerJudge| {
            let gathered = retrieved.gathered(judge.reads_identifiers());
            let expected = gathered.questions();
            let questions = retrieved.asked(&expected)?;
            let evaluation = gathered.evaluation(retrieved.judgments(&expected, judge.judge(&questions)?));
            let judges = vec![JudgeOfAnswers::computing(judge, only.kind())];
            Ok(Judged { evaluation, judges, agreement: None, complete: true, asked: None })
        };
        if let Some(judged) = with_computing(context, args, only, by_one)? {
            return Ok(Some(judged));
        }
    }
    by_study(context, args, judges, retrieved)
}

/// Judges by a study in memory, whose ledger keeps the answers.
fn by_study(
    context: &Context,
    args: &EvaluateArgs,
    judges: &[NamedJudge],
    retrieved: Retrieved<'_>,
) -> Result<Option<Judged>> {
    let gathered = retrieved.gathered(false);
    let expected = gathered.questions();
    let questions = retrieved.asked(&expected)?;
    refuse_ungraded(judges, retrieved.rubric)?;
    let AskedJudges { judges: asked, budget } = asked_judges(context, args, judges)?;
    let ledger = ledger(context, args, &asked)?;
    let (settings, mut judges) = settings_of(context, args, judges, (&questions, asked, ledger.as_deref()))?;
    let options = AnswerStudyOptions {
        ledger,
        limits: retrieved.facts.limits.clone(),
        budget,
        recheck: args.asking.recheck,
        rubric: retrieved.rubric.cloned(),
        seed: args.seed,
    };
    let Some(study) = answer_study(&questions, settings, options)? else {
        if args.dry_run {
            return show_estimates(context, &retrieved.facts.estimates).map(|()| None);
        }
        let judged = questions.iter().map(|_| Vec::new()).collect();
        let evaluation = gathered.evaluation(retrieved.judgments(&expected, judged));
        return Ok(Some(Judged { evaluation, judges, agreement: None, complete: true, asked: None }));
    };
    let inputs = inputs(context, &study)?;
    if args.dry_run {
        let mut estimates = retrieved.facts.estimates.clone();
        estimates.extend(study.estimate(&inputs, &study.evidence(&inputs)?)?);
        return show_estimates(context, &estimates).map(|()| None);
    }
    let outcome = match &retrieved.facts.cancel {
        Some(cancel) => ask_stopped_by(context, &study, &inputs, args.stopping, cancel)?,
        None => ask(context, &study, &inputs, args.stopping)?,
    };
    let complete = outcome.is_complete();
    for (judge, tally) in judges.iter_mut().zip(&outcome.tallies) {
        judge.counts = Some(Counts::of(tally));
    }
    let known = KnownStudy { inputs, evidence: outcome.evidence };
    warn_of_alarms(context, &study, &known);
    let judged = asked_judgments(&questions, &known.evidence, &known.inputs.rubric);
    let evaluation = gathered.evaluation(retrieved.judgments(&expected, judged));
    let agreement = (judges.len() > 1).then(|| Agreement::of(&known.evidence.labels));
    let asked = match retrieved.reported {
        true => Some(study.report(&known.inputs, &known.evidence)?.summary().clone()),
        false => None,
    };
    Ok(Some(Judged { evaluation, judges, agreement, complete, asked }))
}

/// Refuses judges that say yes or no, which are grades 1 and 0, beside others whose grades are not these.
fn refuse_ungraded(judges: &[NamedJudge], rubric: Option<&Rubric>) -> Result<()> {
    let yes_and_no = |rubric: &&Rubric| (rubric.scale.low(), rubric.scale.high()) == (0, 1);
    let Some(rubric) = rubric.filter(|rubric| !yes_and_no(rubric)) else { return Ok(()) };
    if judges.iter().all(|judge| matches!(judge, NamedJudge::Asked(_))) {
        return Ok(());
    }
    let (low, high) = (rubric.scale.low(), rubric.scale.high());
    bail!(Usage(format!(
        "--rubric: {:?} has grades from {low} to {high}, and token-overlap and semantic say no or yes, 0 or 1: name \
         judges that are asked alone, or a rubric of these two grades",
        rubric.name
    )))
}

/// The file that keeps the answers; none is needed where all are computed.
fn ledger(context: &Context, args: &EvaluateArgs, asked: &[JudgeSettings]) -> Result<Option<PathBuf>> {
    match asked.first() {
        None => Ok(args.ledger.clone()),
        Some(asked) => kept_in(context, args, &asked.model).map(Some),
    }
}

/// Says what would be asked.
fn show_estimates(context: &Context, estimates: &[Estimate]) -> Result<()> {
    if context.global.json {
        context.printer.result(serde_json::to_string_pretty(estimates)?)?;
        return Ok(());
    }
    for estimate in estimates {
        context.printer.result(estimate_in_words(estimate, None))?;
    }
    Ok(())
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
        let computed = with_computing(context, args, judge, |judge| {
            Ok((computed_answers(judge, questions, ledger)?, JudgeOfAnswers::computing(judge, kind)))
        })?;
        match computed {
            Some((computed, judge)) => {
                settings.push(computed);
                shown.push(judge);
            }
            None => settings.extend(asked.next().inspect(|judge| shown.push(JudgeOfAnswers::asked(judge)))),
        }
    }
    Ok((settings, shown))
}

/// Language models, and when to stop paying for them.
#[derive(Default)]
struct AskedJudges {
    judges: Vec<JudgeSettings>,
    budget: BudgetSettings,
}

/// Returns the language models among the judges: those of the study whose folder this is, or by their names alone.
fn asked_judges(context: &Context, args: &EvaluateArgs, judges: &[NamedJudge]) -> Result<AskedJudges> {
    let names: Vec<String> = judges
        .iter()
        .filter_map(|judge| match judge {
            NamedJudge::Asked(name) => Some(name.clone()),
            _ => None,
        })
        .collect();
    let overrides = Overrides {
        base_url: args.base_url.clone(),
        prompt: args.prompt.clone(),
        paradigm: Some(Paradigm::Graded),
        ..args.asking.overrides()
    };
    if names.is_empty() {
        return Ok(AskedJudges::default());
    }
    if Folder::new(&context.global.study).config().is_file() {
        let study = context.judges_to_ask(Overrides { judges: names, ..overrides })?;
        let judges = study.settings().judges.iter().map(|judge| in_folder(context, judge));
        return Ok(AskedJudges {
            judges: judges.collect::<Result<_>>()?,
            budget: study.settings().budget.clone(),
        });
    }
    let judges = names.iter().map(|name| typed(name, &overrides)).collect::<Result<_>>()?;
    Ok(AskedJudges { judges, ..AskedJudges::default() })
}

fn typed(name: &str, overrides: &Overrides) -> Result<JudgeSettings> {
    if !name.contains('/') {
        bail!(Usage(format!(
            "--judge {name}: there are token-overlap, token-overlap-evret, semantic, language models, which are \
             written provider/model, such as openai/gpt-4o-mini, and in a study's folder the judges of its llull.toml"
        )));
    }
    typed_judge(name, overrides).map_err(|error| Usage(error.to_string()).into())
}

/// A judge of the study whose folder this is, as another study in memory can ask it.
fn in_folder(context: &Context, judge: &JudgeSettings) -> Result<JudgeSettings> {
    let mut judge = judge.clone();
    match &mut judge.kind {
        JudgeKind::Prompted { prompt, .. } => {
            let file = context.global.study.join(&*prompt);
            if !BUILTIN_GRADING_PROMPTS.contains(&prompt.as_str()) {
                *prompt = file.display().to_string();
            }
            Ok(judge)
        }
        JudgeKind::Own(own) => {
            own.dir = Some(context.global.study.clone());
            Ok(judge)
        }
        _ => bail!(Usage(format!(
            "judge {} is {}, which knows no expected answers: choose a language model, a judge of your own, or \
             token-overlap, token-overlap-evret, semantic",
            judge.name, judge.model
        ))),
    }
}

//! Reads the facts for judges from a file.
//!
//! A model makes those that the file lacks.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::Result;
use llull::config::{BudgetSettings, JudgeSettings, Overrides};
use llull::core::Paradigm;
use llull::data::{DataError, EvaluationDataset, read_text};
use llull::expected_answers::{
    AnswerFacts, AnswerQuestion, FactsError, FactsTally, GatheredAnswers, MadeFacts, SystemResults,
};
use llull::report::text::counted;
use llull::runner::Cancel;
use llull::{AnswerStudyOptions, Environment, Estimate, FactMaking, facts_estimate};

use crate::args::EvaluateArgs;
use crate::commands::judge::{ask_until, inputs, print_endpoint};
use crate::commands::{Context, MODEL_NAMES, ledger_file, named_models, paid_once, write_output};
use crate::exit::refuse;

/// The unit of the model's progress.
const ANSWER: &str = "answer";

/// The facts that judges judge, and the rest of the run's limits.
pub(super) struct AskedFacts {
    /// `None` if judges judge answers.
    pub(super) facts: Option<AnswerFacts>,
    pub(super) tally: Option<FactsTally>,
    pub(super) limits: BudgetSettings,
    /// The cost of making the missing facts, for a dry run.
    pub(super) estimates: Vec<Estimate>,
    /// Cancels the judges, if a model made facts before them.
    pub(super) cancel: Option<Cancel>,
}

impl AskedFacts {
    fn without(args: &EvaluateArgs) -> Self {
        let limits = args.asking.limits();
        Self { facts: None, tally: None, limits, estimates: Vec::new(), cancel: None }
    }
}

/// Reads the facts, and lets a model make the missing ones; `None` if that was stopped.
pub(super) fn facts(
    context: &Context,
    args: &EvaluateArgs,
    dataset: &EvaluationDataset,
    systems: &[SystemResults],
) -> Result<Option<AskedFacts>> {
    let mut asked = AskedFacts::without(args);
    let Some(file) = &args.facts else { return Ok(Some(asked)) };
    let mut facts = read(args, file)?;
    let gathered = GatheredAnswers::new(dataset, systems, None, false);
    let questions = gathered.questions();
    if let Some(model) = &args.facts_by {
        let made = Making { context, args, file, model }.make(&questions, &facts, &mut asked)?;
        if let Some(made) = made {
            if !args.dry_run && !made.not_asked.is_empty() {
                context.printer.warn(format!(
                    "{} have no facts yet. Run the same command again: judges start when all have them",
                    counted(made.not_asked.len(), "answer")
                ));
                return Ok(None);
            }
            facts.add(made);
        }
    }
    let tally = facts.tally(&questions);
    context.printer.note(format!("{}: {tally}", file.display()));
    if let (Some(first), false) = (tally.without.first(), args.dry_run) {
        context.printer.warn(format!(
            "{} without facts have no judgments; the first is {:?} ({}). Write a line for each into {}",
            counted(tally.without.len(), "answer"),
            first.answer,
            first.reason,
            file.display()
        ));
    }
    (asked.facts, asked.tally) = (Some(facts), Some(tally));
    Ok(Some(asked))
}

/// Reads the file; a model may begin one that is not there.
fn read(args: &EvaluateArgs, file: &Path) -> Result<AnswerFacts> {
    let share = args.nugget_share.unwrap_or(AnswerFacts::SHARE);
    match AnswerFacts::parse(&text(args, file)?, &file.display().to_string(), share) {
        Err(error @ FactsError::Share(_)) => refuse!("--nugget-share: {error}"),
        facts => Ok(facts?),
    }
}

fn text(args: &EvaluateArgs, file: &Path) -> Result<String> {
    match read_text(file) {
        Err(DataError::File(error)) if args.facts_by.is_some() && error.kind() == ErrorKind::NotFound => {
            Ok(String::new())
        }
        read => Ok(read?),
    }
}

/// A model that makes facts, and the file that saves them.
struct Making<'a> {
    context: &'a Context,
    args: &'a EvaluateArgs,
    file: &'a Path,
    model: &'a str,
}

impl Making<'_> {
    /// Makes the missing facts, and adds them to the file; a dry run only estimates the cost. `None` if none is
    /// missing.
    fn make(
        &self,
        questions: &[AnswerQuestion<'_>],
        facts: &AnswerFacts,
        asked: &mut AskedFacts,
    ) -> Result<Option<MadeFacts>> {
        let making = FactMaking::new(questions, facts);
        if making.count() == 0 {
            return Ok(None);
        }
        let (writer, budget) = self.writer()?;
        let why = paid_once(&writer.model, "answers");
        let options = AnswerStudyOptions {
            ledger: Some(ledger_file(self.context, self.args.ledger.as_ref(), (&why, "answers.sqlite"))?),
            limits: asked.limits.clone(),
            budget,
            recheck: Some(0.0),
            ..AnswerStudyOptions::default()
        };
        let lookup = |name: &str| self.context.environment.get(name);
        let environment: Option<Environment<'_>> = (!self.args.dry_run).then_some(&lookup);
        let Some(study) = making.study(&writer, environment, options)? else { return Ok(None) };
        let inputs = inputs(self.context, &study)?;
        if self.args.dry_run {
            let evidence = study.evidence(&inputs)?;
            asked.estimates.extend(facts_estimate(&writer, &evidence)?);
            return Ok(Some(making.made(&writer.model, &evidence)));
        }
        print_endpoint(self.context, &study, &writer)?;
        let cancel = asked.cancel.insert(Cancel::new());
        crate::interrupt::on_ctrl_c(cancel);
        let outcome = ask_until(ANSWER, self.context, &study, &inputs, self.args.stopping, cancel)?;
        if let Some(cause) = outcome.cause_of_nothing() {
            return Err(cause.into());
        }
        let made = making.made(&writer.model, &outcome.evidence);
        self.keep(&made)?;
        asked.limits.spend(outcome.spent.attempts, outcome.spent.tokens, outcome.spent.usd);
        Ok(Some(made))
    }

    /// Adds new facts to the file, whose own lines are unchanged.
    fn keep(&self, made: &MadeFacts) -> Result<()> {
        if made.facts.is_empty() {
            return Ok(());
        }
        let mut text = text(self.args, self.file)?;
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&AnswerFacts::lines(made)?);
        write_output(self.context, self.file, text.as_bytes())?;
        let facts: usize = made.facts.iter().map(|(_, facts)| facts.len()).sum();
        self.context.printer.note(format!(
            "{}: {} of {} added; read them, and mend what is wrong",
            self.file.display(),
            counted(facts, "fact"),
            counted(made.facts.len(), "answer")
        ));
        Ok(())
    }

    fn writer(&self) -> Result<(JudgeSettings, BudgetSettings)> {
        let overrides = Overrides {
            base_url: self.args.base_url.clone(),
            paradigm: Some(Paradigm::Graded),
            ..self.args.asking.overrides()
        };
        let unknown = |name: &str| format!("--facts-by {name}: {MODEL_NAMES}");
        let (writers, budget) = named_models(self.context, vec![self.model.to_owned()], overrides, unknown)?;
        match writers.into_iter().next() {
            Some(writer) => Ok((writer, budget)),
            None => refuse!("--facts-by {}: no such model", self.model),
        }
    }
}

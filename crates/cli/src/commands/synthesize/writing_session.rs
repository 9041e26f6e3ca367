//! Runs rounds of questions, as studies in memory.

use anyhow::Result;
use llull::config::{BudgetSettings, JudgeSettings};
use llull::report::text::{count, counted};
use llull::runner::Cancel;
use llull::synthesis::{Synthesis, writer_estimate};
use llull::{AnswerStudyOptions, JudgingOutcome, Study};

use super::models::Models;
use super::neighbours::Neighbours;
use crate::args::SynthesizeArgs;
use crate::commands::judge::{ask_until, inputs, print_endpoint, show_estimates};
use crate::commands::{Context, ledger_file, paid_once};
use crate::exit::{Exit, refuse};

/// Whether the rounds end before there are enough questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halted {
    /// They continue.
    No,
    /// A limit, an interruption, or a model whose replies are unparsable.
    Yes,
}

/// Has models write and check, round by round, within the limits of the run.
pub(super) struct WritingSession<'a> {
    context: &'a Context,
    args: &'a SynthesizeArgs,
    models: &'a Models,
    cancel: Cancel,
    limits: BudgetSettings,
    neighbours: Neighbours<'a>,
    /// Whether the servers were printed.
    announced: bool,
    rounds: usize,
}

impl<'a> WritingSession<'a> {
    pub(super) fn new(context: &'a Context, args: &'a SynthesizeArgs, models: &'a Models) -> Self {
        let limits = args.asking.limits();
        let neighbours = Neighbours::new(context, args);
        Self { context, args, models, cancel: Cancel::new(), limits, neighbours, announced: false, rounds: 0 }
    }

    fn options(&self) -> Result<AnswerStudyOptions> {
        let why = paid_once(&self.models.writer.model, "replies");
        let ledger = ledger_file(self.context, self.args.ledger.as_ref(), (&why, "written.sqlite"))?;
        Ok(AnswerStudyOptions {
            ledger: Some(ledger),
            limits: self.limits.clone(),
            budget: self.models.budget.clone(),
            recheck: Some(0.0),
            seed: Some(self.args.seed),
            ..AnswerStudyOptions::default()
        })
    }

    /// Prints the cost of the first round. It sends no request, and needs no key.
    pub(super) fn estimate(&self, synthesis: &mut Synthesis) -> Result<Exit> {
        let asked = synthesis.begin_round();
        let Some(study) = synthesis.writing_study(&self.models.writer, None, self.options()?)? else {
            refuse!("there is nothing to write about")
        };
        let inputs = inputs(self.context, &study)?;
        let estimate = writer_estimate(&self.models.writer, &study.evidence(&inputs)?)?;
        show_estimates(self.context, estimate.as_slice())?;
        if self.context.global.json {
            return Ok(Exit::Fine);
        }
        if let Some(checker) = &self.models.checker {
            let nearest = self.args.nearest.saturating_mul(synthesis.out_of_context_asked());
            let others = match (nearest, &self.args.encoder) {
                (0, _) => String::new(),
                (_, encoder) => format!(
                    ": {} about the passages themselves, and {} about the nearest others by bm25{}, of questions out \
                     of context that their own does not answer",
                    count(asked),
                    count(nearest),
                    encoder.as_ref().map_or_else(String::new, |encoder| format!(" and {encoder}"))
                ),
            };
            self.context.printer.result(format!(
                "{}: at most {} to check what is written, a passage and a question each{others}",
                checker.name,
                counted(asked.saturating_add(nearest), "request")
            ))?;
            if let (1.., Some(encoder)) = (nearest, &self.args.encoder) {
                self.context.printer.result(format!(
                    "{encoder}: a vector of every passage of all documents, for the nearest ones"
                ))?;
            }
        }
        self.context.printer.result(format!(
            "this is the first round, about {}; what is dropped is followed by other passages, three for each question \
             at most",
            counted(asked, "passage")
        ))?;
        Ok(Exit::Fine)
    }

    /// Has a round's questions written and checked.
    pub(super) fn round(&mut self, synthesis: &mut Synthesis) -> Result<Halted> {
        let lookup = |name: &str| self.context.environment.get(name);
        let writer = &self.models.writer;
        let Some(study) = synthesis.writing_study(writer, Some(&lookup), self.options()?)? else {
            return Ok(Halted::Yes);
        };
        if !self.announced {
            self.neighbours.prepare()?;
        }
        self.announce(&study)?;
        let outcome = self.ask("passage", &study)?;
        synthesis.take_questions(&outcome.evidence);
        self.rounds += 1;
        if stopped(&outcome) {
            return Ok(Halted::Yes);
        }
        self.neighbours.drop_near(synthesis)?;
        let Some(checker) = self.models.checker.clone() else {
            synthesis.accept_unchecked();
            return Ok(Halted::No);
        };
        self.check(synthesis, checker)
    }

    /// Has a round's questions checked against their own passages, and then those out of context that these do not
    /// answer against the nearest ones.
    fn check(&mut self, synthesis: &mut Synthesis, checker: JudgeSettings) -> Result<Halted> {
        let Some(study) = synthesis.checking_study(checker.clone(), self.options()?)? else {
            return Ok(Halted::No);
        };
        let outcome = self.ask("question", &study)?;
        synthesis.take_checks(&outcome.evidence);
        if stopped(&outcome) {
            return Ok(Halted::Yes);
        }
        self.neighbours.find(synthesis)?;
        let Some(study) = synthesis.nearest_study(checker, self.options()?)? else {
            synthesis.take_nearest(None);
            return Ok(Halted::No);
        };
        let outcome = self.ask("nearest passage", &study)?;
        synthesis.take_nearest(Some(&outcome.evidence));
        Ok(if stopped(&outcome) { Halted::Yes } else { Halted::No })
    }

    /// Prints the servers and the key of requests, before the first is sent; and lets Ctrl-C stop them.
    fn announce(&mut self, study: &Study) -> Result<()> {
        if std::mem::replace(&mut self.announced, true) {
            return Ok(());
        }
        let judges: Vec<&JudgeSettings> =
            std::iter::once(&self.models.writer).chain(&self.models.checker).collect();
        for judge in judges {
            print_endpoint(self.context, study, judge)?;
        }
        crate::interrupt::on_ctrl_c(&self.cancel);
        Ok(())
    }

    /// Runs a study about passages, or about questions on them.
    fn ask(&mut self, noun: &'static str, study: &Study) -> Result<JudgingOutcome> {
        let inputs = inputs(self.context, study)?;
        let outcome = ask_until(noun, self.context, study, &inputs, self.args.stopping, &self.cancel)?;
        if let Some(cause) = outcome.cause_of_nothing() {
            // The results of earlier rounds are written all the same.
            if self.rounds == 0 {
                return Err(cause.into());
            }
            self.context.printer.warn(cause.to_string());
        }
        let spent = &outcome.spent;
        self.limits.spend(spent.attempts, spent.tokens, spent.usd);
        let unusable: usize = outcome.tallies.iter().map(|judge| judge.unusable).sum();
        if unusable > 0 {
            let replies = if unusable == 1 { "reply" } else { "replies" };
            let names: Vec<&str> = outcome.tallies.iter().map(|judge| judge.judge.as_str()).collect();
            self.context.printer.note(format!(
                "{}: {} {replies} could not be read, and are in no question",
                names.join(", "),
                count(unusable)
            ));
        }
        Ok(outcome)
    }
}

/// Whether a run was stopped, as opposed to giving up single questions.
fn stopped(outcome: &JudgingOutcome) -> bool {
    outcome.stopped.is_some() || !outcome.stopped_judges.is_empty()
}

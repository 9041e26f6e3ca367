//! The range of an estimate holds in at least 95 of 100 simulated studies of each paradigm.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use llull::config::{BudgetSettings, JudgeKind, TournamentSettings};
use llull::core::{Document, Paradigm, Ranking, Run, Scale, Seed, Topic, Usage, estimate_tokens};
use llull::judge::Rubric;
use llull::llm::ChatReply;
use llull::{Estimate, Study, StudyBuilder};
use llull_testkit::{ScriptedModel, Taste, answer_json, compared_json, grade_of_prompt, prompt_of, reply};

use crate::before_paying::priced;
use crate::collection::tournament;

/// US dollars a million tokens of prompts and of replies, as `priced` has them.
const PRICE: [f64; 2] = [1.0, 2.0];

/// A study whose size, texts, judge and provider are drawn.
struct Drawn {
    seed: Seed,
    paradigm: Paradigm,
}

/// What a provider counted.
#[derive(Default)]
struct Counted {
    calls: AtomicU64,
    prompt: AtomicU64,
    reply: AtomicU64,
}

impl Counted {
    fn take(&self) -> [u64; 3] {
        [&self.calls, &self.prompt, &self.reply].map(|count| count.swap(0, Ordering::Relaxed))
    }
}

/// Returns a number from `low` up to `high`.
fn drawn(seed: Seed, what: &str, low: f64, high: f64) -> f64 {
    low + (seed.stream(what) >> 11) as f64 / (1_u64 << 53) as f64 * (high - low)
}

impl Drawn {
    fn draw(&self, what: &str, low: f64, high: f64) -> f64 {
        drawn(self.seed, what, low, high)
    }

    /// Its model: a share of its comparisons is random, between 2 and 9 grades make for more ties or fewer, and the
    /// provider counts tokens differently from llull.
    fn model(&self, counted: &Arc<Counted>) -> Arc<ScriptedModel> {
        let errors = self.draw("errors", 0.0, 0.4);
        let scale = Scale::new(0, self.draw("grades", 1.0, 9.0) as i32).unwrap();
        let [factor, words] = [self.draw("tokens", 0.75, 1.2), self.draw("reply", 10.0, 200.0)];
        let (counted, seed) = (Arc::clone(counted), self.seed);
        Arc::new(ScriptedModel::answering("mine/m", move |request| {
            let prompt = prompt_of(&request.messages);
            let taste = match drawn(seed, &prompt, 0.0, 1.0) < errors {
                true => Taste::Coin,
                false => Taste::Merit,
            };
            let answer = compared_json(&prompt, taste, scale)
                .unwrap_or_else(|| answer_json(grade_of_prompt(&prompt, Scale::default())));
            let tokens = [f64::from(estimate_tokens(&prompt)) * factor, words].map(|tokens| tokens as u64);
            counted.calls.fetch_add(1, Ordering::Relaxed);
            counted.prompt.fetch_add(tokens[0], Ordering::Relaxed);
            counted.reply.fetch_add(tokens[1], Ordering::Relaxed);
            let usage = Usage::new(tokens[0], tokens[1]);
            let cost_usd = Some(usd(tokens));
            Ok(ChatReply { usage, cost_usd, ..reply(answer) })
        }))
    }

    fn study(&self, model: &Arc<ScriptedModel>) -> StudyBuilder {
        let (mut topics, mut corpus, mut run) = (Vec::new(), Vec::new(), Run::new("system"));
        for query in 0..self.draw("queries", 1.0, 3.0) as usize {
            let size = self.draw(&format!("size {query}"), 3.0, 7.0) as usize;
            let ids: Vec<String> = (0..size).map(|at| format!("{query}-{at}")).collect();
            for id in &ids {
                let words = self.draw(&format!("words {id}"), 2.0, 10.0) as usize;
                let text = format!("{} {id}", "word ".repeat(words));
                corpus.push(Document { id: id.clone(), text, ..Document::default() });
            }
            let scored = ids.iter().zip((1..=size).rev()).map(|(id, score)| (id.as_str(), score as f64));
            run.insert(query.to_string(), Ranking::from_scored(scored));
            topics.push(Topic { id: query.to_string(), text: format!("query {query} {:?}", self.seed) });
        }
        let study = Study::builder().topics(topics.into_iter().collect::<llull::core::Topics>());
        let rubric = Rubric::parse("Relevant documents answer the query.", "rubric.md").unwrap();
        let study = study.corpus(corpus).run(run).pool_depth(10).rubric(rubric).seed(self.seed.0);
        let settings = TournamentSettings { top: 3, window: self.window(), ..tournament(self.paradigm) };
        let (study, prompt) = match self.paradigm {
            Paradigm::Graded => (study, "graded"),
            Paradigm::Pairwise => (study.tournament(settings), "pairwise"),
            Paradigm::Listwise => (study.tournament(settings), "listwise"),
        };
        let mut judge = priced(model);
        let JudgeKind::Prompted { prompt: name, .. } = &mut judge.kind else { unreachable!() };
        prompt.clone_into(name);
        study.judge_settings(judge)
    }

    fn window(&self) -> usize {
        match self.paradigm {
            Paradigm::Pairwise => 2,
            _ => self.draw("window", 3.0, 6.0) as usize,
        }
    }
}

fn usd([prompt, reply]: [u64; 2]) -> f64 {
    (prompt as f64 * PRICE[0] + reply as f64 * PRICE[1]) / 1e6
}

fn estimate(study: &Study) -> Estimate {
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    study.estimates().open(&inputs, &evidence).unwrap().remove(0)
}

/// Returns whether a study stays within its estimate. Every second one is estimated when some questions are answered.
fn holds(seed: u64, paradigm: Paradigm) -> bool {
    let drawn = Drawn { seed: Seed(seed), paradigm };
    let counted = Arc::new(Counted::default());
    let model = drawn.model(&counted);
    let some = BudgetSettings { calls: Some(4), ..BudgetSettings::default() };
    let ledger = crate::shared_ledger::shared_ledger().0;
    if !seed.is_multiple_of(2) {
        let begun = drawn.study(&model).shared_ledger(Arc::clone(&ledger)).run_limits(some).build().unwrap();
        begun.judge(&begun.inputs().unwrap()).run().unwrap();
    }
    let study = drawn.study(&model).shared_ledger(ledger).build().unwrap();
    let range = estimate(&study);
    counted.take();
    let outcome = study.judge(&study.inputs().unwrap()).run().unwrap();
    assert_eq!(outcome.stopped, None);
    let [calls, prompt, reply] = counted.take();
    let [low, high] = range.prompt_tokens_range;
    (range.calls_low..=range.calls_high).contains(&calls)
        && (low..=high).contains(&prompt)
        && reply <= range.reply_tokens_at_most
        && usd([prompt, reply]) <= range.usd_at_most.unwrap()
}

#[test]
fn ranges_hold_in_95_of_100_studies() {
    let held = [Paradigm::Graded, Paradigm::Pairwise, Paradigm::Listwise]
        .map(|paradigm| (0..100).filter(|seed| holds(*seed, paradigm)).count());
    assert!(held.iter().all(|held| *held >= 95), "{held:?} of 100 that grade, compare pairs and order lists");
}

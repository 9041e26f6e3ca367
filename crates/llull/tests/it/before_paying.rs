//! What judging would still cost, and exactly what a judge would be sent: nothing is asked.

use llull::InputError;
use llull::JudgeError;
use std::sync::Arc;

use llull::config::{BudgetSettings, JudgeKind, JudgeSettings, PriceSettings, TournamentSettings};
use llull::core::{Paradigm, Usage};
use llull::llm::ChatReply;
use llull::runner::{Limit, StopReason};
use llull::{Estimate, Study, StudyError};
use llull_testkit::{ScriptedModel, answer_json, prompt_of, reply};

use crate::collection::{PAIRS, judged, known, study, tournament};
use crate::shared_ledger::{attempts, shared_ledger};
use crate::simulated_judge::{SharedModel, SimulatedJudge};

fn model() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering("mine/m", |_| Ok(reply(answer_json(2)))))
}

/// The judge of a model, with a price of 1 and 2 dollars a million tokens.
pub(crate) fn priced(model: &Arc<ScriptedModel>) -> JudgeSettings {
    let study = study().model("mine", SharedModel(Arc::clone(model)), "graded").build().unwrap();
    let mut judge = study.settings().judges[0].clone();
    let JudgeKind::Prompted { price, .. } = &mut judge.kind else { unreachable!() };
    *price = Some(PriceSettings { input: 1.0, cached: None, output: 2.0 });
    judge
}

fn estimate(study: &Study) -> Estimate {
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    study.estimates().open(&inputs, &evidence).unwrap().remove(0)
}

/// A limit in dollars used to stop the run after the first answer, which was paid for.
#[test]
fn a_limit_in_dollars_needs_a_price_before_anything_is_asked() {
    let judged_by = |model: &str, price: &str| {
        let folder = tempfile::tempdir().unwrap();
        llull::write_demo(folder.path()).unwrap();
        let path = folder.path().join("llull.toml");
        let config = fs_err::read_to_string(&path).unwrap();
        let model = format!("model = \"{model}\"\n{price}");
        fs_err::write(&path, config.replace("model = \"recorded:claude.jsonl\"\n", &model)).unwrap();
        let overrides = llull::config::Overrides { max_usd: Some(0.0), ..Default::default() };
        let study = Study::open(folder.path(), &overrides).unwrap();
        let inputs = study.inputs().unwrap();
        let key = |name: &str| name.ends_with("_API_KEY").then(|| "k".to_owned());
        let doctor = study.examine(&key, false);
        let found = doctor.iter().any(|finding| finding.text.contains("there is a limit in US dollars"));
        (study.judge(&inputs).environment(&key).run(), found)
    };
    let (said, found) = judged_by("openai/m", "");
    let said = said.unwrap_err();
    assert!(matches!(said, StudyError::Judges(JudgeError::NoPrice { .. })) && found, "{said}");
    assert!(said.to_string().contains("set price = { input = 0.15, output = 0.60 }"), "{said}");
    for (model, price) in [("openai/m", "price = { input = 1.0, output = 1.0 }\n"), ("openrouter/m", "")] {
        let (said, found) = judged_by(model, price);
        let said = said.unwrap();
        assert_eq!((said.spent.attempts, said.stopped.is_some(), found), (0, true, false), "{model}");
    }
}

/// Cached tokens of earlier answers counted at the full price, so that a budget ended too early.
#[test]
fn cached_tokens_of_answers_that_had_no_price_are_cheaper() {
    let usage = Usage { cached_tokens: Some(800), ..Usage::new(1_000, 10) };
    let unpriced = Arc::new(ScriptedModel::answering("mine/m", move |_| {
        Ok(ChatReply { cost_usd: None, usage, ..reply(answer_json(2)) })
    }));
    let (ledger, _) = shared_ledger();
    let four = BudgetSettings { calls: Some(4), ..BudgetSettings::default() };
    let first = study().model("mine", SharedModel(Arc::clone(&unpriced)), "graded");
    judged(&first.shared_ledger(Arc::clone(&ledger)).run_limits(four).build().unwrap());

    let mut judge = priced(&unpriced);
    let JudgeKind::Prompted { price, .. } = &mut judge.kind else { unreachable!() };
    *price = Some(PriceSettings { input: 1.0, cached: Some(0.25), output: 2.0 });
    // 200 tokens at 1 dollar a million, 800 at 0.25, 10 at 2.
    let four = BudgetSettings { usd: Some(4.0 * 420e-6), ..BudgetSettings::default() };
    let none_left =
        judged(&study().judge_settings(judge).shared_ledger(ledger).budget(four).build().unwrap()).1;
    assert_eq!(none_left.spent.attempts, 0);
    let end = none_left.budget.unwrap();
    assert!((end.spent - 4.0 * 420e-6).abs() < 1e-12, "{end}");
}

/// After 100 answers without a price and `usd = 50`, 50 dollars more were spent.
#[test]
fn answers_that_had_no_price_count_in_a_budget_of_dollars() {
    let unpriced = Arc::new(ScriptedModel::answering("mine/m", |_| {
        Ok(ChatReply { cost_usd: None, ..reply(answer_json(2)) })
    }));
    let (ledger, _) = shared_ledger();
    let four = BudgetSettings { calls: Some(4), ..BudgetSettings::default() };
    let first = study().model("mine", SharedModel(Arc::clone(&unpriced)), "graded");
    judged(&first.shared_ledger(Arc::clone(&ledger)).run_limits(four).build().unwrap());
    let usage = attempts(&ledger).first().unwrap().answer.usage;
    let each = (usage.prompt_tokens.unwrap() as f64 + 2.0 * usage.completion_tokens.unwrap() as f64) / 1e6;

    let budget = |usd| BudgetSettings { usd: Some(usd), ..BudgetSettings::default() };
    let spent = |usd| {
        let builder = study().judge_settings(priced(&unpriced)).shared_ledger(Arc::clone(&ledger));
        judged(&builder.budget(budget(usd)).build().unwrap()).1
    };
    let none_left = spent(each * 4.0);
    assert_eq!(none_left.spent.attempts, 0);
    assert_eq!(none_left.stopped, Some(StopReason::Budget(Limit::Usd)));
    let end = none_left.budget.unwrap();
    assert!((end.spent - each * 4.0).abs() < 1e-12, "{end}");

    let still_unpriced = study().model("mine", SharedModel(Arc::clone(&unpriced)), "graded");
    let still_unpriced = still_unpriced.shared_ledger(ledger).budget(budget(1.0)).build().unwrap();
    let inputs = still_unpriced.inputs().unwrap();
    let said = still_unpriced.judge(&inputs).run().unwrap_err();
    assert!(matches!(said, StudyError::Judges(JudgeError::BudgetUnknown(_))), "{said}");
    assert!(
        said.to_string().contains("4 answers of judge mine (mine/m) without a price; set price"),
        "{said}"
    );
    assert_eq!(unpriced.calls(), 4, "nothing was asked before the error");
}

#[test]
fn an_estimate_counts_the_open_questions_and_prices_them_by_the_replies_so_far() {
    let model = model();
    let budget = BudgetSettings { calls: Some(4), ..BudgetSettings::default() };
    let study = study().judge_settings(priced(&model)).run_limits(budget).build().unwrap();
    let before = estimate(&study);
    assert_eq!((before.calls, before.reply_tokens, before.usd), (PAIRS as u64, None, None));
    assert_eq!(before.reply_tokens_at_most, 1024 * PAIRS as u64);
    // Prompts at 1.25 times the estimate.
    let at_most = (1.25 * before.prompt_tokens as f64 + 2.0 * before.reply_tokens_at_most as f64) / 1e6;
    assert!((before.usd_at_most.unwrap() - at_most).abs() < 1e-6, "{before:?}");
    assert_eq!(model.calls(), 0);

    judged(&study);
    let after = estimate(&study);
    assert_eq!((after.calls, after.reply_tokens), (7, Some(7 * 20)), "the mean of what was answered");
    assert!(
        (after.usd.unwrap() - (after.prompt_tokens as f64 + 2.0 * 140.0) / 1e6).abs() < 1e-6,
        "{after:?}"
    );
    judged(&study);
    judged(&study);
    assert_eq!((estimate(&study).calls, estimate(&study).usd), (0, Some(0.0)));
}

#[test]
fn an_estimate_of_comparisons_is_simulated_and_follows_the_share_of_ties() {
    let study = |budget| {
        let settings = TournamentSettings { top: 3, ..tournament(Paradigm::Pairwise) };
        study()
            .tournament(settings)
            .replay("known", known())
            .budget(BudgetSettings { calls: budget, ..BudgetSettings::default() })
    };
    let fresh = estimate(&study(None).build().unwrap());
    assert!(fresh.calls >= 3 && fresh.calls_high >= fresh.calls, "{fresh:?}");
    assert_eq!((fresh.ties, fresh.ties_answers, fresh.prompt_tokens), (Some(0.3), 0, 0));
    let part = study(Some(2)).build().unwrap();
    judged(&part);
    assert!(estimate(&part).calls < fresh.calls);
    let whole = study(None).build().unwrap();
    judged(&whole);
    assert_eq!(estimate(&whole).calls, 0);
}

/// Many equal grades: a judge that says Neither often is asked more pairs, and a part of its answers tells.
#[test]
fn an_estimate_goes_by_how_often_the_judge_has_said_neither() {
    let folder = tempfile::tempdir().unwrap();
    llull::write_demo(folder.path()).unwrap();
    let config = fs_err::read_to_string(folder.path().join("llull.toml")).unwrap();
    let config = config.replace("seed = 42\n", "seed = 42\nparadigm = \"pairwise\"\n");
    let config = config
        .replace("model = \"recorded:claude.jsonl\"\n", "model = \"replay\"\nlabels = \"authors.qrels\"\n");
    fs_err::write(folder.path().join("llull.toml"), config).unwrap();
    let open = |calls| {
        let overrides = llull::config::Overrides { max_calls: calls, ..Default::default() };
        Study::open(folder.path(), &overrides).unwrap()
    };
    let nothing_known = estimate(&open(None));
    assert_eq!((nothing_known.ties, nothing_known.ties_answers), (Some(0.3), 0));
    judged(&open(Some(29)));
    assert_eq!(estimate(&open(None)).ties_answers, 0);
    judged(&open(Some(1)));
    assert_eq!(estimate(&open(None)).ties_answers, 30);
    judged(&open(Some(270)));
    let estimated = estimate(&open(None));
    assert!(estimated.ties.is_some_and(|ties| (0.5..0.8).contains(&ties)), "{estimated:?}");
    let left = judged(&open(None)).1.spent.attempts;
    assert!(nothing_known.calls < left, "more Neither than is assumed: {nothing_known:?}");
    assert!(
        estimated.calls.abs_diff(left) * 10 < left && estimated.calls_high >= left,
        "{estimated:?} of {left}"
    );
}

/// The dry run said 2,251, and it took 5,290.
#[test]
fn pairs_stay_within_the_range_however_often_the_judge_says_neither() {
    for seed in 0..12 {
        for (orders, double_check) in [(1, false), (2, false), (1, true)] {
            // Neither in none, some and all of the answers, and answers that contradict each other.
            let neither = seed % 4;
            let judge = SimulatedJudge::new("unsure", Paradigm::Pairwise, move |case, _| {
                let mut ids: Vec<&str> = case.document_ids().collect();
                ids.sort_unstable();
                let drawn = llull::core::Seed(seed).stream(&format!("{} {}", case.topic.id, ids.join(" ")));
                let first_wins = (drawn >> 8).is_multiple_of(2);
                crate::simulated_judge::ordered(case, move |_, id| {
                    let wins = (id == ids[0]) == first_wins;
                    i32::from(drawn % 3 >= neither && wins)
                })
            });
            let settings =
                TournamentSettings { top: 3, orders, double_check, ..tournament(Paradigm::Pairwise) };
            let study = study().tournament(settings).judge(judge).build().unwrap();
            let range = estimate(&study);
            let (lowest, highest) = (range.calls_lowest.unwrap(), range.calls_highest.unwrap());
            assert!(lowest <= range.calls && range.calls_high <= highest, "{range:?}");
            let asked = judged(&study).1.spent.attempts;
            assert!((lowest..=highest).contains(&asked), "seed {seed}: {asked} of {range:?}");
        }
    }
}

#[test]
fn a_preview_is_the_prompt_that_is_sent() {
    let model = model();
    let study = study().model("mine", SharedModel(Arc::clone(&model)), "graded").build().unwrap();
    let inputs = study.inputs().unwrap();
    let previews = study.preview(&inputs, None, None).unwrap();
    assert_eq!(previews.len(), 1);
    let (first, named) = (&previews[0], &study.preview(&inputs, Some("q2"), Some("b3")).unwrap()[0]);
    assert_eq!((named.topic.as_str(), named.document.as_str()), ("q2", "b3"));
    assert_eq!((first.topic.as_str(), model.calls()), ("q1", 0));
    study.judge(&inputs).run().unwrap();
    let sent: Vec<String> = model.requests().iter().map(|request| prompt_of(&request.messages)).collect();
    for preview in [first, named] {
        let shown: Vec<&str> = preview.messages.iter().map(|message| message.content.as_str()).collect();
        assert!(sent.contains(&shown.join("\n\n")), "{preview:?}");
        assert!(
            preview.tokens > 0 && preview.schema["properties"]["grade"].is_object(),
            "{}",
            preview.schema
        );
    }
}

#[test]
fn a_preview_of_comparisons_shows_a_document_among_others() {
    let settings = TournamentSettings { window: 3, ..tournament(Paradigm::Listwise) };
    let model = ScriptedModel::answering("mine/m", |_| panic!("nothing is asked"));
    let study = study().tournament(settings).model("mine", model, "listwise").build().unwrap();
    let inputs = study.inputs().unwrap();
    let preview = study.preview(&inputs, Some("q2"), Some("b3")).unwrap().remove(0);
    assert!(preview.document.split(", ").count() == 3 && preview.document.contains("b3"), "{preview:?}");
    assert_eq!(preview.messages.last().unwrap().content.matches("</document-").count(), 3);
}

#[test]
fn judges_without_a_prompt_have_no_preview() {
    let study = study().judge(SimulatedJudge::grading("fair", 0.0)).replay("known", known()).build().unwrap();
    assert!(study.preview(&study.inputs().unwrap(), None, None).unwrap().is_empty());
}

#[test]
fn a_preview_of_what_is_not_there_is_an_error() {
    let study = study().model("mine", SharedModel(model()), "graded").build().unwrap();
    let inputs = study.inputs().unwrap();
    let error = study.preview(&inputs, Some("q9"), None).unwrap_err();
    assert!(matches!(error, StudyError::Inputs(InputError::UnknownQuery { query, .. }) if query == "q9"));
    let error = study.preview(&inputs, None, Some("nothing")).unwrap_err();
    assert!(
        matches!(error, StudyError::Inputs(InputError::UnknownDocument { document, .. }) if document == "nothing")
    );
}

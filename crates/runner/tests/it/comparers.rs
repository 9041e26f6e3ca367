//! The built-in judges that compare: requests, answers and keys.

use std::sync::Arc;

use llull_core::{
    Answer, ComparedVerdict, Document, Failure, FailureKind, Hash, Outcome, Paradigm, Qrels, Reason,
    Sampling, Scale, Topic, Verdict,
};
use llull_judge::{AnchorOrder, IdfBuilder, Prompt, Rubric, Similarity};
use llull_llm::{ChatReply, Finish, ReplyToken};
use llull_runner::{
    Case, Judge, JudgeIdentity, ModelJudge, PooledDocument, Prompted, PromptedSettings, ReplayJudge,
    SimilarityJudge,
};
use llull_testkit::{ScriptedModel, reply};

use crate::stage::{positions, runtime};

fn settings() -> PromptedSettings {
    PromptedSettings {
        sampling: Sampling { seed: Some(5), ..Sampling::default() },
        document_tokens: 20,
        window_tokens: 100,
        ..PromptedSettings::new("strict", "openai/m")
    }
}

fn prompted(prompt: &str, settings: PromptedSettings) -> Prompted {
    let rubric = Rubric::parse(Rubric::default_text(), "rubric.md").unwrap();
    Prompted::new(settings, Prompt::builtin(prompt).unwrap(), Arc::new(rubric))
}

fn asking(prompted: Prompted, model: &Arc<ScriptedModel>) -> ModelJudge {
    ModelJudge::new(Arc::new(prompted), model.clone(), 2)
}

fn topic() -> Topic {
    Topic { id: "q1".into(), text: "how do bloom filters work".into() }
}

fn stock(texts: &[&str]) -> Vec<PooledDocument> {
    let document = |(at, text): (usize, &&str)| {
        PooledDocument::Found(Document {
            id: format!("d{at}"),
            title: String::new(),
            text: (*text).to_owned(),
        })
    };
    texts.iter().enumerate().map(document).collect()
}

fn ask(judge: &dyn Judge, case: Case<'_>, sample: u32) -> Answer {
    runtime().block_on(judge.ask(case, sample))
}

fn verdict(answer: &Answer) -> &ComparedVerdict {
    match &answer.outcome {
        Outcome::Judged { verdict: Verdict::Compared(verdict) } => verdict,
        other => panic!("{other:?}"),
    }
}

fn unusable(answer: Answer) -> (Reason, String) {
    match answer.outcome {
        Outcome::Unusable(unusable) => (unusable.reason, unusable.detail),
        other => panic!("{other:?}"),
    }
}

#[test]
fn documents_are_shown_in_the_cases_order_and_named_by_it() {
    let text = r#"{"rationale": "It says.", "ranking": [["B"], ["A", "C"]]}"#;
    let full = ChatReply { reasoning: Some("Hm: C?".into()), cost_usd: Some(0.5), ..reply(text) };
    let cut_off = ChatReply { finish: Finish::Length, ..reply(text.trim_end_matches('}')) };
    let refused = ChatReply { finish: Finish::Refused, ..reply("No.") };
    let part = reply(r#"{"rationale": "", "ranking": ["B", "A"]}"#);
    let limited = Failure { retry_after_ms: Some(9), ..Failure::new(FailureKind::RateLimited, "429") };
    let script = [Ok(full), Ok(cut_off), Ok(refused), Ok(part), Err(limited.clone())];
    let model = Arc::new(ScriptedModel::in_order("openai/m", script));
    let judge = asking(prompted("listwise", settings()), &model);
    let long = "word ".repeat(100);
    let (topic, stock) = (topic(), stock(&["zero", "one", &long, "three"]));
    let shown = positions(&[3, 0, 2]);
    let case = Case::new(&topic, &shown, &stock).unwrap();

    let answer = ask(&judge, case, 0);
    assert_eq!(verdict(&answer).order, [vec![1], vec![0, 2]], "positions in the case, not in the stock");
    assert_eq!(verdict(&answer).rationale, "It says.");
    assert!(verdict(&answer).probabilities.is_empty());
    assert_eq!(answer.reply.as_deref(), Some(&*format!("<think>\nHm: C?\n</think>\n{text}")));
    assert_eq!((answer.cost_usd, answer.tokens_cut), (Some(0.5), 80));

    assert_eq!(unusable(ask(&judge, case, 1)).0, Reason::CutOff);
    assert_eq!(unusable(ask(&judge, case, 0)).0, Reason::Refused);
    let omitted = (Reason::NotAnOrder, "the ranking omits C".to_owned());
    assert_eq!(unusable(ask(&judge, case, 0)), omitted);
    let failed = ask(&judge, case, 0);
    assert_eq!((failed.outcome, failed.tokens_cut), (Outcome::Failed(limited), 80));

    let requests = model.requests();
    let user = &requests[0].messages[1].content;
    let places = ["Document A:", "three", "Document B:", "zero", "Document C:", "word", "cut here"];
    let places: Vec<_> = places.iter().map(|part| user.find(part)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{user}");
    assert_eq!(requests[0], judge.prompted().request(&case, 0).unwrap().chat);
    let schema = requests[0].schema.as_ref().unwrap();
    let labels = &schema.schema["properties"]["ranking"]["items"]["items"]["enum"];
    assert_eq!(*labels, serde_json::json!(["A", "B", "C"]));
    assert_eq!(requests.iter().map(|r| r.sampling.seed).collect::<Vec<_>>(), [5, 6, 5, 5, 5].map(Some));
    assert!(requests.iter().all(|request| request.logprobs.is_none()));
}

#[test]
fn two_documents_and_how_sure_the_model_is() {
    let token = |text: &str, probability: f64, others: &[(&str, f64)]| ReplyToken {
        text: text.into(),
        logprob: probability.ln(),
        alternatives: others.iter().map(|(text, p)| ((*text).to_owned(), p.ln())).collect(),
    };
    let text = r#"{"choice": "RHS"}"#;
    let sure = ChatReply {
        tokens: vec![
            token(r#"{"choice": ""#, 1.0, &[]),
            token("R", 0.5, &[("L", 0.25), ("Neither", 0.25)]),
            token("HS\"}", 1.0, &[]),
        ],
        ..reply(text)
    };
    let model = Arc::new(ScriptedModel::in_order("openai/m", [Ok(sure), Ok(reply(text))]));
    let settings = PromptedSettings { logprobs: Some(5), ..settings() };
    let judge = asking(prompted("pairwise-direct", settings), &model);
    let (topic, stock) = (topic(), stock(&["zero", "one", "two"]));
    let shown = positions(&[2, 0]);
    let case = Case::new(&topic, &shown, &stock).unwrap();
    let answer = ask(&judge, case, 0);
    assert_eq!(verdict(&answer).order, [vec![1], vec![0]]);
    let probabilities = &verdict(&answer).probabilities;
    assert!((probabilities[0] - 0.25).abs() < 1e-12 && (probabilities[1] - 0.5).abs() < 1e-12);
    assert!(verdict(&ask(&judge, case, 0)).probabilities.is_empty(), "unknown where no tokens came");
    assert_eq!(model.requests()[0].logprobs, Some(5));

    // A prompt for two documents rejects three, and nothing is sent.
    let shown = positions(&[0, 1, 2]);
    let three = Case::new(&topic, &shown, &stock).unwrap();
    let Outcome::Failed(failure) = ask(&judge, three, 0).outcome else { panic!() };
    assert_eq!(failure.kind, FailureKind::Rejected);
    assert!(failure.message.contains("two documents, and is given 3"), "{failure}");
    assert_eq!(model.calls(), 2);
}

#[test]
fn the_key_is_the_texts_in_their_order_and_who_is_asked() {
    let base = prompted("listwise", settings());
    let long = "word ".repeat(100);
    let cut = "word ".repeat(20).trim_end().to_owned();
    let (topic, stock) = (topic(), stock(&["zero", "one", &long, &cut, "one"]));
    let key = |judge: &Prompted, documents: &[u32], sample| {
        judge.key(&Case::new(&topic, &positions(documents), &stock).unwrap(), sample)
    };
    let same = key(&base, &[0, 1, 2], 0);
    // Not part of the key: names, identifiers of documents, text that was not shown.
    let with = |changed: PromptedSettings| key(&prompted("listwise", changed), &[0, 1, 2], 0);
    assert_eq!(with(PromptedSettings { name: "again".into(), ..settings() }), same);
    assert_eq!(key(&base, &[0, 4, 2], 0), same);
    assert_eq!(with(PromptedSettings { window_tokens: 1000, ..settings() }), same);

    let others = [
        key(&base, &[1, 0, 2], 0),
        key(&base, &[0, 1], 0),
        key(&base, &[0, 1, 3], 0),
        key(&base, &[0, 1, 2], 1),
        key(&prompted("listwise-direct", settings()), &[0, 1, 2], 0),
        with(PromptedSettings { model: "openai/n".into(), ..settings() }),
        with(PromptedSettings { document_tokens: 30, ..settings() }),
        with(PromptedSettings { window_tokens: 10, ..settings() }),
        with(PromptedSettings { anchor_order: AnchorOrder::Shuffled(1), ..settings() }),
        with(PromptedSettings { sampling: Sampling::default(), ..settings() }),
        with(PromptedSettings { allow_neither: false, ..settings() }),
        with(PromptedSettings { logprobs: Some(5), ..settings() }),
    ];
    let different: std::collections::BTreeSet<_> = others.iter().chain([&same]).collect();
    assert_eq!(different.len(), others.len() + 1);
}

#[test]
fn the_paradigm_is_the_prompts() {
    for (prompt, paradigm) in [
        ("pairwise", Paradigm::Pairwise),
        ("listwise-direct", Paradigm::Listwise),
        ("setwise", Paradigm::Listwise),
    ] {
        assert_eq!(prompted(prompt, settings()).spec().paradigm, paradigm);
    }
}

#[test]
fn the_baseline_orders_by_coverage_and_ties_where_it_is_equal() {
    let mut idf = IdfBuilder::new(["how do bloom filters work"]);
    idf.add("bloom filters answer quickly");
    idf.add("filters everywhere");
    let similarity = Similarity::new(Scale::default(), idf.finish());
    let judge = SimilarityJudge::new("baseline", similarity, Paradigm::Listwise, 2);
    let stock =
        stock(&["nothing", "filters", "bloom", "Filters!", "how do bloom filters work", "else", "do bloom"]);
    let topic = topic();
    let order = |documents: &[u32]| {
        let answer = ask(&judge, Case::new(&topic, &positions(documents), &stock).unwrap(), 0);
        assert_eq!((answer.cost_usd, &answer.reply), (Some(0.0), &None));
        verdict(&answer).order.clone()
    };
    // "filters" and "bloom" give the same grade, but "bloom" is the rarer word.
    assert_eq!(order(&[0, 1, 2, 3, 4, 5]), [vec![4], vec![2], vec![1, 3], vec![0, 5]]);
    assert_eq!(order(&[3, 1]), [vec![0, 1]]);
    assert_eq!(order(&[1, 2]), [vec![1], vec![0]]);
    let wordless = Topic { id: "q".into(), text: "?!".into() };
    let shown = positions(&[0, 1]);
    let case = Case::new(&wordless, &shown, &stock).unwrap();
    assert_eq!(unusable(ask(&judge, case, 0)).0, Reason::NoAnswer);
    assert_eq!(judge.key(&case, 0), judge.key(&case, 1), "each sample is the same");
}

#[test]
fn a_file_orders_by_grade_and_what_it_lacks_leaves_the_whole_unusable() {
    let mut qrels = Qrels::default();
    for (document, grade) in [("d0", 1), ("d1", 3), ("d2", -2), ("d3", 1), ("d4", 9)] {
        qrels.insert("q1", document, grade);
    }
    let judge = |hash: &[u8]| {
        let (qrels, hash) = (Arc::new(qrels.clone()), Hash::of(hash));
        ReplayJudge::new("human", qrels, "human.qrels", hash, Scale::default(), Paradigm::Listwise)
    };
    let judge_a = judge(b"a");
    let stock: Vec<_> = (0..7).map(|at| PooledDocument::IdOnly(format!("d{at}"))).collect();
    let topic = topic();
    let answer =
        |documents: &[u32]| ask(&judge_a, Case::new(&topic, &positions(documents), &stock).unwrap(), 0);
    let order = |documents: &[u32]| verdict(&answer(documents)).order.clone();
    let key = |judge: &ReplayJudge, documents: &[u32]| {
        judge.key(&Case::new(&topic, &positions(documents), &stock).unwrap(), 0)
    };
    assert_eq!(order(&[0, 1, 2, 3]), [vec![1], vec![0, 3], vec![2]]);
    assert_eq!(order(&[3, 4]), [vec![1], vec![0]], "an order needs no scale");
    assert_eq!(order(&[0, 3]), [vec![0, 1]]);
    let missing = (Reason::NotInFile, "not in human.qrels: d5, d6".to_owned());
    assert_eq!(unusable(answer(&[5, 0, 6])), missing);
    assert!(!judge_a.needs_text());
    assert_ne!(key(&judge_a, &[0, 1]), key(&judge_a, &[1, 0]));
    assert_ne!(key(&judge_a, &[0, 1]), key(&judge(b"b"), &[0, 1]));
}

//! The built-in judges that grade: requests, answers and keys.

use std::sync::Arc;

use llull_core::{
    Answer, Document, FIRST_RECHECK, Failure, FailureKind, GradedVerdict, Hash, Outcome, Paradigm, Qrels,
    RESHUFFLED, Reason, Sampling, Scale, Topic, Verdict,
};
use llull_judge::{AnchorOrder, IdfBuilder, Prompt, Rubric, Similarity};
use llull_llm::{ChatReply, Finish};
use llull_runner::{
    Case, Judge, JudgeIdentity, ModelJudge, PooledDocument, PromptJudge, Prompted, PromptedSettings,
    ReplayJudge, SimilarityJudge,
};
use llull_testkit::{ScriptedModel, reply};

use crate::stage::runtime;

fn settings() -> PromptedSettings {
    PromptedSettings {
        sampling: Sampling { seed: Some(5), ..Sampling::default() },
        document_tokens: 20,
        ..PromptedSettings::new("strict", "openai/m")
    }
}

fn rubric() -> Arc<Rubric> {
    Arc::new(Rubric::parse(Rubric::default_text(), "rubric.md").unwrap())
}

fn prompted(settings: PromptedSettings) -> Prompted {
    Prompted::new(settings, Prompt::builtin("graded").unwrap(), rubric())
}

fn topic() -> Topic {
    Topic { id: "q1".into(), text: "how do bloom filters work".into() }
}

fn written(text: &str) -> Document {
    Document { id: "d1".into(), title: "Filters".into(), text: text.into() }
}

fn document(text: &str) -> PooledDocument {
    PooledDocument::Found(written(text))
}

fn case<'a>(topic: &'a Topic, document: &'a PooledDocument) -> Case<'a> {
    Case::of_one(topic, document)
}

fn ask(judge: &dyn Judge, case: Case<'_>, sample: u32) -> Answer {
    runtime().block_on(judge.ask(case, sample))
}

#[test]
fn a_prompted_judge_sends_the_prompt_and_reads_the_reply() {
    let text = r#"{"facets_covered": ["how"], "facets_missing": [], "rationale": "It says.", "grade": 3}"#;
    let full = ChatReply { reasoning: Some("Let me see: 0?".into()), cost_usd: Some(0.5), ..reply(text) };
    let cut_off = ChatReply { finish: Finish::Length, ..reply("{\"grade\": 3") };
    let refused = ChatReply { finish: Finish::Refused, ..reply("No.") };
    let limited = Failure { retry_after_ms: Some(9), ..Failure::new(FailureKind::RateLimited, "429") };
    let model = Arc::new(ScriptedModel::in_order(
        "openai/m",
        [Ok(full.clone()), Ok(cut_off), Ok(refused), Err(limited.clone())],
    ));
    let prompted = Arc::new(prompted(settings()));
    let judge = ModelJudge::new(prompted.clone(), model.clone(), 2);
    let (topic, document) = (topic(), document(&"word ".repeat(100)));
    let case = case(&topic, &document);

    let answer = ask(&judge, case, 0);
    assert_eq!(prompted.read(&case, full), answer, "what reads a reply needs no model");
    let Outcome::Judged { verdict: Verdict::Graded(GradedVerdict { grade: 3, rationale, .. }) } =
        &answer.outcome
    else {
        panic!("{answer:?}")
    };
    assert_eq!(rationale, "It says.");
    assert_eq!(answer.reply.unwrap(), format!("<think>\nLet me see: 0?\n</think>\n{text}"));
    assert_eq!((answer.model.as_deref(), answer.cost_usd), (Some("scripted"), Some(0.5)));
    assert_eq!(answer.usage.prompt_tokens, Some(100));
    assert!(answer.tokens_cut > 0);

    let reason = |answer: Answer| match answer.outcome {
        Outcome::Unusable(unusable) => unusable.reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(reason(ask(&judge, case, 1)), Reason::CutOff);
    assert_eq!(reason(ask(&judge, case, 0)), Reason::Refused);
    let failed = ask(&judge, case, 0);
    assert_eq!(failed.outcome, Outcome::Failed(limited));
    assert!(failed.tokens_cut > 0 && failed.cost_usd.is_none());

    let requests = model.requests();
    let request = prompted.request(&case, 0).unwrap();
    assert_eq!(requests[0], request.chat);
    assert_eq!((request.tokens_cut, request.tokens > 0), (failed.tokens_cut, true));
    let sent: Vec<_> = requests[0].messages.iter().map(|message| message.content.as_str()).collect();
    assert!(sent.iter().any(|text| text.contains("how do bloom filters work")));
    let schema = &requests[0].schema.as_ref().unwrap().schema;
    assert_eq!(schema["properties"]["grade"]["enum"], serde_json::json!([0, 1, 2, 3]));
    assert_eq!(requests.iter().map(|r| r.sampling.seed).collect::<Vec<_>>(), [5, 6, 5, 5].map(Some));
}

#[test]
fn the_key_of_a_prompted_judge_is_what_it_is_shown_and_who_it_is() {
    let judge = prompted(settings());
    let (topic, long) = (topic(), written(&"word ".repeat(100)));
    let key = |judge: &Prompted, document: &Document, sample| {
        judge.key(&case(&topic, &PooledDocument::Found(document.clone())), sample)
    };
    let same = key(&judge, &long, 0);

    // Not part of the key: text that the judge does not see, and settings without effect.
    let other_end = written(&format!("{}and another end", "word ".repeat(100)));
    assert_eq!(key(&judge, &other_end, 0), same);
    assert_eq!(key(&judge, &Document { id: "d2".into(), ..long.clone() }, 0), same);
    let renamed = PromptedSettings { name: "again".into(), ..settings() };
    assert_eq!(key(&prompted(renamed), &long, 0), same);
    let asked =
        ModelJudge::new(Arc::new(prompted(settings())), Arc::new(ScriptedModel::in_order("m", [])), 9);
    assert_eq!(asked.key(&case(&topic, &PooledDocument::Found(long.clone())), 0), same);
    assert_eq!((asked.name(), asked.spec()), (judge.name(), judge.spec()));

    // Part of the key: the text that the judge sees, and its specification.
    let shown = llull_judge::fit(&long.shown(), 20).shown.to_owned();
    let exactly = Document { id: "d1".into(), title: String::new(), text: shown };
    let with = |changed: PromptedSettings| key(&prompted(changed), &long, 0);
    let others = [
        key(&judge, &long, 1),
        key(&judge, &exactly, 0),
        key(&judge, &written("another"), 0),
        with(PromptedSettings { document_tokens: 30, ..settings() }),
        with(PromptedSettings { model: "openai/n".into(), ..settings() }),
        with(PromptedSettings { anchor_order: AnchorOrder::Shuffled(1), ..settings() }),
        with(PromptedSettings { anchor_order: AnchorOrder::ShuffledByQuestion(1), ..settings() }),
        with(PromptedSettings { sampling: Sampling::default(), ..settings() }),
    ];
    assert!(!others.contains(&same));
}

/// The sample index of reshuffled questions changes the order of the worked examples in the prompt, and nothing else.
#[test]
fn another_order_of_the_examples_is_a_sample_of_its_own() {
    let judge = prompted(settings());
    assert!(judge.orders_examples());
    let (topic, document) = (topic(), document("They answer quickly."));
    let case = case(&topic, &document);
    let messages = |sample| judge.request(&case, sample).unwrap().chat.messages;
    assert_eq!(messages(FIRST_RECHECK), messages(0));
    assert_ne!(messages(RESHUFFLED), messages(0));
    let sorted = |sample| {
        let mut letters: Vec<char> =
            messages(sample).iter().flat_map(|message| message.content.chars()).collect();
        letters.sort_unstable();
        letters
    };
    assert_eq!(sorted(RESHUFFLED), sorted(0));
    let bare = Rubric::default_text().split("## Example").next().unwrap();
    let bare = Arc::new(Rubric::parse(bare, "bare.md").unwrap());
    let bare = Prompted::new(settings(), Prompt::builtin("graded").unwrap(), bare);
    assert!(!bare.orders_examples());
    assert_eq!(
        bare.request(&case, RESHUFFLED).unwrap().chat.messages,
        bare.request(&case, 0).unwrap().chat.messages
    );
}

#[test]
fn the_baseline_grades_and_says_why() {
    let mut idf = IdfBuilder::new(["how do bloom filters work"]);
    idf.add("bloom filters answer quickly");
    idf.add("something else");
    let judge = SimilarityJudge::new(
        "baseline",
        Similarity::new(Scale::default(), idf.finish()),
        Paradigm::Graded,
        2,
    );
    let topic = topic();
    let all = document("how do bloom filters work");
    let Outcome::Judged { verdict: Verdict::Graded(verdict) } = ask(&judge, case(&topic, &all), 0).outcome
    else {
        panic!()
    };
    assert_eq!((verdict.grade, verdict.facets_covered.len(), verdict.facets_missing.len()), (3, 5, 0));
    let answer = ask(&judge, case(&topic, &document("unrelated")), 0);
    let Outcome::Judged { verdict: Verdict::Graded(verdict) } = &answer.outcome else { panic!() };
    assert_eq!(verdict.facets_missing, ["how", "do", "bloom", "work"], "the title says filters");
    assert_eq!((answer.cost_usd, answer.usage.prompt_tokens, answer.reply), (Some(0.0), Some(0), None));
    let wordless = Topic { id: "q".into(), text: "?!".into() };
    assert!(matches!(ask(&judge, case(&wordless, &all), 0).outcome, Outcome::Unusable(_)));
    assert_eq!(
        judge.key(&case(&topic, &all), 0),
        judge.key(&case(&topic, &all), 1),
        "each sample is the same"
    );
}

#[test]
fn a_file_answers_by_identifier_and_what_it_lacks_is_missing() {
    let mut qrels = Qrels::default();
    qrels.insert("q1", "d1", 2);
    qrels.insert("q1", "d2", -2);
    let judge = |hash: &[u8]| {
        let (qrels, hash) = (Arc::new(qrels.clone()), Hash::of(hash));
        ReplayJudge::new("human", qrels, "human.qrels", hash, Scale::default(), Paradigm::Graded)
    };
    let judge_a = judge(b"a");
    let topic = topic();
    let stock = ["d1", "d2", "d9"].map(|id| PooledDocument::IdOnly(id.into()));
    let case = |id| Case::of_one(&topic, stock.iter().find(|document| document.id() == id).unwrap());
    assert!(matches!(ask(&judge_a, case("d1"), 0).outcome, Outcome::Judged { .. }));
    let unusable = |document| match ask(&judge_a, case(document), 0).outcome {
        Outcome::Unusable(unusable) => (unusable.reason, unusable.detail),
        other => panic!("{other:?}"),
    };
    assert_eq!(unusable("d9"), (Reason::NotInFile, "not in human.qrels".into()));
    let off_scale = "grade -2 in human.qrels is not on the scale 0 to 3";
    assert_eq!(unusable("d2"), (Reason::OutOfRange, off_scale.into()));
    assert!(!judge_a.needs_text());
    assert_ne!(judge_a.key(&case("d1"), 0), judge_a.key(&case("d2"), 0));
    assert_ne!(judge_a.key(&case("d1"), 0), judge(b"b").key(&case("d1"), 0), "another file, another judge");
}

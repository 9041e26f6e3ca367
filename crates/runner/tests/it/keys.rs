//! Task keys must never change.
//!
//! By its key a ledger finds the answer to a question that was sent and paid for. **If a test here fails, a run would
//! send every question of every existing ledger again.** A key may change only if its meaning changes, under a new
//! version of its domain (`llull task v2`) and with an entry in the changelog.
//!
//! The keys were computed independently of this code, with the Python package blake3 1.0. `derive_key_context` is the
//! domain, and each part is name and value, each after its length as 8 bytes, little-endian.

use std::sync::Arc;

use llull_core::{Document, Hash, Paradigm, Qrels, Sampling, Scale, Topic};
use llull_judge::{AnchorOrder, IdfBuilder, Prompt, Rubric, Similarity};
use llull_llm::ExtraFields;
use llull_runner::{
    Case, JudgeIdentity, PooledDocument, Prompted, PromptedSettings, ReplayJudge, SimilarityJudge,
};
use serde_json::json;

use crate::stage::positions;

const PROMPT: &str = "+++\nversion = 1\nname = \"p\"\ndescription = \"d\"\nanswer = \"grade\"\n+++\n\
    [user]\n{{ query }}\n{{ document }}\n";

const RUBRIC: &str = "+++\nversion = 1\nname = \"r\"\ncutoff = 1\n\
    [[grades]]\ngrade = 0\nname = \"No\"\ndefinition = \"Does not help.\"\n\
    [[grades]]\ngrade = 1\nname = \"Yes\"\ndefinition = \"Helps.\"\n+++\n\
    Helps.\n\n## Example: 1\nQuery: q\nDocument: d\nWhy: w\n";

fn key(judge: &dyn JudgeIdentity, query: &str, sample: u32) -> String {
    let topic = Topic { id: "q1".into(), text: query.into() };
    let document = Document { id: "d1".into(), title: "Filters".into(), text: "A filter says no.".into() };
    judge.key(&Case::of_one(&topic, &PooledDocument::Found(document)), sample).to_string()
}

fn settings() -> PromptedSettings {
    PromptedSettings {
        name: "any".into(),
        model: "openai/m".into(),
        sampling: Sampling { temperature: Some(0.0), top_p: None, max_tokens: 1024, seed: Some(5) },
        anchor_order: AnchorOrder::Shuffled(7),
        document_tokens: 1200,
        window_tokens: 12_500,
        allow_neither: true,
        logprobs: None,
        extra: ExtraFields::new(),
        attribute: None,
    }
}

#[test]
fn of_a_prompted_judge() {
    let prompt = Prompt::parse(PROMPT, "p.j2").unwrap();
    let rubric = Arc::new(Rubric::parse(RUBRIC, "r.md").unwrap());
    let judge = Prompted::new(settings(), prompt, rubric);
    assert_eq!(
        judge.spec().fingerprint().to_string(),
        "2c078ae4782af7c330043bf403c848de2fd39e92d62754450b492e0f81643a94"
    );
    assert_eq!(
        key(&judge, "how do bloom filters work", 1),
        "f0ed32bedaedd98a0a73654da8e34856096284d82e5b04093f4bef34e49ba474"
    );
}

#[test]
fn fields_that_a_study_adds_enter_the_key_in_any_order_and_none_do_not() {
    let judge = |fields: &[(&str, serde_json::Value)]| {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        let settings = PromptedSettings { extra: fields.collect(), ..settings() };
        let rubric = Arc::new(Rubric::parse(RUBRIC, "r.md").unwrap());
        key(&Prompted::new(settings, Prompt::parse(PROMPT, "p.j2").unwrap(), rubric), "any", 0)
    };
    let (effort, tier) = (json!("low"), json!({ "b": 1, "a": [2] }));
    let one = judge(&[("reasoning_effort", effort.clone()), ("provider", tier)]);
    let other = judge(&[("provider", json!({ "a": [2], "b": 1 })), ("reasoning_effort", effort.clone())]);
    assert_eq!(one, other);
    let keys =
        [one, judge(&[]), judge(&[("reasoning_effort", effort)]), judge(&[("reasoning_effort", json!(1))])];
    assert!((1..keys.len()).all(|at| !keys[..at].contains(&keys[at])), "{keys:?}");
}

#[test]
fn a_question_about_a_field_is_one_of_its_own_even_if_the_text_is_the_same() {
    let judge = |attribute: Option<&str>| {
        let settings = PromptedSettings { attribute: attribute.map(str::to_owned), ..settings() };
        let rubric = Arc::new(Rubric::parse(RUBRIC, "r.md").unwrap());
        key(&Prompted::new(settings, Prompt::parse(PROMPT, "p.j2").unwrap(), rubric), "any", 0)
    };
    let keys = [judge(None), judge(Some("title")), judge(Some("brand"))];
    assert!((1..keys.len()).all(|at| !keys[..at].contains(&keys[at])), "{keys:?}");
}

#[test]
fn of_a_replay_judge() {
    let file = Hash::of(b"q1 0 d1 3");
    let judge = ReplayJudge::new(
        "any",
        Arc::new(Qrels::default()),
        "any.qrels",
        file,
        Scale::default(),
        Paradigm::Graded,
    );
    assert_eq!(key(&judge, "any", 0), "991dbff3e6f37cea33ca11614e311bcc4f0385621bdb32aea7dab8ef5ecac923");
}

#[test]
fn of_the_baseline() {
    let mut idf = IdfBuilder::new(["bloom filter"]);
    idf.add("A filter says no.");
    let judge =
        SimilarityJudge::new("any", Similarity::new(Scale::default(), idf.finish()), Paradigm::Graded, 1);
    assert_eq!(
        key(&judge, "bloom filter", 0),
        "7c5ef8a1b170c6027cdaa80d31ae4ffe41b7c0fe3c69445608b41f8381369e19"
    );
}

/// The key of a question about two documents.
fn key_of_two(judge: &dyn JudgeIdentity, query: &str, sample: u32) -> String {
    let topic = Topic { id: "q1".into(), text: query.into() };
    let document = |id: &str, title: &str, text: &str| {
        PooledDocument::Found(Document { id: id.into(), title: title.into(), text: text.into() })
    };
    let stock = [
        document("d2", "Sieves", "A sieve lets some through."),
        document("d1", "Filters", "A filter says no."),
    ];
    judge.key(&Case::new(&topic, &positions(&[1, 0]), &stock).unwrap(), sample).to_string()
}

fn comparer(answer: &str, changed: impl Fn(&mut PromptedSettings)) -> Prompted {
    let mut settings = settings();
    changed(&mut settings);
    let prompt = format!(
        "+++\nversion = 1\nname = \"p\"\ndescription = \"d\"\n{answer}\n+++\n\
        [user]\n{{{{ query }}}}\n{{% for d in documents %}}\n{{{{ d.label }}}}: {{{{ d.text }}}}\n{{% endfor %}}\n"
    );
    let rubric = Arc::new(Rubric::parse(RUBRIC, "r.md").unwrap());
    Prompted::new(settings, Prompt::parse(&prompt, "p.j2").unwrap(), rubric)
}

#[test]
fn of_a_prompted_comparer_of_two() {
    let judge = comparer("answer = \"choice\"\nrationale = true", |_| ());
    assert_eq!(
        judge.spec().fingerprint().to_string(),
        "12edb824f2ac13173851bae89eda4594c4743ec637dc89c4704dd99f21a65fd8"
    );
    assert_eq!(
        key_of_two(&judge, "how do bloom filters work", 1),
        "30a0a77dc65ca3d83fd466260167cb3410905b1eb9bfa5df2769fd4614af22db"
    );
}

#[test]
fn of_a_prompted_comparer_of_several() {
    let judge = comparer("answer = \"ranking\"", |settings| settings.allow_neither = false);
    assert_eq!(
        judge.spec().fingerprint().to_string(),
        "6b822bd8135171e9c46f067618e4a28326f426a40d334bedef845f818866c48f"
    );
    // Both documents are cut to three tokens. Ties do not matter to a prompt that asks for the best document.
    for ties in [true, false] {
        let judge = comparer("answer = \"best\"", |settings| {
            *settings = PromptedSettings {
                window_tokens: 6,
                logprobs: Some(20),
                allow_neither: ties,
                ..settings.clone()
            };
        });
        assert_eq!(
            judge.spec().fingerprint().to_string(),
            "4e0b18e8067d6fbfb96508c8a9c27447ebb11e7f9ae03f5e8e9e4c6f8a2c2672"
        );
        assert_eq!(
            key_of_two(&judge, "how do bloom filters work", 0),
            "5e152b8a56508249608de06ffb8393971a2df9f4d4a52567dd6d319c00fa60ef"
        );
    }
}

#[test]
fn of_a_replay_comparer() {
    let (file, qrels) = (Hash::of(b"q1 0 d1 3"), Arc::new(Qrels::default()));
    let judge = ReplayJudge::new("any", qrels, "any.qrels", file, Scale::default(), Paradigm::Pairwise);
    assert_eq!(
        key_of_two(&judge, "any", 0),
        "fd1315fbac24e35dca1c0feb4f3bc27fdf0f46b27b22230b3bbfa218a641325a"
    );
}

#[test]
fn of_the_baseline_that_compares() {
    let mut idf = IdfBuilder::new(["bloom filter"]);
    idf.add("A filter says no.");
    let similarity = Similarity::new(Scale::default(), idf.finish());
    let judge = SimilarityJudge::new("any", similarity, Paradigm::Listwise, 1);
    assert_eq!(
        key_of_two(&judge, "bloom filter", 0),
        "b326bf30d8362c48605c27cb5f292936fd928ea75533981f630a801c0aa7263a"
    );
}

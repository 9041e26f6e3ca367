//! Task keys that never change. A key is how a ledger knows that a question was asked and paid for.
//!
//! **If a test here fails, every ledger in the world is about to be judged again.** Only a change of what a key means may
//! change one, under a new version of its domain (`llull task v2`), and it belongs in the changelog.
//!
//! The keys were computed apart from this code, with the Python package blake3 1.0: `derive_key_context` is the domain, and
//! each part is name and value, each behind its length as 8 bytes, little end first.

use std::sync::Arc;

use llull_core::{Document, Hash, Qrels, Sampling, Scale, Topic};
use llull_judge::{AnchorOrder, IdfBuilder, Prompt, Rubric, Similarity};
use llull_runner::{
    Case, Judge, PooledDocument, PromptedJudge, PromptedSettings, ReplayJudge, SimilarityJudge,
};
use llull_testkit::ScriptedModel;

const PROMPT: &str = "+++\nversion = 1\nname = \"p\"\ndescription = \"d\"\nanswer = \"grade\"\n+++\n\
    [user]\n{{ query }}\n{{ document }}\n";

const RUBRIC: &str = "+++\nversion = 1\nname = \"r\"\ncutoff = 1\n\
    [[grades]]\ngrade = 0\nname = \"No\"\ndefinition = \"Does not help.\"\n\
    [[grades]]\ngrade = 1\nname = \"Yes\"\ndefinition = \"Helps.\"\n+++\n\
    Helps.\n\n## Example: 1\nQuery: q\nDocument: d\nWhy: w\n";

fn key(judge: &dyn Judge, query: &str, sample: u32) -> String {
    let topic = Topic { id: "q1".into(), text: query.into() };
    let document = Document { id: "d1".into(), title: "Filters".into(), text: "A filter says no.".into() };
    judge.key(&Case::of_one(&topic, &PooledDocument::Found(document)), sample).to_string()
}

#[test]
fn of_a_prompted_judge() {
    let settings = PromptedSettings {
        name: "any".into(),
        sampling: Sampling { temperature: Some(0.0), top_p: None, max_tokens: 1024, seed: Some(5) },
        anchor_order: AnchorOrder::Shuffled(7),
        document_tokens: 1200,
        concurrency: 1,
    };
    let model = Arc::new(ScriptedModel::in_order("openai/m", []));
    let prompt = Prompt::parse(PROMPT, "p.j2").unwrap();
    let rubric = Arc::new(Rubric::parse(RUBRIC, "r.md").unwrap());
    let judge = PromptedJudge::new(settings, model, prompt, rubric);
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
fn of_a_replay_judge() {
    let file = Hash::of(b"q1 0 d1 3");
    let judge = ReplayJudge::new("any", Arc::new(Qrels::default()), "any.qrels", file, Scale::default());
    assert_eq!(key(&judge, "any", 0), "991dbff3e6f37cea33ca11614e311bcc4f0385621bdb32aea7dab8ef5ecac923");
}

#[test]
fn of_the_baseline() {
    let mut idf = IdfBuilder::new(["bloom filter"]);
    idf.add("A filter says no.");
    let judge = SimilarityJudge::new("any", Similarity::new(Scale::default(), idf.finish()), 1);
    assert_eq!(
        key(&judge, "bloom filter", 0),
        "7c5ef8a1b170c6027cdaa80d31ae4ffe41b7c0fe3c69445608b41f8381369e19"
    );
}

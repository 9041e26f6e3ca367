//! What holds for every body of an answer, whatever it is. A target in `fuzz` checks the same, from the same seeds.

use std::sync::OnceLock;

use llull_llm::{
    ChatModel, ChatRequest, Message, ModelSettings, PROVIDERS, Price, ResponseSchema, Role, connect,
};
use serde_json::{Value, json};

/// A key that a server may quote.
const KEY: &str = "topsecret-0123456789abcdef";

fn models() -> &'static [Box<dyn ChatModel>] {
    static MODELS: OnceLock<Vec<Box<dyn ChatModel>>> = OnceLock::new();
    MODELS.get_or_init(|| {
        let model = |provider: &llull_llm::Provider| {
            let price = Price { input_per_million: 1.0, cached_per_million: None, output_per_million: 2.0 };
            let settings = ModelSettings {
                base_url: Some("https://127.0.0.1/v1".into()),
                key_variable: Some("TEAM_KEY".into()),
                price: Some(price),
                ..ModelSettings::new(format!("{}/m", provider.name))
            };
            connect(&settings, &|name| (name == "TEAM_KEY").then(|| KEY.to_owned())).unwrap()
        };
        PROVIDERS.iter().map(model).collect()
    })
}

/// Checks a body, as the answer of every provider. Returns whether one of them has a reply in it, and whether one has
/// none.
pub(crate) fn check(text: &str) -> (bool, bool) {
    let Ok(body) = serde_json::from_str::<Value>(text) else { return (false, false) };
    let request = ChatRequest {
        messages: vec![Message { role: Role::User, content: "Grade this.".into() }],
        sampling: Default::default(),
        schema: Some(ResponseSchema { name: "grade".into(), schema: json!({ "type": "object" }) }),
        logprobs: Some(2),
    };
    let (mut any, mut none) = (false, false);
    for status in [200, 400, 429] {
        let line = json!({ "custom_id": "a", "response": { "status_code": status, "body": body } });
        for model in models() {
            match model.batch_lines().unwrap().reply(&line, &request) {
                Ok(reply) => {
                    any = true;
                    assert!(reply.cost_usd.is_none_or(|usd| usd.is_finite() && usd >= 0.0), "{reply:?}");
                    assert!(!format!("{reply:?}").contains(KEY), "{reply:?}");
                }
                Err(failure) => {
                    none = true;
                    assert!(!failure.message.contains(KEY) && failure.message.len() < 5_000, "{failure}");
                }
            }
        }
    }
    (any, none)
}

#[cfg(test)]
mod tests {
    use super::{KEY, check};

    #[test]
    fn every_seed_is_a_reply_or_a_failure() {
        let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/read_reply");
        let files = fs_err::read_dir(seeds).unwrap().map(|file| file.unwrap().path());
        let (mut replies, mut failures) = (Vec::new(), 0);
        for file in files {
            let text = fs_err::read_to_string(&file).unwrap();
            let (any, none) = check(&text);
            replies.extend(any.then_some(file));
            failures += usize::from(none);
            check(&text.replace("grade", KEY));
        }
        assert!(replies.len() >= 20 && failures > 20, "{failures} failures; replies in {replies:?}");
    }
}

//! What holds for every body of an answer, whatever it is. A target in `fuzz` checks the same, from the same seeds.

use std::sync::OnceLock;

use llull_llm::{
    AwsBatches, AwsSettings, BatchLines, BatchStatus, ChatModel, ChatRequest, EmbeddingModel, Message,
    ModelSettings, PROVIDERS, Price, ResponseSchema, Role, connect, connect_embedding_model,
};
use serde_json::{Value, json};

/// A key that a server may quote.
const KEY: &str = "topsecret-0123456789abcdef";

fn settings(model: String) -> ModelSettings {
    let price = Price { input_per_million: 1.0, cached_per_million: None, output_per_million: 2.0 };
    ModelSettings {
        base_url: Some("https://127.0.0.1/v1".into()),
        key_variable: Some("TEAM_KEY".into()),
        price: Some(price),
        ..ModelSettings::new(model)
    }
}

fn environment(name: &str) -> Option<String> {
    ["TEAM_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"].contains(&name).then(|| KEY.to_owned())
}

/// A model of each provider, and one of Bedrock with batches.
fn models() -> &'static [Box<dyn ChatModel>] {
    static MODELS: OnceLock<Vec<Box<dyn ChatModel>>> = OnceLock::new();
    MODELS.get_or_init(|| {
        let role = "arn:aws:iam::123456789012:role/r";
        let batches = AwsBatches::new("s3://my-bucket/llull", role, 48, 100).ok();
        let signed = ModelSettings {
            base_url: Some("https://bedrock-runtime.eu-central-1.amazonaws.com".into()),
            key_variable: None,
            aws: Some(AwsSettings { batches }),
            ..settings("bedrock/m".into())
        };
        let all = PROVIDERS.iter().map(|provider| settings(format!("{}/m", provider.name))).chain([signed]);
        all.map(|settings| connect(&settings, &environment).unwrap()).collect()
    })
}

fn request() -> ChatRequest {
    ChatRequest {
        messages: vec![Message { role: Role::User, content: "Grade this.".into() }],
        sampling: Default::default(),
        schema: Some(ResponseSchema { name: "grade".into(), schema: json!({ "type": "object" }) }),
        logprobs: Some(2),
    }
}

/// Reads a line of results. Returns whether it has a reply.
fn read(model: &(impl BatchLines + ?Sized), line: &Value, request: &ChatRequest) -> bool {
    match model.reply(line, request) {
        Ok(reply) => {
            assert!(reply.cost_usd.is_none_or(|usd| usd.is_finite() && usd >= 0.0), "{reply:?}");
            assert!(!format!("{reply:?}").contains(KEY), "{reply:?}");
            true
        }
        Err(failure) => {
            assert!(is_message(&failure.message), "{failure}");
            false
        }
    }
}

fn is_message(text: &str) -> bool {
    !text.contains(KEY) && text.len() < 5_000
}

/// Checks a body, as the answer of every provider. Returns whether one of them has a reply in it, and whether one has
/// none.
pub(crate) fn check(text: &str) -> (bool, bool) {
    let Ok(body) = serde_json::from_str::<Value>(text) else { return (false, false) };
    let (mut any, mut none) = (false, false);
    for status in [200, 400, 429] {
        let line = json!({ "custom_id": "a", "response": { "status_code": status, "body": body } });
        for model in models() {
            let is_reply = read(model.batch_lines().unwrap(), &line, &request());
            (any, none) = (any || is_reply, none || !is_reply);
        }
    }
    (any, none)
}

/// Checks a text as the answer about a batch, and as a file of its results, of every provider. Returns whether one of
/// them has the batch's state in it, and one a reply.
pub(crate) fn check_batch(text: &str) -> (bool, bool) {
    let answer = serde_json::from_str::<Value>(text).ok();
    let (mut state, mut reply) = (false, false);
    for server in models().iter().filter_map(|model| model.batch_server()) {
        let mut found = server.read_results(&BatchStatus::default(), text.as_bytes());
        match answer.clone().map(|answer| server.read_status("batch_1", answer)) {
            None => {}
            Some(Err(failure)) => assert!(is_message(&failure.message), "{failure}"),
            Some(Ok(status)) => {
                state = true;
                assert!(status.refused.as_ref().is_none_or(|refused| is_message(&refused.message)));
                found.extend(server.read_results(&status, b""));
            }
        }
        found.iter().for_each(|line| reply |= read(server, line, &request()));
    }
    (state, reply)
}

/// Checks a body as the answer of every model that makes vectors. Returns whether one of them has vectors in it.
pub(crate) fn check_embeddings(text: &str) -> bool {
    static MODELS: OnceLock<Vec<EmbeddingModel>> = OnceLock::new();
    let model = |name: &str| connect_embedding_model(&settings(name.into()), &environment).unwrap();
    let models = MODELS.get_or_init(|| ["openai/m", "voyage/m", "cohere/m"].map(model).into());
    let mut any = false;
    for (model, texts) in models.iter().flat_map(|model| [(model, 1), (model, 2)]) {
        match model.read(text.as_bytes(), texts) {
            Ok(vectors) => {
                any = true;
                assert_eq!(vectors.len(), texts);
                assert!(vectors.iter().all(|vector| !vector.is_empty()));
                assert!(vectors.iter().flatten().all(|value| value.is_finite()), "{vectors:?}");
            }
            Err(failure) => assert!(is_message(&failure.message), "{failure}"),
        }
    }
    any
}

#[cfg(test)]
mod tests {
    use super::{KEY, check, check_batch, check_embeddings};

    /// Returns the texts of a folder of seeds, each with its name.
    fn seeds(folder: &str) -> Vec<(String, String)> {
        let folder = format!("{}/../../fuzz/seeds/{folder}", env!("CARGO_MANIFEST_DIR"));
        let files = fs_err::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let named =
            |file: std::path::PathBuf| (file.display().to_string(), fs_err::read_to_string(&file).unwrap());
        files.map(named).collect()
    }

    #[test]
    fn every_seed_is_a_reply_or_a_failure() {
        let (mut replies, mut failures) = (Vec::new(), 0);
        for (file, text) in seeds("read_reply") {
            let (any, none) = check(&text);
            replies.extend(any.then_some(file));
            failures += usize::from(none);
            check(&text.replace("grade", KEY));
        }
        assert!(replies.len() >= 20 && failures > 20, "{failures} failures; replies in {replies:?}");
    }

    #[test]
    fn every_seed_is_the_state_of_a_batch_or_its_results() {
        let mut replies = 0;
        for (file, text) in seeds("read_batch") {
            let (state, reply) = check_batch(&text);
            assert_eq!((state, reply), (file.contains("state"), file.contains("results")), "{file}");
            replies += usize::from(reply);
            check_batch(&text.replace("grade", KEY));
        }
        assert_eq!(replies, 4, "OpenAI's, Anthropic's, Gemini's and Bedrock's");
    }

    #[test]
    fn every_seed_has_vectors_or_a_reason() {
        for (file, text) in seeds("read_embeddings") {
            assert_eq!(check_embeddings(&text), file.contains("answer"), "{file}");
            check_embeddings(&text.replace("embedding", KEY));
        }
    }
}

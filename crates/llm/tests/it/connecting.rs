//! Tests making models from names, addresses and environments.

use llull_core::FailureKind;
use llull_llm::{
    AwsSettings, Endpoint, ExtraFields, ModelError, ModelSettings, PROVIDERS, Price, connect,
    connect_embedding_model,
};
use llull_testkit::FaultPlan;
use serde_json::json;

use crate::{KEY, request, server};

fn error(settings: &ModelSettings, env: &dyn Fn(&str) -> Option<String>) -> ModelError {
    connect(settings, env).err().unwrap()
}

fn at(model: &str, base_url: &str) -> ModelSettings {
    ModelSettings { base_url: Some(base_url.into()), ..ModelSettings::new(model) }
}

#[test]
fn a_wrong_name_lists_the_providers() {
    for name in ["gpt-4o", "", "/", "openai/", "openai/ ", "/gpt", "mistral large/m", "OpenAI/gpt"] {
        let message = error(&ModelSettings::new(name), &|_| None).to_string();
        assert!(PROVIDERS.iter().all(|provider| message.contains(provider.name)), "{name}: {message}");
    }
}

#[test]
fn a_missing_key_is_named_unless_the_server_is_ones_own() {
    for (name, variable) in [
        ("openai/m", "OPENAI_API_KEY"),
        ("anthropic/m", "ANTHROPIC_API_KEY"),
        ("gemini/m", "GEMINI_API_KEY"),
        ("openrouter/a/b", "OPENROUTER_API_KEY"),
        ("mistral/m", "MISTRAL_API_KEY"),
        ("groq/m", "GROQ_API_KEY"),
        ("together/a/b", "TOGETHER_API_KEY"),
        ("deepseek/m", "DEEPSEEK_API_KEY"),
    ] {
        let missing = error(&ModelSettings::new(name), &|_| None);
        assert_eq!(missing, ModelError::MissingKey { model: name.into(), variable: variable.into() });
        let blank = |asked: &str| (asked == variable).then(|| String::from(" \n"));
        assert_eq!(error(&ModelSettings::new(name), &blank), missing);
        assert!(connect(&at(name, "http://localhost:1"), &|_| None).is_ok());
    }
    for name in ["ollama/m", "vllm/m", "sglang/m", "llamacpp/m", "lmstudio/m"] {
        assert_eq!(connect(&ModelSettings::new(name), &|_| None).unwrap().name(), name);
    }
}

#[test]
fn a_provider_with_an_address_for_each_customer_needs_it() {
    for (name, said) in [
        ("azure/m", "set base_url, or AZURE_OPENAI_ENDPOINT"),
        ("vertex/m", "set base_url"),
        ("bedrock/m", "set base_url"),
    ] {
        let missing = error(&ModelSettings::new(name), &|_| None);
        assert!(missing.to_string().contains(said), "{missing}");
    }
    let env =
        |name: &str| (name == "AZURE_OPENAI_ENDPOINT").then(|| String::from("https://r.openai.azure.com/"));
    let endpoint = Endpoint::resolve(&ModelSettings::new("azure/m"), &env).unwrap();
    assert_eq!(endpoint.address().to_string(), "https://r.openai.azure.com/openai/v1");
    assert!(!endpoint.is_own() && !endpoint.takes_key_elsewhere());
}

#[test]
fn a_key_of_a_provider_with_many_addresses_is_needed_there_and_warned_of_elsewhere() {
    let all = ["AZURE_OPENAI_API_KEY", "VERTEX_ACCESS_TOKEN", "AWS_BEARER_TOKEN_BEDROCK"];
    let keys = |name: &str| all.contains(&name).then(|| KEY.to_owned());
    let elsewhere =
        |settings: &ModelSettings| Endpoint::resolve(settings, &keys).unwrap().takes_key_elsewhere();
    for (model, address) in [
        ("azure/m", "https://r.openai.azure.com"),
        ("azure/m", "https://r.cognitiveservices.azure.com"),
        ("azure/m", "https://r.services.ai.azure.com/models"),
        ("vertex/m", "https://aiplatform.googleapis.com/v1/projects/p/locations/global"),
        ("vertex/m", "https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4"),
        ("vertex/m", "https://aiplatform.eu.rep.googleapis.com/v1/projects/p/locations/eu"),
        ("bedrock/m", "https://bedrock-runtime.eu-central-1.amazonaws.com"),
    ] {
        let settings = at(model, address);
        assert!(!elsewhere(&settings), "{address}");
        let missing = error(&settings, &|_| None);
        assert!(matches!(missing, ModelError::MissingKey { .. }), "{address}: {missing}");
    }
    for (model, address) in [
        ("azure/m", "https://gateway.corp/v1"),
        ("azure/m", "https://openai.azure.com.evil.test"),
        ("azure/m", "https://evilopenai.azure.com"),
        ("azure/m", "http://r.openai.azure.com"),
        ("vertex/m", "https://r.openai.azure.com"),
        ("vertex/m", "https://googleapis.com.evil.test/v1"),
        ("bedrock/m", "https://bedrock-runtime.bucket.s3.amazonaws.com"),
        ("bedrock/m", "https://bedrock-runtime-1.eu-central-1.elb.amazonaws.com"),
        ("bedrock/m", "https://a.execute-api.eu-central-1.amazonaws.com"),
    ] {
        let settings = at(model, address);
        assert!(elsewhere(&settings), "{address}");
        assert!(connect(&settings, &|_| None).is_ok(), "a gateway may need no key");
    }
    assert!(!elsewhere(&at("azure/m", "http://localhost:1")));
}

#[test]
fn requests_to_bedrock_are_signed_only_if_the_settings_say_so() {
    let all = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"];
    let without = |missing: &'static str| {
        move |name: &str| match name {
            name if name == missing => None,
            "AWS_REGION" => Some("eu-central-1".to_owned()),
            name => all.contains(&name).then(|| KEY.to_owned()),
        }
    };
    let bearer = at("bedrock/m", "https://bedrock-runtime.eu-central-1.amazonaws.com");
    let missing = error(&bearer, &without(""));
    assert!(missing.to_string().contains("AWS_BEARER_TOKEN_BEDROCK"), "{missing}");

    let signed = ModelSettings { aws: Some(AwsSettings::default()), ..ModelSettings::new("bedrock/m") };
    let model = connect(&signed, &without("")).unwrap();
    assert!(model.batch_server().is_none(), "there is no bucket");
    let endpoint = Endpoint::resolve(&signed, &without("")).unwrap();
    let shown = "https://bedrock-runtime.eu-central-1.amazonaws.com/, with the key in AWS_ACCESS_KEY_ID";
    assert_eq!((endpoint.to_string().as_str(), endpoint.batch_terms()), (shown, None));
    for variable in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] {
        let lacks = ModelError::MissingKey { model: "bedrock/m".into(), variable: variable.into() };
        assert_eq!(error(&signed, &without(variable)), lacks);
    }
    let gateway = ModelSettings { base_url: Some("http://localhost:1".into()), ..signed.clone() };
    for (settings, said) in [
        (&signed, "set base_url, or AWS_REGION"),
        (&gateway, "set AWS_REGION to the region of the server"),
        (&ModelSettings { model: "openai/m".into(), ..signed.clone() }, "signs requests to bedrock/ models"),
        (&ModelSettings { key_variable: Some("A".into()), ..signed.clone() }, "without a `key`"),
    ] {
        let wrong = error(settings, &without("AWS_REGION")).to_string();
        assert!(wrong.contains(said), "{wrong}");
    }
    let line_break = |name: &str| Some(if name == "AWS_SESSION_TOKEN" { "a\nb" } else { "eu-1" }.to_owned());
    assert!(matches!(error(&signed, &line_break), ModelError::BadKey { .. }));
}

#[test]
fn an_address_of_anthropic_s_form_has_no_version() {
    for (address, base) in [
        ("https://gateway.test", "https://gateway.test/v1"),
        ("https://gateway.test/anthropic", "https://gateway.test/anthropic/v1"),
        ("https://gateway.test/anthropic/", "https://gateway.test/anthropic/v1"),
        ("https://gateway.test/anthropic/v1", "https://gateway.test/anthropic/v1"),
        ("https://gateway.test/anthropic/v1/messages", "https://gateway.test/anthropic/v1"),
        ("https://gateway.test/anthropic/messages", "https://gateway.test/anthropic"),
    ] {
        let variable = |name: &str| (name == "ANTHROPIC_BASE_URL").then(|| address.to_owned());
        let found = Endpoint::resolve(&ModelSettings::new("anthropic/m"), &variable).unwrap();
        assert_eq!(found.address().to_string(), base, "{address}");
    }
}

#[test]
fn azure_is_asked_for_no_vectors() {
    let error = connect_embedding_model(&at("azure/m", "https://r.openai.azure.com"), &|_| None).unwrap_err();
    assert!(error.to_string().starts_with("model \"azure/m\": llull has no embeddings of azure"), "{error}");
}

#[test]
fn a_key_that_the_settings_name_is_needed_and_is_the_only_one() {
    let named = |base_url: Option<&str>| ModelSettings {
        base_url: base_url.map(str::to_owned),
        key_variable: Some("TEAM_KEY".into()),
        ..ModelSettings::new("openai/m")
    };
    let of_provider = |name: &str| (name == "OPENAI_API_KEY").then(|| KEY.to_owned());
    for base_url in [None, Some("http://localhost:1")] {
        let missing = error(&named(base_url), &of_provider);
        assert_eq!(missing, ModelError::MissingKey { model: "openai/m".into(), variable: "TEAM_KEY".into() });
    }
    let both = |name: &str| ["OPENAI_API_KEY", "TEAM_KEY"].contains(&name).then(|| KEY.to_owned());
    let endpoint = Endpoint::resolve(&named(None), &both).unwrap();
    assert_eq!(endpoint.key_variable(), Some("TEAM_KEY"));
}

#[test]
fn what_cannot_be_used_is_refused_without_secrets() {
    let with_password = error(&at("vllm/m", "http://me:hunter2@localhost/v1"), &|_| None).to_string();
    assert!(with_password.contains("localhost") && !with_password.contains("hunter2"), "{with_password}");
    let no_url = error(&at("vllm/m", "localhost:8000"), &|_| None).to_string();
    assert!(no_url.contains("http://"), "{no_url}");
    let broken = |_: &str| Some(format!("{KEY}\n{KEY}"));
    let bad_key =
        error(&ModelSettings::new("openai/m"), &|name| broken(name).filter(|_| name == "OPENAI_API_KEY"));
    assert_eq!(bad_key, ModelError::BadKey { variable: "OPENAI_API_KEY".into() });
    let price =
        Some(Price { input_per_million: -1.0, cached_per_million: None, output_per_million: f64::NAN });
    let bad_price = error(&ModelSettings { price, ..ModelSettings::new("vllm/m") }, &|_| None);
    assert!(matches!(bad_price, ModelError::BadPrice { .. }));
}

/// A study may come from a stranger, whose authority could sign a certificate for any name.
#[test]
fn a_provider_s_own_server_takes_no_authority_of_a_study() {
    let ca_file = Some(std::path::PathBuf::from("no-such.pem"));
    let key = |name: &str| (name == "OPENAI_API_KEY").then(|| KEY.to_owned());
    let of_provider =
        error(&ModelSettings { ca_file: ca_file.clone(), ..ModelSettings::new("openai/m") }, &key);
    assert!(matches!(of_provider, ModelError::CaFileOfProvider { .. }), "{of_provider}");
    assert!(of_provider.to_string().contains("SSL_CERT_FILE"), "{of_provider}");
    let own = error(&ModelSettings { ca_file, ..at("openai/m", "https://gpu.lan/v1") }, &key);
    assert!(own.to_string().contains("ca_file no-such.pem: No such file"), "{own}");
}

#[test]
fn a_field_that_llull_sets_itself_cannot_be_added() {
    for (field, said) in [
        ("model", "`model` cannot stand in `extra`: the model is what `model` says"),
        ("messages", "the prompt and the rubric make the messages"),
        ("stream", "llull reads whole replies"),
        ("n", "each question gets one reply"),
        ("temperature", "set `temperature`"),
        ("max_completion_tokens", "set `max_tokens`"),
        ("tools", "llull gives the model no tools"),
        ("response_format", "follows from the prompt"),
    ] {
        let extra = ExtraFields::from_iter([(field.to_owned(), serde_json::json!(1))]);
        let found = error(&ModelSettings { extra, ..ModelSettings::new("vllm/m") }, &|_| None).to_string();
        assert!(found.contains(said) && found.starts_with("model \"vllm/m\""), "{found}");
    }
}

#[test]
fn only_fields_of_the_provider_s_own_form_are_reserved() {
    for (model, extra, reserved) in [
        ("ollama/m", json!({ "format": "json" }), None),
        ("vllm/m", json!({ "system": "x", "contents": 1 }), None),
        ("anthropic/m", json!({ "system": "x" }), Some("system")),
        ("bedrock/m", json!({ "system": [] }), Some("system")),
        ("gemini/m", json!({ "contents": [] }), Some("contents")),
        ("vertex/m", json!({ "systemInstruction": {} }), Some("systemInstruction")),
        ("anthropic/m", json!({ "output_config": { "effort": "low" } }), None),
        ("anthropic/m", json!({ "output_config": { "format": {} } }), Some("output_config.format")),
        ("openai/m", json!({ "tools": [] }), Some("tools")),
        ("anthropic/m", json!({ "tool_choice": "any" }), Some("tool_choice")),
        ("bedrock/m", json!({ "toolConfig": {} }), Some("toolConfig")),
    ] {
        let at = at(model, "http://localhost:1");
        let settings = ModelSettings { extra: extra.as_object().unwrap().clone(), ..at };
        let found = match connect(&settings, &|_| None).err() {
            Some(ModelError::Extra { reserved, .. }) => Some(reserved.field),
            other => other.map(|error| panic!("{error}")),
        };
        assert_eq!(found.as_deref(), reserved, "{model}: {extra}");
    }
}

#[tokio::test]
async fn https_has_its_cryptography() {
    // reqwest panics at this point when no provider of cryptography is installed
    let key = |name: &str| (name == "OPENAI_API_KEY").then(|| KEY.to_owned());
    assert_eq!(connect(&ModelSettings::new("openai/m"), &key).unwrap().name(), "openai/m");

    let plain = server(FaultPlan { record: true, ..FaultPlan::default() });
    let https = plain.url().replace("http://", "https://");
    let failure = connect(&at("openai/m", &https), &key).unwrap().chat(&request()).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Connection, "a server without TLS is not spoken to: {failure}");
    assert!(plain.requests().is_empty());
}

#[tokio::test]
async fn the_environment_gives_addresses_and_the_settings_go_before_it() {
    let (one, two) = (server(FaultPlan::default()), server(FaultPlan::default()));
    let host = one.url().trim_start_matches("http://").trim_end_matches("/v1").to_owned();
    let env = |name: &str| match name {
        "OPENAI_BASE_URL" => Some(one.url()),
        "OLLAMA_HOST" => Some(host.clone()),
        _ => None,
    };
    for name in ["openai/m", "ollama/m"] {
        connect(&ModelSettings::new(name), &env).unwrap().chat(&request()).await.unwrap();
    }
    assert_eq!((one.served().total(), two.served().total()), (2, 0));
    connect(&at("openai/m", &two.url()), &env).unwrap().chat(&request()).await.unwrap();
    assert_eq!((one.served().total(), two.served().total()), (2, 1));
}

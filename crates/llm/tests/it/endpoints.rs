//! Tests the destination of a key, before any request.

use llull_llm::{AddressSource, Endpoint, ModelError, ModelSettings, connect};
use llull_testkit::FaultPlan;

use crate::{KEY, request, server};

/// The endpoint with these variables set, and the result of `connect` for the same.
fn resolve(
    settings: &ModelSettings,
    variables: &[(&str, &str)],
) -> (Result<Endpoint, ModelError>, Result<(), ModelError>) {
    let environment = |name: &str| {
        variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| (*value).to_owned())
    };
    (Endpoint::resolve(settings, &environment), connect(settings, &environment).map(|_| ()))
}

fn at(model: &str, base_url: &str) -> ModelSettings {
    ModelSettings { base_url: Some(base_url.into()), ..ModelSettings::new(model) }
}

fn endpoint(settings: &ModelSettings, variables: &[(&str, &str)]) -> Endpoint {
    resolve(settings, variables).0.unwrap()
}

#[test]
fn a_key_goes_to_its_provider_or_the_endpoint_says_where_else() {
    let key = [("OPENAI_API_KEY", KEY)];
    let own = endpoint(&ModelSettings::new("openai/m"), &key);
    assert_eq!(own.to_string(), "https://api.openai.com/v1, with the key in OPENAI_API_KEY");
    assert!(own.is_own() && !own.is_loopback() && !own.takes_key_elsewhere());
    assert_eq!((own.address_source(), own.key_variable()), (AddressSource::Provider, Some("OPENAI_API_KEY")));
    assert!(endpoint(&at("openai/m", "https://api.openai.com"), &key).is_own());
    for other in [
        "https://api.openai.com.evil.test/v1",
        "https://openrouter.ai/api/v1",
        "http://api.openai.com/v1",
        "https://api.openai.com:8443/v1",
        "http://evil.test\\@localhost/",
        "http:evil.test://localhost",
        "http://localhost\t.evil.test",
    ] {
        let elsewhere = endpoint(&at("openai/m", other), &key);
        assert!(elsewhere.takes_key_elsewhere(), "{elsewhere}");
        let warning = "; that is not openai's own address, so make sure that you know it";
        assert!(elsewhere.to_string().ends_with(warning), "{elsewhere}");
        assert!(!endpoint(&at("openai/m", other), &[]).takes_key_elsewhere(), "no key, no warning");
    }
    for here in ["http://localhost:11434/v1", "http://127.0.0.1:1", "http://[::1]:80/v1"] {
        assert!(!endpoint(&at("openai/m", here), &key).takes_key_elsewhere(), "{here}");
    }
}

#[tokio::test]
async fn a_server_that_binds_to_every_address_is_asked_at_this_one() {
    let server = server(FaultPlan { record: true, ..FaultPlan::default() });
    let port = server.url().trim_end_matches("/v1").rsplit(':').next().unwrap().to_owned();
    let host = format!("0.0.0.0:{port}");
    let variables = [("OLLAMA_HOST", host.as_str()), ("OLLAMA_API_KEY", KEY)];
    let found = endpoint(&ModelSettings::new("ollama/m"), &variables);
    assert_eq!(found.to_string(), format!("{}, with the key in OLLAMA_API_KEY", server.url()));
    assert_eq!(found.address_source(), AddressSource::Variable("OLLAMA_HOST"));
    let environment = |name: &str| (name == "OLLAMA_HOST").then(|| host.clone());
    connect(&ModelSettings::new("ollama/m"), &environment).unwrap().chat(&request()).await.unwrap();
    assert_eq!(server.requests().len(), 1, "the server that is named is the server that is asked");

    let port_too = endpoint(&ModelSettings::new("ollama/m"), &[("OLLAMA_HOST", "0.0.0.0")]);
    assert_eq!(port_too.to_string(), "http://127.0.0.1:11434/v1, without a key");
    assert!(port_too.is_loopback());
}

#[test]
fn a_key_that_the_environment_sends_elsewhere_is_said() {
    let elsewhere = [("OLLAMA_HOST", "http://elsewhere:11434"), ("OLLAMA_API_KEY", KEY)];
    let found = endpoint(&ModelSettings::new("ollama/m"), &elsewhere);
    assert!(found.takes_key_elsewhere());
    assert_eq!(
        found.to_string(),
        "http://elsewhere:11434/v1, with the key in OLLAMA_API_KEY; that is not ollama's own address, so make sure \
         that you know it"
    );
}

#[test]
fn quotes_and_spaces_around_a_variable_are_not_part_of_the_address() {
    for value in [" https://gateway.test/v1 ", "\"https://gateway.test/v1\"", "' https://gateway.test '\n"] {
        let (found, connected) =
            resolve(&ModelSettings::new("openai/m"), &[("OPENAI_BASE_URL", value), ("OPENAI_API_KEY", KEY)]);
        assert_eq!(found.unwrap().address().to_string(), "https://gateway.test/v1", "{value:?}");
        assert_eq!(connected, Ok(()));
    }
    let unset = endpoint(&ModelSettings::new("openai/m"), &[("OPENAI_BASE_URL", " \"\" ")]);
    assert_eq!(unset.address_source(), AddressSource::Provider);
}

#[test]
fn settings_take_precedence_over_the_environment() {
    let found = endpoint(&at("openai/m", "http://h"), &[("OPENAI_BASE_URL", "http://other")]);
    assert_eq!(found.to_string(), "http://h/v1, without a key");
    assert_eq!(found.address_source(), AddressSource::Settings);
}

#[test]
fn an_address_that_cannot_be_used_is_the_same_error_before_and_at_connecting() {
    for (address, said) in [
        ("http://me:hunter2@h/v1?key=hunter2", "http://[key]@h"),
        ("me:hunter2@h", "[key]@h"),
        ("localhost:8000", "begins with http:// or https://"),
        ("", "write an address such as"),
    ] {
        let (found, connected) = resolve(&at("vllm/m", address), &[]);
        let error = found.unwrap_err();
        assert_eq!(Err(&error), connected.as_ref());
        assert!(error.to_string().contains(said) && !error.to_string().contains("hunter2"), "{error}");
    }
    let (found, connected) = resolve(&ModelSettings::new("ollama/m"), &[("OLLAMA_HOST", "me:hunter2@h")]);
    let error = found.unwrap_err();
    assert_eq!(Err(&error), connected.as_ref());
    assert_eq!(
        error.to_string(),
        "address \"http://[key]@h:11434\" of model \"ollama/m\": an address holds no user or password; put the key \
         in the environment"
    );
}

#[test]
fn an_endpoint_shows_no_secret() {
    let found = endpoint(&at("vllm/m", &format!("http://h:8000/v1?key={KEY}")), &[("VLLM_API_KEY", KEY)]);
    assert!(found.to_string().starts_with("http://h:8000/v1, with the key in VLLM_API_KEY"), "{found}");
    assert!(!format!("{found:?}").contains(KEY), "{found:?}");
}

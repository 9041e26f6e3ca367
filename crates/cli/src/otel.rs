//! Spans of requests for OpenTelemetry, by its semantic conventions for generative AI (`gen_ai.*`).
//!
//! Requests to language models and rerankers have one, and those that submit a batch, learn that it has ended and read
//! its results. They go to the collector that the process's environment names. A study's `.env` cannot name one. A span
//! has neither a text nor a key.

use std::borrow::Cow;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use llull::llm::{EndedRequest, Finish, Operation, RequestObserver};
use opentelemetry::trace::{Span as _, SpanKind, Status, Tracer as _, TracerProvider as _};
use opentelemetry::{Array, KeyValue, StringValue, Value};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};

use crate::printer::Printer;

/// Sends a span of each request. What is left is sent when it is dropped.
struct Spans {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    printer: Printer,
}

/// Returns the observer of requests; `None` if the environment names no collector.
///
/// # Errors
/// Returns an error if the collector's address cannot be used.
pub(crate) fn observer(printer: Printer) -> Result<Option<Arc<dyn RequestObserver>>> {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let named = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"].into_iter().any(is_set);
    let disabled = std::env::var("OTEL_SDK_DISABLED").is_ok_and(|value| value.eq_ignore_ascii_case("true"));
    if !named || disabled {
        return Ok(None);
    }
    // reqwest panics without a provider of cryptography. An error says only that one is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let exporter = SpanExporter::builder().with_http().with_protocol(Protocol::HttpJson).build();
    let exporter = exporter.context("OTEL_EXPORTER_OTLP_ENDPOINT")?;
    let resource = Resource::builder().with_service_name("llull").build();
    let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
    let tracer = provider.tracer("llull");
    Ok(Some(Arc::new(Spans { provider, tracer, printer })))
}

impl Drop for Spans {
    fn drop(&mut self) {
        // A collector that cannot be reached is no error of a run. The error may have the address, and so a key.
        let sent = self.provider.force_flush();
        let _ = self.provider.shutdown();
        if sent.is_err() {
            let what = "did not take them; check its address, and whether it runs";
            let names = "the collector that OTEL_EXPORTER_OTLP_ENDPOINT names";
            self.printer.warn(format!("spans were not sent: {names} {what}"));
        }
    }
}

impl RequestObserver for Spans {
    fn ended(&self, request: &EndedRequest<'_>) {
        let name = operation_name(request.operation);
        let name = request.model.map_or_else(|| name.to_owned(), |model| format!("{name} {model}"));
        let span = self.tracer.span_builder(name).with_kind(SpanKind::Client).with_start_time(request.sent);
        let mut span = span.with_attributes(attributes(request)).start(&self.tracer);
        if let Err(failure) = request.result {
            span.set_status(Status::error(failure.kind.name()));
        }
        span.end_with_timestamp(request.sent + request.took);
    }
}

fn attributes(request: &EndedRequest<'_>) -> Vec<KeyValue> {
    let provider = provider_name(request.provider);
    let mut all = vec![
        KeyValue::new("gen_ai.operation.name", operation_name(request.operation)),
        KeyValue::new("gen_ai.provider.name", provider),
        // The name before version 1.37 of the conventions.
        KeyValue::new("gen_ai.system", provider),
    ];
    all.extend(request.model.map(|model| KeyValue::new("gen_ai.request.model", model.to_owned())));
    let server = request.server.split_once("://").map_or(request.server, |(_, server)| server);
    let (host, port) = match server.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port.parse::<i64>().ok()),
        _ => (server, Some(if request.server.starts_with("http:") { 80 } else { 443 })),
    };
    all.push(KeyValue::new("server.address", host.to_owned()));
    all.extend(port.map(|port| KeyValue::new("server.port", port)));
    let count =
        |name, number: Option<u64>| Some(KeyValue::new(name, i64::try_from(number?).unwrap_or(i64::MAX)));
    // The conventions have no names for these.
    all.extend(match request.operation {
        Operation::SubmitBatch(requests) => count("llull.batch.requests", Some(requests as u64)),
        Operation::Rerank(documents) => count("llull.rerank.documents", Some(documents as u64)),
        Operation::Chat | Operation::BatchStatus | Operation::BatchResults => None,
    });
    match request.result {
        Ok(told) => {
            let text = |name, text: &str| KeyValue::new(name, text.to_owned());
            all.extend(told.model.map(|model| text("gen_ai.response.model", model)));
            all.extend(count("gen_ai.usage.input_tokens", told.usage.prompt_tokens));
            all.extend(count("gen_ai.usage.output_tokens", told.usage.completion_tokens));
            all.extend(told.finish.map(|reason| {
                let reasons = vec![StringValue::from(finish(reason).into_owned())];
                KeyValue::new("gen_ai.response.finish_reasons", Value::Array(Array::String(reasons)))
            }));
            all.extend(told.batch.map(|batch| text("llull.batch.id", batch)));
            all.extend(count("llull.batch.results", told.results.map(|results| results as u64)));
        }
        Err(failure) => all.push(KeyValue::new("error.type", failure.kind.name())),
    }
    all
}

/// Returns the conventions' name of a purpose; one of llull's where they have none.
fn operation_name(operation: Operation) -> &'static str {
    match operation {
        Operation::Chat => "chat",
        Operation::SubmitBatch(_) => "submit_batch",
        Operation::BatchStatus => "batch_status",
        Operation::BatchResults => "batch_results",
        Operation::Rerank(_) => "rerank",
    }
}

/// Returns the conventions' name of a provider; that of llull where they have none.
fn provider_name(provider: &'static str) -> &'static str {
    match provider {
        "openai-responses" => "openai",
        "azure" => "azure.ai.openai",
        "bedrock" => "aws.bedrock",
        "gemini" => "gcp.gemini",
        "vertex" => "gcp.vertex_ai",
        "mistral" => "mistral_ai",
        other => other,
    }
}

fn finish(finish: &Finish) -> Cow<'_, str> {
    Cow::Borrowed(match finish {
        Finish::Stop => "stop",
        Finish::Length => "length",
        Finish::Refused => "content_filter",
        Finish::ToolCall => "tool_calls",
        Finish::Other(word) => word,
    })
}

//! Batches of each provider: the requests that are sent, and what is read from answers in the form of its docs.

use llull_core::{FailureKind, Sampling};
use llull_llm::{
    AwsBatches, AwsSettings, BatchServer, ChatModel, ChatRequest, Finish, Message, ModelSettings,
    ResponseSchema, Role, connect, line_id,
};
use llull_testkit::{AnsweringServer, ServerAnswer, ServerRequest};
use serde_json::{Value, json};

const KEY: &str = "topsecret-0123456789abcdef";

fn requests() -> Vec<(String, ChatRequest)> {
    let request = |text: &str| ChatRequest {
        messages: vec![Message { role: Role::User, content: text.into() }],
        sampling: Sampling::default(),
        schema: Some(ResponseSchema { name: "grade".into(), schema: json!({"type": "object"}) }),
        logprobs: None,
    };
    ["a", "b", "c", "d"].map(|id| (format!("{id}-0"), request(&format!("grade {id}")))).to_vec()
}

fn model(name: &str, server: &AnsweringServer) -> Box<dyn ChatModel> {
    model_at(name, format!("{}/v1", server.url()))
}

fn model_at(name: &str, address: String) -> Box<dyn ChatModel> {
    let base_url = Some(address);
    let settings = ModelSettings { base_url, ..ModelSettings::new(name) };
    connect(&settings, &|variable| variable.ends_with("_API_KEY").then(|| KEY.to_owned())).unwrap()
}

fn lines(lines: &[Value]) -> ServerAnswer {
    ServerAnswer::status(200, lines.iter().map(|line| format!("{line}\n")).collect::<String>())
}

/// What is told of each request by the results of a batch: its text, or the kind of its failure.
fn told(model: &dyn ChatModel, found: &[Value]) -> Vec<(String, Result<String, FailureKind>)> {
    let requests = requests();
    let read = |line: &Value| {
        let id = line_id(line).unwrap().to_owned();
        let (_, request) = requests.iter().find(|(known, _)| *known == id).unwrap();
        let reply = model.batch_lines().unwrap().reply(line, request);
        (id, reply.map(|reply| reply.text).map_err(|failure| failure.kind))
    };
    let mut told: Vec<_> = found.iter().map(read).collect();
    told.sort_by(|one, other| one.0.cmp(&other.0));
    told
}

/// Submits, looks twice, reads the results, finds by the name and cancels. Returns the results and what was found.
async fn life(server: &dyn BatchServer) -> (Vec<Value>, Option<String>) {
    let batch = server.submit("llull-1", &requests()).await.unwrap();
    assert!(!server.status(&batch).await.unwrap().ended);
    let status = server.status(&batch).await.unwrap();
    assert!(status.ended && status.refused.is_none(), "{status:?}");
    let found = server.results(&status).await.unwrap();
    server.cancel(&batch).await.unwrap();
    (found, server.find("llull-1").await.unwrap())
}

fn expected() -> Vec<(String, Result<String, FailureKind>)> {
    vec![
        ("a-0".into(), Ok("{\"grade\": 1}".into())),
        ("b-0".into(), Err(FailureKind::Rejected)),
        ("c-0".into(), Err(FailureKind::Timeout)),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn openai() {
    let server = AnsweringServer::start(|request: &ServerRequest| {
        assert_eq!(request.headers["authorization"], format!("Bearer {KEY}"));
        let batch = |status: &str| {
            json!({
                "id": "batch_1", "object": "batch", "status": status, "metadata": {"llull": "llull-1"},
                "output_file_id": (status == "completed").then_some("file-out"),
                "error_file_id": (status == "completed").then_some("file-err"),
                "request_counts": {"total": 4, "completed": 1, "failed": 2},
            })
        };
        let body = json!({
            "model": "m-1", "choices": [{"message": {"content": "{\"grade\": 1}"}, "finish_reason": "stop"}],
        });
        let error = json!({"error": {"message": "no such field", "type": "invalid_request_error"}});
        let expired = json!({"code": "batch_expired", "message": "This request could not be executed in time."});
        ServerAnswer::json(&match (request.method.as_str(), request.path.as_str()) {
            ("POST", "/v1/files") => {
                assert!(request.headers["content-type"].starts_with("multipart/form-data; boundary="));
                assert!(request.text.contains("name=\"purpose\"\r\n\r\nbatch\r\n"), "{}", request.text);
                let lines: Vec<Value> =
                    request.text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
                assert_eq!((lines.len(), &lines[3]["custom_id"]), (4, &json!("d-0")));
                assert_eq!(lines[0]["url"], "/v1/chat/completions");
                assert_eq!(lines[0]["body"]["model"], "m");
                json!({"id": "file-in", "purpose": "batch"})
            }
            ("POST", "/v1/batches") => {
                let made = json!({
                    "input_file_id": "file-in", "endpoint": "/v1/chat/completions", "completion_window": "24h",
                    "metadata": {"llull": "llull-1"},
                });
                assert_eq!(request.body, made);
                batch("validating")
            }
            ("GET", "/v1/batches/batch_1") if request.before == 0 => batch("in_progress"),
            ("GET", "/v1/batches/batch_1") => batch("completed"),
            ("GET", "/v1/batches?limit=100") => {
                let others = [json!({"id": "batch_3", "metadata": null}), json!({"id": "batch_2"})];
                json!({"data": others, "has_more": true})
            }
            ("GET", "/v1/batches?limit=100&after=batch_2") => {
                json!({"data": [{"id": "batch_0", "metadata": null}, batch("completed")], "has_more": false})
            }
            ("POST", "/v1/batches/batch_1/cancel") => batch("cancelling"),
            ("GET", "/v1/files/file-out/content") => {
                let response = json!({"status_code": 200, "body": body});
                let line = json!({"custom_id": "a-0", "response": response, "error": null});
                return ServerAnswer::status(200, format!("{line}\r\n\n{{\"custom_id\": \"d-0\", \"resp"));
            }
            ("GET", "/v1/files/file-err/content") => {
                return lines(&[
                    json!({"custom_id": "c-0", "response": null, "error": expired}),
                    json!({"custom_id": "b-0", "response": {"status_code": 400, "body": error}, "error": null}),
                ]);
            }
            other => panic!("{other:?}"),
        })
    })
    .unwrap();
    let model = model("openai/m", &server);
    let (mut found, named) = life(model.batch_server().unwrap()).await;
    let damaged = found.iter().position(|line| line_id(line).is_none()).unwrap();
    assert_eq!(found.remove(damaged), Value::Null, "the line that was cut");
    assert_eq!((told(&*model, &found), named.as_deref()), (expected(), Some("batch_1")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_openai_refuses_tells_why() {
    let server = AnsweringServer::start(|_: &ServerRequest| {
        let error =
            json!({"code": "token_limit_exceeded", "message": format!("Enqueued token limit of {KEY}")});
        ServerAnswer::json(&json!({"id": "batch_1", "status": "failed", "errors": {"data": [error]}}))
    })
    .unwrap();
    let model = model("openai/m", &server);
    let refused = model.batch_server().unwrap().status("batch_1").await.unwrap().refused.unwrap();
    assert_eq!(refused.kind, FailureKind::RateLimited);
    assert!(refused.message.contains("Enqueued token limit") && !refused.message.contains(KEY), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn anthropic() {
    let server = AnsweringServer::start(move |request: &ServerRequest| {
        assert_eq!(
            (&*request.headers["x-api-key"], &*request.headers["anthropic-version"]),
            (KEY, "2023-06-01")
        );
        let batch = |status: &str| {
            json!({
                "id": "msgbatch_1", "type": "message_batch", "processing_status": status,
                "results_url": (status == "ended").then_some("https://api.anthropic.com/elsewhere"),
            })
        };
        let message = json!({
            "model": "m-1", "content": [{"type": "tool_use", "name": "grade", "input": {"grade": 1}}],
            "stop_reason": "tool_use", "usage": {"input_tokens": 5, "output_tokens": 2},
        });
        let error =
            json!({"type": "error", "error": {"type": "invalid_request_error", "message": "no such field"}});
        let result = |id: &str, result: Value| json!({"custom_id": id, "result": result});
        ServerAnswer::json(&match (request.method.as_str(), request.path.as_str()) {
            ("POST", "/v1/messages/batches") => {
                let first = &request.body["requests"][0];
                assert_eq!((&first["custom_id"], &first["params"]["model"]), (&json!("a-0"), &json!("m")));
                assert_eq!(request.body["requests"].as_array().unwrap().len(), 4);
                batch("in_progress")
            }
            ("GET", "/v1/messages/batches/msgbatch_1") if request.before == 0 => batch("in_progress"),
            ("GET", "/v1/messages/batches/msgbatch_1") => batch("ended"),
            ("POST", "/v1/messages/batches/msgbatch_1/cancel") => batch("canceling"),
            ("GET", "/v1/messages/batches/msgbatch_1/results") => {
                return lines(&[
                    result("c-0", json!({"type": "expired"})),
                    result("a-0", json!({"type": "succeeded", "message": message})),
                    result("b-0", json!({"type": "errored", "error": error})),
                ]);
            }
            other => panic!("{other:?}"),
        })
    })
    .unwrap();
    let model = model("anthropic/m", &server);
    let (found, named) = life(model.batch_server().unwrap()).await;
    let mut expected = expected();
    // A run that learnt that the schema has to be a tool's was killed; this one reads the call all the same.
    expected[0].1 = Ok("{\"grade\":1}".into());
    assert_eq!((told(&*model, &found), named), (expected, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini() {
    let server = AnsweringServer::start(|request: &ServerRequest| {
        assert_eq!(request.headers["x-goog-api-key"], KEY);
        let batch = |state: &str| {
            json!({"name": "batches/1", "metadata": {"displayName": "llull-1", "state": state}, "done": false})
        };
        let reply = json!({
            "candidates": [{"content": {"parts": [{"text": "{\"grade\": 1}"}]}, "finishReason": "STOP"}],
        });
        let result = |id: &str, name: &str, result: Value| json!({"metadata": {"key": id}, name: result});
        ServerAnswer::json(&match (request.method.as_str(), request.path.as_str()) {
            ("POST", "/v1/models/m:batchGenerateContent") => {
                let made = &request.body["batch"];
                assert_eq!(made["displayName"], "llull-1");
                let first = &made["inputConfig"]["requests"]["requests"][0];
                assert_eq!((&first["metadata"]["key"], first["request"]["contents"].is_array()), (&json!("a-0"), true));
                batch("BATCH_STATE_PENDING")
            }
            ("GET", "/v1/batches/1") if request.before == 0 => batch("BATCH_STATE_RUNNING"),
            ("GET", "/v1/batches/1") => {
                let mut ended = batch("BATCH_STATE_SUCCEEDED");
                let results = [
                    result("a-0", "response", reply),
                    result("b-0", "error", json!({"code": 3, "message": "no such field"})),
                    result("c-0", "error", json!({"code": 4, "message": "deadline expired"})),
                ];
                ended["response"] = json!({"inlinedResponses": {"inlinedResponses": results}});
                ended
            }
            ("GET", "/v1/batches") => json!({"operations": [], "nextPageToken": "more"}),
            ("GET", "/v1/batches?pageToken=more") => json!({"operations": [batch("BATCH_STATE_RUNNING")]}),
            ("POST", "/v1/batches/1:cancel") => json!({}),
            other => panic!("{other:?}"),
        })
    })
    .unwrap();
    let model = model("gemini/m", &server);
    let (found, named) = life(model.batch_server().unwrap()).await;
    assert_eq!((told(&*model, &found), named.as_deref()), (expected(), Some("batches/1")));
}

const TOKEN: &str = "session/token+0123456789==";

fn bedrock_at(server: &AnsweringServer) -> Box<dyn ChatModel> {
    let role = "arn:aws:iam::123456789012:role/r";
    let batches = Some(AwsBatches::new("s3://my-bucket/llull/", role, 48, 100).unwrap());
    let settings = ModelSettings {
        base_url: Some(server.url()),
        aws: Some(AwsSettings { batches }),
        ..ModelSettings::new("bedrock/eu.anthropic.m-v1:0")
    };
    let variable = |name: &str| match name {
        "AWS_ACCESS_KEY_ID" => Some("AKIDTEST0123456789".to_owned()),
        "AWS_SECRET_ACCESS_KEY" => Some(KEY.to_owned()),
        "AWS_SESSION_TOKEN" => Some(TOKEN.to_owned()),
        "AWS_REGION" => Some("eu-central-1".to_owned()),
        _ => None,
    };
    connect(&settings, &variable).unwrap()
}

/// The forms of botocore 1.44.8 (`bedrock`, 2023-04-20) and of
/// <https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference-results.html>.
#[tokio::test(flavor = "multi_thread")]
async fn bedrock() {
    let arn = "arn:aws:bedrock:eu-central-1:123456789012:model-invocation-job/abc123def456";
    let input = "s3://my-bucket/llull/llull-1.jsonl";
    let server = AnsweringServer::start(move |request: &ServerRequest| {
        let service = if request.path.starts_with("/my-bucket/") { "s3" } else { "bedrock" };
        let signed = &request.headers["authorization"];
        assert!(signed.contains(&format!("/eu-central-1/{service}/aws4_request")), "{signed}");
        assert_eq!((&*request.headers["x-amz-security-token"], signed.contains(KEY)), (TOKEN, false));
        let job = |status: &str| {
            json!({
                "jobArn": arn, "jobName": "llull-1-1", "status": status, "processedRecordCount": 2,
                "inputDataConfig": {"s3InputDataConfig": {"s3Uri": input}},
                "outputDataConfig": {"s3OutputDataConfig": {"s3Uri": "s3://my-bucket/llull/"}},
            })
        };
        let output = json!({
            "output": {"message": {"role": "assistant", "content": [{"text": "{\"grade\": 1}"}]}},
            "stopReason": "end_turn", "usage": {"inputTokens": 5, "outputTokens": 2},
        });
        ServerAnswer::json(&match (request.method.as_str(), request.path.as_str()) {
            ("PUT", "/my-bucket/llull/llull-1.jsonl") => {
                let lines: Vec<Value> =
                    request.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
                assert_eq!((lines.len(), &lines[3]["recordId"]), (4, &json!("dx0")), "letters and digits");
                assert_eq!(lines[0]["modelInput"]["messages"][0]["content"][0]["text"], "grade a");
                return ServerAnswer::status(200, "");
            }
            ("POST", "/model-invocation-job") => {
                let mut made = request.body.clone();
                let name = made["jobName"].as_str().unwrap();
                assert!(name.starts_with("llull-1-") && name.len() < 64, "{name}");
                made["jobName"] = json!("llull-1");
                let expected = json!({
                    "jobName": "llull-1",
                    "modelId": "eu.anthropic.m-v1:0",
                    "modelInvocationType": "Converse",
                    "roleArn": "arn:aws:iam::123456789012:role/r",
                    "timeoutDurationInHours": 48,
                    "inputDataConfig": {"s3InputDataConfig": {"s3Uri": input}},
                    "outputDataConfig": {"s3OutputDataConfig": {"s3Uri": "s3://my-bucket/llull/"}},
                });
                assert_eq!(made, expected);
                json!({"jobArn": arn})
            }
            ("GET", "/model-invocation-job/abc123def456") if request.before == 0 => job("InProgress"),
            ("GET", "/model-invocation-job/abc123def456") => job("PartiallyCompleted"),
            ("POST", "/model-invocation-job/abc123def456/stop") => json!({}),
            ("GET", "/model-invocation-jobs?nameContains=llull-1&sortBy=CreationTime&sortOrder=Descending") => {
                json!({"invocationJobSummaries": [], "nextToken": "more"})
            }
            (
                "GET",
                "/model-invocation-jobs?nameContains=llull-1&sortBy=CreationTime&sortOrder=Descending&nextToken=more",
            ) => json!({"invocationJobSummaries": [{"jobArn": "a/1", "jobName": "llull-10-1"}, job("Completed")]}),
            ("GET", "/my-bucket/llull/abc123def456/llull-1.jsonl.out") => {
                return lines(&[
                    json!({"recordId": "cx0", "modelInput": {}, "error": {"errorMessage": "late", "expired": true}}),
                    json!({"recordId": "ax0", "modelInput": {}, "modelOutput": output}),
                    json!({"recordId": "bx0", "error": {"errorCode": 400, "errorMessage": "bad request"}}),
                ]);
            }
            other => panic!("{other:?}"),
        })
    })
    .unwrap();
    let model = bedrock_at(&server);
    let batches = model.batch_server().unwrap();
    assert_eq!(batches.limits().least, 100);
    let (found, named) = life(batches).await;
    assert_eq!((told(&*model, &found), named.as_deref()), (expected(), Some("abc123def456")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_of_bedrock_tells_how_it_ended() {
    let server = AnsweringServer::start(|request: &ServerRequest| {
        let file = if request.path.ends_with("/Expired2") { 2 } else { 1 };
        let job = |status: &str, folder: &str| {
            ServerAnswer::json(&json!({
                "jobArn": "a/1", "status": status, "message": format!("no access with {TOKEN}"),
                "inputDataConfig": {"s3InputDataConfig": {"s3Uri": format!("s3://my-bucket/llull-{file}.jsonl")}},
                "outputDataConfig": {"s3OutputDataConfig": {"s3Uri": folder}},
            }))
        };
        match request.path.rsplit('/').next().unwrap() {
            "elsewhere" => job("Completed", "s3://my-bucket-2/llull"),
            "Expired2" => job("Expired", "s3://my-bucket/llull"),
            "escaped" => {
                let token = TOKEN.replace('/', "\\/").replace('+', "\\u002b");
                ServerAnswer::status(400, format!("{{\"message\": \"not with {token}\"}}"))
            }
            state if request.path.starts_with("/model-invocation-job/") => job(state, "s3://my-bucket/llull"),
            // Without the right to list the bucket, a file that is not there may not be read.
            _ if request.path.contains("/llull-2.") => ServerAnswer::status(403, "<Code>AccessDenied</Code>"),
            _ => ServerAnswer::status(404, format!("<Error><Code>NoSuchKey</Code><T>{TOKEN}</T></Error>")),
        }
    })
    .unwrap();
    let model = bedrock_at(&server);
    let batches = model.batch_server().unwrap();
    for state in ["Submitted", "Validating", "Scheduled", "InProgress", "Stopping"] {
        assert!(!batches.status(state).await.unwrap().ended, "{state}");
    }
    let refused = batches.status("Failed").await.unwrap().refused.unwrap();
    assert_eq!(
        (refused.kind, &*refused.message),
        (FailureKind::Server, "the batch was refused: no access with [key]")
    );
    // They may have ended before they began.
    for state in ["Stopped", "Expired"] {
        let status = batches.status(state).await.unwrap();
        assert_eq!((status.ended, batches.results(&status).await.unwrap().len()), (true, 0), "{state}");
    }
    let lacks = format!("{}/my-bucket answered 404: <Error><Code>NoSuchKey", server.url());
    let escaped = batches.status("escaped").await.unwrap_err();
    assert!(escaped.message.ends_with("answered 400: not with [key]"), "{escaped}");
    for (state, kind, said) in [
        ("Completed", FailureKind::NotFound, &*lacks),
        (
            "elsewhere",
            FailureKind::Rejected,
            "in s3://my-bucket-2/llull, and `aws` names my-bucket: set `batches`",
        ),
        ("Expired2", FailureKind::Unauthorized, "to keys without s3:ListBucket"),
    ] {
        let status = batches.status(state).await.unwrap();
        let failure = batches.results(&status).await.unwrap_err();
        assert_eq!(failure.kind, kind, "{failure}");
        assert!(failure.message.contains(said) && !failure.message.contains(TOKEN), "{state}: {failure}");
    }
}

/// The forms of <https://learn.microsoft.com/azure/ai-foundry/openai/reference>: batches are not a deployment's.
#[tokio::test(flavor = "multi_thread")]
async fn azure() {
    for (address, root, version, endpoint) in [
        ("/openai?api-version=2024-10-21", "/openai", "?api-version=2024-10-21", "/chat/completions"),
        ("/openai/v1", "/openai/v1", "", "/v1/chat/completions"),
    ] {
        let server = AnsweringServer::start(move |request: &ServerRequest| {
            assert_eq!(request.headers["api-key"], KEY);
            let path = request.path.replace(root, "").replace(version, "");
            ServerAnswer::json(&match (request.method.as_str(), path.as_str()) {
                ("POST", "/files") => {
                    assert!(request.text.contains(&format!("\"url\":\"{endpoint}\"")), "{}", request.text);
                    json!({"id": "file-in"})
                }
                ("POST", "/batches") => {
                    assert_eq!(request.body["endpoint"], endpoint);
                    json!({"id": "batch_1", "status": "validating"})
                }
                ("GET", "/batches/batch_1") => json!({"id": "batch_1", "status": "in_progress"}),
                other => panic!("{other:?} {}", request.path),
            })
        })
        .unwrap();
        let model = model_at("azure/m", format!("{}{address}", server.url()));
        let batches = model.batch_server().unwrap();
        let batch = batches.submit("llull-1", &requests()).await.unwrap();
        assert!(!batches.status(&batch).await.unwrap().ended);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_identifier_that_would_lead_elsewhere_is_never_sent() {
    let server = AnsweringServer::start(|request: &ServerRequest| panic!("{}", request.path)).unwrap();
    let models = ["openai/m", "anthropic/m", "gemini/m"].map(|name| model(name, &server));
    for model in models.into_iter().chain([bedrock_at(&server)]) {
        let batches = model.batch_server().unwrap();
        for id in
            ["../fine_tuning/jobs/1", "batches/../files", "1/cancel", "batches/1:cancel", "1?a", "", "."]
        {
            let failures = [batches.status(id).await.map(drop), batches.cancel(id).await];
            for failure in failures.map(Result::unwrap_err) {
                assert!(failure.to_string().contains("has no identifier of a batch"), "{id:?}: {failure}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_file_of_errors_takes_no_result_with_it() {
    let server = AnsweringServer::start(|request: &ServerRequest| match request.path.as_str() {
        "/v1/batches/batch_1" => ServerAnswer::json(&json!({
            "id": "batch_1", "status": "completed", "output_file_id": "file-out", "error_file_id": "file-err",
        })),
        "/v1/files/file-out/content" => lines(&[json!({"custom_id": "a-0"})]),
        _ => ServerAnswer::status(404, ""),
    })
    .unwrap();
    let model = model("openai/m", &server);
    let batches = model.batch_server().unwrap();
    let status = batches.status("batch_1").await.unwrap();
    assert_eq!(batches.results(&status).await.unwrap().len(), 1);
}

#[test]
fn lines_are_read_as_answers_are() {
    let server = AnsweringServer::start(|_: &ServerRequest| ServerAnswer::status(500, "")).unwrap();
    let model = model("openai/m", &server);
    let (_, request) = &requests()[0];
    let read = |line: Value| model.batch_lines().unwrap().reply(&line, request);
    let cut = json!({"choices": [{"message": {"content": "{"}, "finish_reason": "length"}]});
    let reply = read(json!({"response": {"status_code": 200, "body": cut}})).unwrap();
    assert_eq!((reply.finish, reply.request_id), (Finish::Length, None));
    // OpenAI's identifier is in the line; the fields are those of its guide to batches.
    let done = json!({"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}]});
    for (status, body) in [(200, done), (400, json!({"error": {"message": "no such field"}}))] {
        let id = format!("req_1 {KEY}");
        let line =
            json!({"response": {"status_code": status, "request_id": id, "body": body}, "error": null});
        let told = read(line).map_or_else(|failure| failure.message, |reply| reply.request_id.unwrap());
        assert!(told.contains("req_1") && !told.contains(KEY), "{told}");
    }
    for (line, kind) in [
        (
            json!({"response": {"status_code": 429, "body": {"error": {"message": "slow"}}}}),
            FailureKind::RateLimited,
        ),
        // vLLM
        (
            json!({"response": {"status_code": 404}, "error": {"message": "no model", "code": 404}}),
            FailureKind::NotFound,
        ),
        (json!({"error": {"code": "batch_cancelled", "message": "cancelled"}}), FailureKind::Timeout),
        (json!({"response": {"status_code": 200}}), FailureKind::Server),
        // An error under a status of success.
        (
            json!({"response": {"status_code": 200, "body": {"error": {"message": "no key", "code": 401}}}}),
            FailureKind::Unauthorized,
        ),
    ] {
        assert_eq!(read(line.clone()).unwrap_err().kind, kind, "{line}");
    }
    let quoted =
        read(json!({"response": {"status_code": 401, "body": {"error": {"message": KEY}}}})).unwrap_err();
    assert!(!quoted.message.contains(KEY), "{quoted}");
}

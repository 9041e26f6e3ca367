//! Tests properties of all comparisons: replies, tokens and prompts.

use llull_core::{ComparedVerdict, Reason, Unusable};
use llull_judge::{
    CompareKind, ComparisonForm, Prompt, PromptInput, RawReply, Rubric, Token, answer_probabilities,
    comparison_schema, read_comparison,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn read(text: &str, form: &ComparisonForm) -> Result<ComparedVerdict, Unusable> {
    let found = read_comparison(&RawReply { text, cut_off: false, refused: false }, form);
    if let Err(unusable) = &found {
        assert!((1..=200).contains(&unusable.detail.chars().count()), "{}", unusable.detail);
    }
    found
}

fn any_form() -> impl Strategy<Value = ComparisonForm> {
    let kind = prop_oneof![Just(CompareKind::Choice), Just(CompareKind::Ranking), Just(CompareKind::Best)];
    (kind, any::<bool>(), 2usize..40, any::<bool>()).prop_map(|(kind, rationale, documents, ties)| {
        let documents = if kind == CompareKind::Choice { 2 } else { documents };
        ComparisonForm { kind, rationale, documents, ties }
    })
}

/// A form and a legal order for it, drawn from shuffled positions and where places end.
fn any_verdict() -> impl Strategy<Value = (ComparisonForm, ComparedVerdict)> {
    let rationale =
        prop_oneof!["\\PC{0,20}", Just(r#"</think>{"choice": "RHS"}{"best": "A"}{"ranking": ["#.to_owned())];
    any_form().prop_flat_map(move |form| {
        let positions = Just((0..form.documents as u16).collect::<Vec<_>>()).prop_shuffle();
        let ends = prop::collection::vec(any::<bool>(), form.documents);
        (positions, ends, rationale.clone()).prop_map(move |(positions, ends, rationale)| {
            let order = match form.kind {
                CompareKind::Best => vec![vec![positions[0]]],
                _ => {
                    let mut order: Vec<Vec<u16>> = Vec::new();
                    for (position, begins) in positions.into_iter().zip(ends) {
                        match order.last_mut() {
                            Some(place) if form.ties && !begins => place.push(position),
                            _ => order.push(vec![position]),
                        }
                    }
                    order.iter_mut().for_each(|place| place.sort_unstable());
                    order
                }
            };
            let rationale = if form.rationale { rationale } else { String::new() };
            (form, ComparedVerdict { order, probabilities: vec![], rationale })
        })
    })
}

fn write(form: &ComparisonForm, verdict: &ComparedVerdict) -> Value {
    let labels = form.labels();
    let label = |at: &u16| labels[usize::from(*at)].clone();
    let decision = match form.kind {
        CompareKind::Choice if verdict.order.len() == 1 => json!("Neither"),
        CompareKind::Choice | CompareKind::Best => json!(label(&verdict.order[0][0])),
        CompareKind::Ranking if form.ties => {
            verdict.order.iter().map(|place| place.iter().map(label).collect::<Vec<_>>()).collect()
        }
        CompareKind::Ranking => verdict.order.iter().flatten().map(label).collect(),
    };
    let mut answer = json!({});
    if form.rationale {
        answer["rationale"] = json!(verdict.rationale);
    }
    answer[form.kind.name()] = decision;
    answer
}

/// Whether a value is as a schema of our subset has it.
fn follows(value: &Value, schema: &Value) -> bool {
    match schema["type"].as_str().unwrap() {
        "string" => {
            let words = schema.get("enum").map(|words| words.as_array().unwrap());
            value.is_string() && words.is_none_or(|words| words.contains(value))
        }
        "array" => {
            value.as_array().is_some_and(|items| items.iter().all(|item| follows(item, &schema["items"])))
        }
        _ => {
            let properties = schema["properties"].as_object().unwrap();
            let object = value.as_object().unwrap();
            object.keys().eq(properties.keys())
                && properties.iter().all(|(key, schema)| follows(&object[key], schema))
        }
    }
}

/// Pieces of which hostile replies are made.
fn fragment() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "{",
            "}",
            "\"",
            "\\",
            "[",
            "]",
            "<think>",
            "</think>",
            "\n",
            "{\"choice\": \"LHS\"}",
            "{\"choice\": \"RHS\"}",
            "{\"choice\": \"",
            "{\"ranking\": [",
            "\"A\"",
            ", ",
            "[\"B\", \"C\"]",
            "]}",
            "{\"ranking\": [\"B\", \"C\", \"A\"]}",
            "{\"best\": \"B\"}",
            "LHS",
            "choice: ",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_written_is_read_and_follows_the_schema((form, verdict) in any_verdict(), lower: bool) {
        let answer = write(&form, &verdict);
        prop_assert!(follows(&answer, &comparison_schema(&form)), "{answer}");
        let mut text = answer.to_string();
        if lower && !form.rationale {
            text = text.to_lowercase();
        }
        let before = if form.rationale { "Here it is:\n" } else { "" };
        prop_assert_eq!(read(&format!("{before}{text}\n"), &form), Ok(verdict));
    }

    #[test]
    fn an_order_with_one_label_more_or_less_is_none(
        (form, verdict) in any_verdict(), at: prop::sample::Index, what in 0..3,
    ) {
        prop_assume!(form.kind == CompareKind::Ranking);
        let mut answer = write(&form, &verdict);
        let places = answer["ranking"].as_array_mut().unwrap();
        let at = at.index(places.len());
        match what {
            0 => { places.remove(at); }
            1 => { let again = places[at].clone(); places.push(again); }
            _ => places.insert(at, json!("AAA")),
        }
        let unusable = read(&answer.to_string(), &form).unwrap_err();
        prop_assert_eq!(unusable.reason, Reason::NotAnOrder);
        let defect = ["omits", "repeats", "invents \"AAA\""][what as usize];
        prop_assert!(unusable.detail.contains(defect), "{}", unusable.detail);
    }

    #[test]
    fn no_text_is_too_strange(text in any::<String>(), form in any_form()) {
        let _ = read(&text, &form);
    }

    /// Of any combination of marks, braces and quotes, an order names documents, each once, and all of them.
    #[test]
    fn an_order_is_an_order(pieces in prop::collection::vec(fragment(), 0..14), kind in 0..3) {
        let kind = [CompareKind::Choice, CompareKind::Ranking, CompareKind::Best][kind as usize];
        let documents = if kind == CompareKind::Choice { 2 } else { 3 };
        let form = ComparisonForm { kind, rationale: false, documents, ties: true };
        let text = pieces.concat();
        if let Ok(verdict) = read(&text, &form) {
            prop_assert!(text.contains(&format!("{{\"{}\"", kind.name())), "{text}");
            let mut named: Vec<_> = verdict.order.concat();
            named.sort_unstable();
            named.dedup();
            prop_assert_eq!(named.len(), verdict.order.concat().len());
            prop_assert!(named.iter().all(|at| usize::from(*at) < documents));
            prop_assert!(named.len() == documents || kind == CompareKind::Best && named.len() == 1);
        }
    }

    /// However a reply is cut into tokens, the probabilities are those of the tokens' alternatives.
    #[test]
    fn probabilities_do_not_depend_on_where_tokens_end(
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        weights in prop::collection::vec(0.01f64..1.0, 3),
        chosen in 0usize..3,
        rationale in "[a-z {}\"é]{0,12}",
    ) {
        let words = ["LHS", "RHS", "Neither"];
        let total: f64 = weights.iter().sum();
        let weights: Vec<_> = weights.iter().map(|weight| weight / total).collect();
        let form = ComparisonForm { kind: CompareKind::Choice, rationale: true, documents: 2, ties: true };
        let head = format!("<think>{{\"choice\": \"RHS\"}}</think>{{\"rationale\": {}, \"choice\": ", json!(rationale));
        let text = format!("{head}\"{}\"}}", words[chosen]);
        let verdict = read(&text, &form).unwrap();
        let ends = cuts.iter().map(|cut| cut.index(text.len()));
        let mut ends: Vec<_> = ends.filter(|end| text.is_char_boundary(*end)).collect();
        ends.push(text.len());
        ends.sort_unstable();
        ends.dedup();
        let value_at = head.len() + 1;
        let mut start = 0;
        let mut others = Vec::new();
        let mut tokens = Vec::new();
        for end in ends.into_iter().filter(|end| *end > 0) {
            let deciding = start <= value_at && value_at < end;
            // The token that holds the first letter of the answer decides; the other answers begin at its place.
            others.push(words.map(|word| format!("{}{word}", &text[start..end.min(value_at).max(start)])));
            tokens.push((start, end, deciding));
            start = end;
        }
        let tokens: Vec<_> = tokens.iter().zip(&others).map(|((start, end, deciding), others)| Token {
            text: &text[*start..*end],
            logprob: if *deciding { weights[chosen].ln() } else { 0.0 },
            alternatives: match deciding {
                true => others.iter().zip(&weights).enumerate().filter(|(word, _)| *word != chosen)
                    .map(|(_, (other, weight))| (other.as_str(), weight.ln())).collect(),
                false => vec![],
            },
        }).collect();
        let found = answer_probabilities(&tokens, &form, &verdict).unwrap();
        prop_assert_eq!(found.len(), 2);
        for (found, weight) in found.iter().zip(&weights) {
            prop_assert!((found - weight).abs() < 1e-9, "{found} of {weight}");
        }
    }

    /// With any number of documents and any texts, each is between tags of its own, which occur nowhere else.
    #[test]
    fn no_document_can_leave_its_tags(
        query in "[0-9<>/a-z-]{0,40}",
        documents in prop::collection::vec("(</?document-[A-C]-[0-9]{1,8}>|[0-9]{1,9}|\\PC{0,9}|\n){0,8}", 2..6),
    ) {
        let documents: Vec<&str> = documents.iter().map(String::as_str).collect();
        let rubric = Rubric::parse(Rubric::default_text(), "r.md").unwrap();
        let rendered = Prompt::builtin("listwise").unwrap().render(&PromptInput {
            document_tokens: 10_000,
            window_tokens: 100_000,
            ..PromptInput::new(&query, &documents, &rubric)
        }).unwrap();
        let user = &rendered.messages[1].content;
        let nonce = user.strip_prefix("<query-").unwrap().split_once('>').unwrap().0;
        prop_assert_eq!(user.matches(nonce).count(), 2 + 2 * documents.len());
        for (document, label) in documents.iter().zip(["A", "B", "C", "D", "E"]) {
            let tag = format!("document-{label}-{nonce}");
            let block = format!("Document {label}:\n<{tag}>\n{document}\n</{tag}>");
            prop_assert_eq!(user.matches(&block).count(), 1, "{}", block);
        }
    }
}

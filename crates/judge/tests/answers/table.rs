//! Replies as they come, good and bad.

use llull_core::{Reason, Scale};
use llull_judge::{RawReply, read_grade};

use crate::{COMPLETE, GRADE, REASONED, check, read};

#[test]
fn prose_is_never_an_answer() {
    check(
        GRADE,
        &[
            ("2", Err(Reason::NoAnswer)),
            ("2/3", Err(Reason::NoAnswer)),
            ("Grade: 2", Err(Reason::NoAnswer)),
            ("**2**", Err(Reason::NoAnswer)),
            ("grade = 3", Err(Reason::NoAnswer)),
            ("\"grade\": 3", Err(Reason::NoAnswer)),
            ("[2]", Err(Reason::WrongShape)),
            ("```\n2\n```", Err(Reason::NoAnswer)),
            // evret's LLMJudge takes the first three for true and the others for false.
            ("The retrieved text is not relevant.", Err(Reason::NoAnswer)),
            ("It does not match the expected content.", Err(Reason::NoAnswer)),
            ("<think>is this relevant?</think>\nNO", Err(Reason::NoAnswer)),
            ("**YES**", Err(Reason::NoAnswer)),
            ("Answer: YES", Err(Reason::NoAnswer)),
            ("Note: yes", Err(Reason::NoAnswer)),
            // umbrela's parse_fewshot_response reads 3, 2, 1, 1 and, unable to read the last, 0.
            ("final score: 0. I compared it to 3 other passages", Err(Reason::NoAnswer)),
            ("Relevant to 2 intents. ##final score: 0", Err(Reason::NoAnswer)),
            ("I cannot assign; passage is from 2019", Err(Reason::Declined)),
            ("the score is 10", Err(Reason::NoAnswer)),
            ("##final score: none of them", Err(Reason::NoAnswer)),
            // trulens#2631: a number from anywhere in the response, such as a temperature or a count of tokens.
            ("temperature=0.0 usage: 812 tokens. The answer was rated 3", Err(Reason::NoAnswer)),
            // prometheus-eval#58: the expression finds the template's own words.
            (
                "Feedback: (write a feedback) [RESULT] (an integer number between 1 and 5)",
                Err(Reason::NoAnswer),
            ),
            ("Feedback: it is fine. [RESULT] 5", Err(Reason::NoAnswer)),
            // zbench: a score that its expression does not match becomes 0.0.
            ("<score>-1</score>", Err(Reason::NoAnswer)),
            ("<score>0.7</score>", Err(Reason::NoAnswer)),
            // BlitzRank: the first document wins when nothing matches.
            ("Both documents are equally good.", Err(Reason::NoAnswer)),
            // alpaca_eval#204, gbrain#4016: an essay, silently a no.
            ("As for the grade, opinions may differ, and mine is not fixed.", Err(Reason::NoAnswer)),
            // judges: a label that is not on the scale becomes its middle.
            ("somewhat relevant-ish", Err(Reason::NoAnswer)),
            // inspect_evals#2335: the server's complaint arrives as the model's reply.
            ("This model's maximum context length is 8192 tokens, you requested 9312", Err(Reason::NoAnswer)),
        ],
    );
}

#[test]
fn answers_stand_bare_or_in_a_fence_and_not_among_text() {
    check(
        GRADE,
        &[
            (r#"{"grade": 0}"#, Ok(0)),
            ("\u{feff}  {\n\t\"grade\"\n:\n3}\n\n", Ok(3)),
            // promptfoo#2084, #6491, #1866: "Could not extract JSON" from a fence.
            ("```json\n{\"grade\": 1}\n```", Ok(1)),
            ("```\n{\"grade\": 1}\n```", Ok(1)),
            ("~~~json\n{\"grade\": 1}", Ok(1)),
            (
                "Sure! Here is my answer:\n\n{\"grade\": 2}\n\nI compared it to 3 others.",
                Err(Reason::NotAlone),
            ),
            ("<answer>{\"grade\": 2}</answer>", Err(Reason::NotAlone)),
            // A list is not an object, whatever its items.
            (r#"[{"grade": 2}]"#, Err(Reason::WrongShape)),
            ("```json\n[{\"grade\": 2}]\n```", Err(Reason::WrongShape)),
            ("<think>a</think>\n[]<|im_end|>", Err(Reason::WrongShape)),
            ("As [1] says: [2]", Err(Reason::NoAnswer)),
            (r#"{"grade": 2.0}"#, Ok(2)),
            (r#"{"grade": 20e-1}"#, Err(Reason::WrongShape)),
            (r#"{"grade": -0.0}"#, Ok(0)),
            (r#"{"grade": "2"}"#, Ok(2)),
            (r#"{"confidence": {"low": [1, {"grade": 0}]}, "grade": 3, "extra": null}"#, Ok(3)),
            (r#"{"gr\u0061de": 1}"#, Ok(1)),
            // Another object is not an answer, nor in the way of one.
            (r#"{"query": "x"} {"grade": 1}"#, Err(Reason::NotAlone)),
            (r#"{"grade": 1}{}"#, Err(Reason::NotAlone)),
            // The form of the answer, repeated before it.
            (r#"In the form {"grade": <0, 1, 2 or 3>}: {"grade": 1}"#, Err(Reason::NotAlone)),
            (r#"The set {a, b} is meant. {"grade": 1}"#, Err(Reason::NotAlone)),
            ("{\"grade\": 1}<|im_end|>", Ok(1)),
            // The text after the answer may have braces in it, even one that is never closed.
            (
                "{\"grade\": 1}\n\nThe document has {query} and f() { return 0; } and {\"a\": [1]} in it.",
                Err(Reason::NotAlone),
            ),
            ("{\"grade\": 1}\n\nIt does not say what comes after { in the file.", Err(Reason::NotAlone)),
            (
                "{\"grade\": 1}\nThe grade is 1 because {upgrade: 3} is another setting.",
                Err(Reason::NotAlone),
            ),
            // Llama, Gemma, Qwen and the like without a schema.
            (
                "Here is the JSON:\n\n{\"grade\": 1}\n\nThe grade is 1: on the topic, and no answer.",
                Err(Reason::NotAlone),
            ),
            ("Here is the JSON: {\"grade\": 1}", Err(Reason::NotAlone)),
            (
                "**Grade: 1**\n\n```json\n{\"grade\": 1}\n```\n\n**Explanation:** It misses {query}.",
                Err(Reason::NotAlone),
            ),
            ("**{\"grade\": 1}**", Err(Reason::NotAlone)),
            ("```json\n{\"grade\": 1}\n```<end_of_turn>", Ok(1)),
            ("{\"grade\": 1}\n\nThe final answer is $\\boxed{1}$.", Err(Reason::NotAlone)),
            ("<think>\n\n</think>\n\n```json\n{\"grade\": 1}\n```", Ok(1)),
            ("Reasoning: <b>{\"grade\": 1}</b>", Err(Reason::NotAlone)),
        ],
    );
    check(REASONED, &[(COMPLETE, Ok(2)), (&format!("Done.\n```json\n{COMPLETE}\n```"), Ok(2))]);
}

#[test]
fn what_the_reply_says_is_kept() {
    let reply = RawReply { text: COMPLETE, cut_off: false, refused: false };
    let verdict = read_grade(&reply, REASONED, Scale::default()).unwrap();
    assert_eq!(verdict.facets_covered, ["what it is"]);
    assert!(verdict.facets_missing.is_empty());
    assert_eq!(verdict.rationale, "It says so.");
}

#[test]
fn reasoning_is_passed_over() {
    check(
        GRADE,
        &[
            ("<think>Perhaps {\"grade\": 3}? No.</think>\n{\"grade\": 1}", Ok(1)),
            ("<THINK>a</Think><thinking>b</thinking>\n[THINK]c[/THINK]{\"grade\": 1}", Ok(1)),
            ("<think>a <think>b {\"grade\": 3}</think> c {\"grade\": 2}</think>{\"grade\": 1}", Ok(1)),
            ("<thought>{</thought><reasoning>\"</reasoning>◁think▷{◁/think▷{\"grade\": 1}", Ok(1)),
            ("<seed:think>{\"grade\": 3}</seed:think>{\"grade\": 1}", Ok(1)),
            (
                "<|START_THINKING|>{\"grade\": 3}<|END_THINKING|><|START_RESPONSE|>{\"grade\": 1}<|END_RESPONSE|>",
                Ok(1),
            ),
            (
                "<|begin_of_thought|>{\"grade\": 3}<|end_of_thought|>\n<|begin_of_solution|>{\"grade\": 1}",
                Ok(1),
            ),
            ("<|inner_prefix|>{\"grade\": 3}<|inner_suffix|>{\"grade\": 1}", Ok(1)),
            ("<unused94>thought\n{\"grade\": 3}<unused95>{\"grade\": 1}", Ok(1)),
            // gpt-oss, whose server did not take the channels apart.
            (
                "<|channel|>analysis<|message|>maybe {\"grade\": 3}<|end|><|start|>assistant\
                 <|channel|>final<|message|>{\"grade\": 1}<|return|>",
                Ok(1),
            ),
            (
                "<|channel|>analysis<|message|>hm<|end|><|start|>assistant\
                 <|channel|>final <|constrain|>json<|message|>{\"grade\": 1}",
                Ok(1),
            ),
            // The same from a server that has dropped the marks.
            ("analysisIt asks for {x}, so 1.assistantfinal{\"grade\": 1}", Err(Reason::NotAlone)),
            // The template has put the opening mark into the prompt.
            ("It is off topic { so far, as \"they say. \n</think>\n\n{\"grade\": 1}", Ok(1)),
            ("for (i = 0; i < n; i++) { print(\"}\") ...\n</think>{\"grade\": 1}", Ok(1)),
            ("{curly} musings {twice}</think>{\"grade\": 1}", Ok(1)),
            // The drafts agree with the answer.
            ("So {\"grade\": 1}.</think>{\"grade\": 1}", Ok(1)),
            // Only reasoning.
            ("<think>I would say {\"grade\": 2}</think>", Err(Reason::Empty)),
            ("<think></think>\n\n", Err(Reason::Empty)),
            ("I would say {\"grade\": 2}</think>", Err(Reason::Empty)),
            (
                "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>",
                Err(Reason::Empty),
            ),
            // Reasoning that does not end.
            ("<think>Perhaps {\"grade\": 3}", Err(Reason::CutOff)),
            ("<think>a <think>b</think> {\"grade\": 3}", Err(Reason::CutOff)),
            ("<|channel|>analysis<|message|>{\"grade\": 3}", Err(Reason::CutOff)),
            ("{\"grade\": 3} <think>but wait", Err(Reason::CutOff)),
        ],
    );
}

#[test]
fn broken_json_is_malformed() {
    check(
        GRADE,
        &[
            ("{grade: 2}", Err(Reason::Malformed)),
            ("{'grade': 2}", Err(Reason::Malformed)),
            (r#"{"grade": 2,}"#, Err(Reason::Malformed)),
            (r#"{"grade": 2 // sure"#, Err(Reason::CutOff)),
            ("{\"grade\": 2 // sure\n}", Err(Reason::Malformed)),
            (r#"{"grade": NaN}"#, Err(Reason::Malformed)),
            (r#"{"grade": Infinity}"#, Err(Reason::Malformed)),
            (r#"{"grade": 02}"#, Err(Reason::Malformed)),
            (r#"{"grade": +2}"#, Err(Reason::Malformed)),
            (r#"{"grade": }"#, Err(Reason::Malformed)),
            (r#"{"grade": 2/3}"#, Err(Reason::Malformed)),
            (r#"{"grade": <0, 1, 2 or 3>}"#, Err(Reason::Malformed)),
            (r#"{{"grade": 2}}"#, Err(Reason::Malformed)),
            (r#"{"grade": 1, "grade": 2}"#, Err(Reason::Malformed)),
            (r#"{"grade": 2, "grade": 2}"#, Err(Reason::Malformed)),
            (r#"{"x": {"a": 1, "a": 1}, "grade": 2}"#, Err(Reason::Malformed)),
            (r"So \boxed{2}.", Err(Reason::Malformed)),
            // local-llm and jsonrepair pick {3} out of a block; nothing is picked here.
            ("<think>{3}</think>{3}", Err(Reason::Malformed)),
        ],
    );
}

#[test]
fn another_shape_is_another_shape() {
    check(
        GRADE,
        &[
            (r#"{"score": 2}"#, Err(Reason::WrongShape)),
            (r#"{"Grade": 2}"#, Err(Reason::WrongShape)),
            (r#"{"O": 2}"#, Err(Reason::WrongShape)),
            ("{}", Err(Reason::WrongShape)),
            (r#"{"answer": {"grade": 2}}"#, Err(Reason::WrongShape)),
            (r#"{"answers": [{"grade": 2}]}"#, Err(Reason::WrongShape)),
            (r#"{"grade": "2/3"}"#, Err(Reason::WrongShape)),
            (r#"{"grade": "two"}"#, Err(Reason::WrongShape)),
            (r#"{"grade": "2."}"#, Err(Reason::WrongShape)),
            (r#"{"grade": " 2"}"#, Err(Reason::WrongShape)),
            (r#"{"grade": "02"}"#, Err(Reason::WrongShape)),
            (r#"{"grade": "-0"}"#, Err(Reason::WrongShape)),
            (r#"{"grade": ""}"#, Err(Reason::WrongShape)),
            (r#"{"grade": "٢"}"#, Err(Reason::WrongShape)),
            (r#"{"grade": null}"#, Err(Reason::WrongShape)),
            (r#"{"grade": true}"#, Err(Reason::WrongShape)),
            (r#"{"grade": [2]}"#, Err(Reason::WrongShape)),
            (r#"{"grade": {"value": 2}}"#, Err(Reason::WrongShape)),
            (r#"{"grade": 2.5}"#, Err(Reason::WrongShape)),
        ],
    );
    check(
        REASONED,
        &[
            (r#"{"grade": 2}"#, Err(Reason::WrongShape)),
            (r#"{"facets_covered": [], "facets_missing": [], "grade": 2}"#, Err(Reason::WrongShape)),
            (
                r#"{"facets_covered": "a", "facets_missing": [], "rationale": "", "grade": 2}"#,
                Err(Reason::WrongShape),
            ),
            (
                r#"{"facets_covered": [1], "facets_missing": [], "rationale": "", "grade": 2}"#,
                Err(Reason::WrongShape),
            ),
            (
                r#"{"facets_covered": [], "facets_missing": null, "rationale": "", "grade": 2}"#,
                Err(Reason::WrongShape),
            ),
            (
                r#"{"facets_covered": [], "facets_missing": [], "rationale": null, "grade": 2}"#,
                Err(Reason::WrongShape),
            ),
            (r#"{"facets_covered": [], "facets_missing": [], "rationale": ""}"#, Err(Reason::WrongShape)),
            (r#"{"facets_covered": [], "facets_missing": [], "rationale": "", "grade": 2}"#, Ok(2)),
        ],
    );
}

#[test]
fn a_grade_off_the_scale_is_not_clamped() {
    check(
        GRADE,
        &[
            (r#"{"grade": 4}"#, Err(Reason::OutOfRange)),
            (r#"{"grade": -1}"#, Err(Reason::OutOfRange)),
            (r#"{"grade": "7"}"#, Err(Reason::OutOfRange)),
            (r#"{"grade": 99999999999999999999}"#, Err(Reason::OutOfRange)),
            (r#"{"grade": "99999999999999999999"}"#, Err(Reason::OutOfRange)),
            (r#"{"grade": 1e300}"#, Err(Reason::WrongShape)),
            (r#"{"grade": 4294967298}"#, Err(Reason::OutOfRange)),
            (r#"{"grade": 18446744073709551618}"#, Err(Reason::OutOfRange)),
            (r#"{"grade": 1e999}"#, Err(Reason::Malformed)),
        ],
    );
    let reply = RawReply { text: r#"{"grade": 0}"#, cut_off: false, refused: false };
    let unusable = read_grade(&reply, GRADE, Scale::new(1, 5).unwrap()).unwrap_err();
    assert_eq!(unusable.detail, "grade `0` is not on the scale 1 to 5");
    let reply = RawReply { text: r#"{"grade": -2}"#, ..reply };
    assert_eq!(read_grade(&reply, GRADE, Scale::new(-2, 2).unwrap()).unwrap().grade, -2);
}

#[test]
fn several_answers_are_none() {
    check(
        GRADE,
        &[
            (r#"{"grade": 2} {"grade": 2}"#, Err(Reason::NotAlone)),
            (r#"{"grade": 2} {"grade": "2"}"#, Err(Reason::NotAlone)),
            (r#"{"grade": 1} {"grade": 2}"#, Err(Reason::Ambiguous)),
            (r#"[{"grade": 1}, {"grade": 2}]"#, Err(Reason::Ambiguous)),
            ("{\"grade\": 1}\nOn reflection:\n{\"grade\": 2}", Err(Reason::Ambiguous)),
            (r#"{"grade": 1} {"grade": 7}"#, Err(Reason::Ambiguous)),
            (r#"{"grade": null} {"grade": 1}"#, Err(Reason::Ambiguous)),
            (r#"{"grade": 1} {"grade": 1,}"#, Err(Reason::Ambiguous)),
            (r#"{"grade": 1} {"gra"#, Err(Reason::CutOff)),
            ("So {\"grade\": 2}, or rather:</think>{\"grade\": 1}", Err(Reason::Ambiguous)),
        ],
    );
    let again = format!("{COMPLETE}\n{}", COMPLETE.replace("It says so.", "Again."));
    check(REASONED, &[(&again, Err(Reason::NotAlone))]);
}

#[test]
fn nothing_and_refusals() {
    check(
        GRADE,
        &[
            ("", Err(Reason::Empty)),
            (" \n\t\u{a0}\u{feff}", Err(Reason::Empty)),
            ("I'm sorry, but I can't help with that.", Err(Reason::Declined)),
            ("<think>bad topic</think>\nI’m unable to rate this.", Err(Reason::Declined)),
            (r#"{"error": "I cannot do that"}"#, Err(Reason::WrongShape)),
        ],
    );
    // A refusal in the reasons of a complete answer does not undo the answer.
    let polite = COMPLETE.replace("It says so.", "I'm sorry, I cannot verify it.");
    assert_eq!(read(&polite, REASONED), Ok(2));
}

#[test]
fn a_whole_answer_counts_although_the_token_limit_ended_the_reply() {
    let read = |text: &str| {
        read_grade(&RawReply { text, cut_off: true, refused: false }, REASONED, Scale::default())
    };
    // vLLM with a schema writes white space up to the limit behind the object (vllm#42110).
    for after in ["", "\n", &" \n\t".repeat(500), "<|im_end|>", "\n```"] {
        let text = format!("{COMPLETE}{after}");
        assert_eq!(read(&text).map(|verdict| verdict.grade), Ok(2), "{text}");
    }
    let whole = format!("<think>Hm.</think>\nIt says so.\n\n{COMPLETE}  ");
    assert_eq!(read(&whole).map(|verdict| verdict.grade), Ok(2));
    let cut = COMPLETE.strip_suffix('}').unwrap();
    for text in [
        cut,
        "",
        &format!("<think>Perhaps {COMPLETE}"),
        &format!("{COMPLETE}\nBut on second thou"),
        &format!("{COMPLETE}\n{{\"facets"),
        &format!("{COMPLETE},"),
    ] {
        let unusable = read(text).unwrap_err();
        assert_eq!(unusable.reason, Reason::CutOff, "{text}");
        assert!(unusable.detail.contains("max_tokens"), "{}", unusable.detail);
    }
}

#[test]
fn the_server_has_the_last_word_on_a_refusal() {
    let reply = RawReply { text: COMPLETE, cut_off: true, refused: true };
    assert_eq!(read_grade(&reply, REASONED, Scale::default()).unwrap_err().reason, Reason::Refused);
}

#[test]
fn a_reply_cut_anywhere_is_unusable() {
    // deepeval#929: "invalid JSON", caused by max_tokens; jsonrepair and others complete an object that was cut off.
    let tricky = serde_json::json!({
        "facets_covered": ["é} {\"grade\": 3}", "\\"],
        "facets_missing": ["</think>"],
        "draft": {"grade": 3},
        "rationale": format!("quotes {COMPLETE}"),
        "grade": 2,
    });
    for (before, answer) in [
        ("", COMPLETE.to_owned()),
        ("Here:\n```json\n", tricky.to_string()),
        ("<think>x</think>", tricky.to_string()),
    ] {
        let reply = format!("{before}{answer}");
        assert_eq!(read(&reply, REASONED), Ok(2));
        for cut in (0..reply.len()).filter(|cut| reply.is_char_boundary(*cut)) {
            assert!(read(&reply[..cut], REASONED).is_err(), "{}", &reply[..cut]);
        }
    }
}

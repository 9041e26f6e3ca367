//! Finds the marks that models put around their thinking.

/// Pairs of marks: those of DeepSeek-R1, Qwen3 and the many that follow them (`think`), of Seed-OSS, Magistral,
/// Kimi, Command A Reasoning, OpenThinker, Apertus and MedGemma, and names that prompts commonly ask a model to
/// use.
const PAIRS: [(&str, &str); 11] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<unused94>", "<unused95>"),
];

/// The channels of OpenAI's harmony format (gpt-oss) that are not meant for the user.
const HARMONY_OPEN: [&str; 2] = ["<|channel|>analysis", "<|channel|>commentary"];
/// The end of such a channel. None of these is a mark by itself: other models end every reply with `<|end|>`.
const HARMONY_CLOSE: [&str; 5] = ["<|end|>", "<|return|>", "<|call|>", "<|start|>", "<|channel|>final"];

/// Marks of a chat template that carry no content.
const CONTROL: [&str; 19] = [
    "<|start|>assistant",
    "<|channel|>final",
    "<|constrain|>json",
    "<|message|>",
    "<|end|>",
    "<|return|>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|endoftext|>",
    "<|START_RESPONSE|>",
    "<|END_RESPONSE|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|begin_of_solution|>",
    "<|end_of_solution|>",
    "<end_of_turn>",
    "<｜end▁of▁sentence｜>",
    "</s>",
    "<eos>",
];

/// A mark in a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// The beginning of reasoning.
    Open(&'static str),
    /// The end of reasoning.
    Close(&'static str),
}

/// Returns whether a mark may begin with this byte.
pub(super) fn may_begin(byte: u8) -> bool {
    matches!(byte, b'<' | b'[' | 0xe2)
}

fn starts(text: &[u8], mark: &str) -> bool {
    text.get(..mark.len()).is_some_and(|head| match mark.starts_with('<') {
        true => head.eq_ignore_ascii_case(mark.as_bytes()),
        false => head == mark.as_bytes(),
    })
}

/// Returns the mark with which `text` begins.
pub(super) fn mark_at(text: &[u8]) -> Option<Mark> {
    // Most candidates are no marks; their second byte shows it.
    if !text.get(1).is_some_and(|second| {
        matches!(second.to_ascii_lowercase(), b't' | b'r' | b's' | b'u' | b'/' | b'|' | 0x97)
    }) {
        return None;
    }
    PAIRS
        .iter()
        .find_map(|&(open, close)| match () {
            () if starts(text, open) => Some(Mark::Open(open)),
            () if starts(text, close) => Some(Mark::Close(close)),
            () => None,
        })
        .or_else(|| HARMONY_OPEN.into_iter().find(|open| starts(text, open)).map(Mark::Open))
}

/// Returns the end of the reasoning that begins with `open` at the start of `text`, after its closing mark. Blocks
/// of one kind may be nested.
pub(super) fn end_of_block(text: &[u8], open: &str) -> Option<usize> {
    let pair = PAIRS.iter().find(|(mark, _)| *mark == open);
    let mut depth = 1;
    let mut at = open.len();
    while let Some(step) = text.get(at..)?.iter().position(|&byte| may_begin(byte)) {
        at += step;
        let rest = text.get(at..)?;
        match pair {
            Some((_, close)) if starts(rest, close) => {
                depth -= 1;
                at += close.len();
                if depth == 0 {
                    return Some(at);
                }
            }
            Some((open, _)) if starts(rest, open) => {
                depth += 1;
                at += open.len();
            }
            None if HARMONY_CLOSE.iter().any(|close| starts(rest, close)) => return Some(at),
            _ => at += 1,
        }
    }
    None
}

/// Returns the end of the last closing mark in `text` that ends reasoning.
pub(super) fn last_close(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let places = bytes.iter().enumerate().rev().filter(|(_, byte)| may_begin(**byte));
    places.into_iter().find_map(|(at, _)| match mark_at(bytes.get(at..)?) {
        Some(Mark::Close(close)) if ends_thought(text.get(..at)?) => Some(at + close.len()),
        _ => None,
    })
}

/// Returns whether a closing mark without an opening one can end reasoning, by the text before it. It can if it begins
/// its line, or if the text before it on the line is a finished sentence or code. In the middle of a sentence, as in
/// `The document has </think>`, the mark is quoted.
pub(super) fn ends_thought(before: &str) -> bool {
    let mut letters = before.chars().rev().skip_while(|c| c.is_whitespace() && *c != '\n').peekable();
    if letters.peek().is_none_or(|c| *c == '\n') {
        return true;
    }
    let is_around = |c: &char| matches!(c, '"' | '\'' | '”' | '’' | '»' | '*' | '_' | '`');
    let mut around = false;
    while letters.next_if(is_around).is_some() {
        around = true;
    }
    match letters.next() {
        // A quotation mark behind white space opens a quotation: that of the mark.
        None => false,
        Some(last) if last.is_whitespace() => !around,
        Some(last) => {
            !last.is_alphanumeric() && !matches!(last, ',' | ':' | '<' | '>' | '(' | '[' | '{' | '-')
        }
    }
}

/// Returns `text` without the white space and the marks without content at its beginning.
pub(super) fn skip_blank(text: &str) -> &str {
    let mut text = text;
    loop {
        text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        match CONTROL.iter().find_map(|mark| text.strip_prefix(mark)) {
            Some(rest) => text = rest,
            None => return text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_nest_and_end() {
        let end = |text: &str, open| end_of_block(text.as_bytes(), open).map(|end| text[end..].to_owned());
        assert_eq!(end("<think>a</think>b", "<think>").as_deref(), Some("b"));
        assert_eq!(end("<think>a<THINK>b</Think>c</think>d", "<think>").as_deref(), Some("d"));
        assert_eq!(end("<think>a<think>b</think>c", "<think>"), None);
        assert_eq!(end("<think>a</thinking>b", "<think>"), None);
        assert_eq!(end("◁think▷é◁/think▷b", "◁think▷").as_deref(), Some("b"));
        let open = "<|channel|>analysis";
        assert_eq!(end("<|channel|>analysis<|message|>a<|end|>b", open).as_deref(), Some("<|end|>b"));
    }

    #[test]
    fn the_last_closing_mark() {
        assert_eq!(last_close("a.</think>b.[/THINK]c"), Some(20));
        assert_eq!(last_close("a.</think>b[/THINK]c"), Some(10), "the second is in the middle of a sentence");
        assert_eq!(last_close("a<think>[/think]"), None);
    }

    #[test]
    fn a_closing_mark_in_the_middle_of_a_sentence_ends_no_thought() {
        for before in
            ["", "So it is 2\n", "So it is 2.", "So it is 2. \n  ", "He says \"no.\"", "f(x); }", "是的。"]
        {
            assert!(ends_thought(before), "{before}");
        }
        for before in [
            "The doc has ",
            "The doc has",
            "The doc has \"",
            "It says (",
            "\"",
            "So.\nThe `",
            "a, ",
            "It says: ",
            "</think>",
        ] {
            assert!(!ends_thought(before), "{before}");
        }
    }

    #[test]
    fn marks_of_templates_are_blank() {
        assert_eq!(skip_blank(" <|start|>assistant<|channel|>final<|message|>\n{"), "{");
        assert_eq!(skip_blank("\u{feff}\n<|end|>"), "");
    }
}

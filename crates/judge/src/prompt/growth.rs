//! Refuses template features that build texts of unbounded length.
//!
//! These are the joining of texts, and variables that store written text. Thirty doublings of a word are a gigabyte,
//! and take a hundred steps.

use minijinja::value::Kwargs;
use minijinja::{Environment, Error, ErrorKind, Value};

use super::template::LONGEST_MESSAGE;

/// A refused part of a message's body: the line, from 1, and its text.
pub(super) type Refused = (usize, String);

/// Tags that write nothing of their own into a variable.
const TAGS: [&str; 9] = ["if", "elif", "else", "endif", "for", "endfor", "set", "with", "endwith"];

/// Filters that lengthen a text by a number that they are given, or put a value twice into a list.
const REMOVED: [&str; 12] = [
    "batch",
    "chain",
    "e",
    "escape",
    "format",
    "indent",
    "map",
    "pprint",
    "slice",
    "sum",
    "urlencode",
    "zip",
];

/// Removes features that lengthen texts without a bound, and limits the others.
pub(super) fn bound(environment: &mut Environment<'_>) {
    for name in REMOVED {
        environment.remove_filter(name);
    }
    for name in ["dict", "namespace"] {
        environment.remove_global(name);
    }
    environment.add_filter("replace", |text: String, from: String, to: String| {
        let found = text.matches(from.as_str()).count();
        within(text.len().saturating_add(found.saturating_mul(to.len())))?;
        Ok::<_, Error>(text.replace(&from, &to))
    });
    environment.add_filter("join", |list: Vec<Value>, between: Option<String>| {
        let between = between.unwrap_or_default();
        let mut joined = String::new();
        for (at, value) in list.iter().enumerate() {
            if at > 0 {
                joined.push_str(&between);
            }
            joined.push_str(&value.to_string());
            within(joined.len())?;
        }
        Ok::<_, Error>(joined)
    });
    environment.add_filter("tojson", |value: Value| {
        let no_options = Kwargs::from_iter(std::iter::empty::<(&str, Value)>());
        let text = minijinja::filters::tojson(&value, None, no_options)?;
        within(text.to_string().len())?;
        Ok::<_, Error>(text)
    });
}

fn within(length: usize) -> Result<(), Error> {
    if length <= LONGEST_MESSAGE {
        return Ok(());
    }
    let text = format!("a text is longer than {} MiB", LONGEST_MESSAGE >> 20);
    Err(Error::new(ErrorKind::InvalidOperation, text))
}

/// A piece of a tag.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Name(&'a str),
    Number,
    Text,
    Sign(char),
}

/// Returns the first thing in a message that could build a text of any length.
pub(super) fn refused(body: &str) -> Option<Refused> {
    let mut at = 0;
    while let Some(start) = next_tag(body, at) {
        let line = body.get(..start)?.matches('\n').count() + 1;
        let is_comment = body.get(start..)?.starts_with("{#");
        if is_comment {
            at = start + body.get(start..)?.find("#}")? + 2;
            continue;
        }
        let is_block = body.get(start..)?.starts_with("{%");
        let (tokens, end) = tag(body, start + 2);
        at = end;
        if is_block && tokens.first() == Some(&Token::Name("raw")) {
            // The text until its end.
            let is_end = |place: usize| {
                let (tokens, _) = tag(body, end + place + 2);
                let tokens = tokens.strip_prefix(&[Token::Sign('-')]).unwrap_or(&tokens);
                let tokens = tokens.strip_prefix(&[Token::Sign('+')]).unwrap_or(tokens);
                tokens.first() == Some(&Token::Name("endraw"))
            };
            let ends = body.get(end..)?.match_indices("{%").find(|(place, _)| is_end(*place))?;
            at = end + ends.0 + 2;
            continue;
        }
        if let Some(what) = in_tag(&tokens, is_block) {
            return Some((line, what));
        }
    }
    None
}

fn next_tag(body: &str, from: usize) -> Option<usize> {
    let rest = body.get(from..)?;
    ["{{", "{%", "{#"].iter().filter_map(|begin| rest.find(begin)).min().map(|at| from + at)
}

/// Reads a tag from behind its opening. Returns its pieces and where it ends.
fn tag(body: &str, from: usize) -> (Vec<Token<'_>>, usize) {
    let bytes = body.as_bytes();
    let (mut tokens, mut at, mut open) = (Vec::new(), from, 0usize);
    while let Some(byte) = bytes.get(at) {
        let start = at;
        let while_in = |from: usize, is_in: fn(&u8) -> bool| {
            bytes.iter().skip(from).position(|byte| !is_in(byte)).map_or(bytes.len(), |length| from + length)
        };
        match byte {
            b'"' | b'\'' => {
                at += 1;
                while bytes.get(at).is_some_and(|next| next != byte) {
                    at += if bytes.get(at) == Some(&b'\\') { 2 } else { 1 };
                }
                at += 1;
                tokens.push(Token::Text);
            }
            b'0'..=b'9' => {
                at = while_in(at, |byte| byte.is_ascii_digit() || *byte == b'_');
                tokens.push(Token::Number);
            }
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => {
                at = while_in(at, |byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80);
                tokens.push(Token::Name(body.get(start..at).unwrap_or_default()));
            }
            b'%' | b'}' if open == 0 && bytes.get(at + 1) == Some(&b'}') => return (tokens, at + 2),
            _ => {
                match byte {
                    b'(' | b'[' | b'{' => open += 1,
                    b')' | b']' | b'}' => open = open.saturating_sub(1),
                    _ => {}
                }
                if !byte.is_ascii_whitespace() {
                    tokens.push(Token::Sign(char::from(*byte)));
                }
                at += 1;
            }
        }
    }
    (tokens, bytes.len())
}

fn in_tag(tokens: &[Token<'_>], is_block: bool) -> Option<String> {
    // `{%-` and `{%+` decide about the line end before.
    let tokens = match tokens {
        [Token::Sign('-' | '+'), rest @ ..] => rest,
        tokens => tokens,
    };
    // So do `-%}` and `+%}`.
    let tokens = match tokens {
        [rest @ .., Token::Sign('-' | '+')] => rest,
        tokens => tokens,
    };
    if let (true, Some(Token::Name(name))) = (is_block, tokens.first()) {
        if !TAGS.contains(name) {
            return Some(format!("`{{% {name} %}}`"));
        }
        if *name == "set" && !tokens.contains(&Token::Sign('=')) {
            return Some("a `{% set %}` that keeps what is written up to `{% endset %}`".to_owned());
        }
    }
    if let Some(list) = list_of_values(tokens, is_block) {
        return Some(list);
    }
    tokens.iter().enumerate().find_map(|(at, token)| {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let after = tokens.get(at + 1);
        let beside_number = before == Some(&Token::Number) || after == Some(&Token::Number);
        match token {
            Token::Sign('~') => Some("`~`".to_owned()),
            Token::Sign('*') => Some("`*`".to_owned()),
            Token::Sign('+') if !beside_number => Some("`+` without a number beside it".to_owned()),
            Token::Name("loop") if after == Some(&Token::Sign('(')) => Some("a call of `loop`".to_owned()),
            _ => None,
        }
    })
}

/// Returns a list of several values with names: lists of lists double, too. The arguments of a call are no list, nor
/// are names that a tag assigns to.
fn list_of_values(tokens: &[Token<'_>], is_block: bool) -> Option<String> {
    let first = tokens.first().filter(|_| is_block);
    // For each open bracket: whether it makes a list, contains a name, and contains a comma.
    let mut open = vec![(true, false, false)];
    let mut assigned = matches!(first, Some(Token::Name("for" | "with")));
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        match token {
            Token::Name("in") if first == Some(&Token::Name("for")) => assigned = false,
            Token::Name(
                "true" | "True" | "false" | "False" | "none" | "None" | "in" | "not" | "and" | "or" | "if",
            ) => {}
            Token::Name(_) if at > 0 || !is_block => open.iter_mut().for_each(|(_, named, _)| *named = true),
            Token::Sign('(' | '[' | '{') => {
                let behind = match before {
                    Some(Token::Name(name)) => !["in", "if", "and", "or", "not", "else"].contains(name),
                    Some(token) => matches!(token, Token::Sign(')' | ']' | '}') | Token::Text),
                    None => false,
                };
                open.push((!behind, false, false));
            }
            Token::Sign(',') if !(assigned && open.len() == 1) => {
                if let Some((_, _, comma)) = open.last_mut() {
                    *comma = true;
                }
            }
            Token::Sign(')' | ']' | '}') if open.pop() == Some((true, true, true)) => {
                return Some("a list of several values".to_owned());
            }
            _ => {}
        }
    }
    (open.first() == Some(&(true, true, true))).then(|| "a list of several values".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_builds_texts_of_any_length_is_refused() {
        for body in [
            "{% set x = 'ab' %}{% set x = x ~ x %}",
            "{{ x+x }}",
            "{{ [x] * 100000000 }}",
            "{% set x %}{{ y }}{{ y }}{% endset %}",
            "{%- macro m(x) -%}{{ x }}{{ x }}{%- endmacro %}",
            "{% filter upper %}x{% endfilter %}",
            "{% include '0' %}",
            "{% set a = [x, x] %}",
            "{% set a = x, x %}",
            "{{ (x, x)|string }}",
            "{% for a in [[x, x]] %}{% endfor %}",
            "{% if y in (x, x) %}{% endif %}",
            "{{ {'a': {'b': '}}'}} ~ x }}",
            "{% for x in y recursive %}{% set z = loop(x) %}{% endfor %}",
            "{# {% #}{{ 'a\\'' ~ 'b' }}",
            "{% raw %}{{ x {% endraw %}{{ x ~ x }}",
            "{% raw %}{%- endraw %}{{ x ~ x }}{% raw %}{% endraw %}",
        ] {
            assert!(refused(body).is_some(), "{body}");
        }
        assert_eq!(refused("one\n{{ a }}\n{{ a ~ b }}").unwrap(), (3, "`~`".to_owned()));
    }

    #[test]
    fn values_conditions_loops_and_numbers_are_shown() {
        for body in [
            "about ~ 5 * 3 + x {{ query }}",
            "{% for d in documents -%}\n[{{ loop.index + 1 }}] {{ d|trim }}{%+ endfor %}",
            "{% set n = low + 1 %}{{ n }}{{ 1 + n }}{% if a == '~' %}x{% endif %}",
            "{# a ~ b #}{% raw %}{{ a ~ b }}{% endraw %}",
            "{{ grades|join(', ') }}{{ {'a': {'b': 1}}.a.b }}",
            "{% if grade in [0, 1] and f(a, b) %}{{ x[0] }}{% endif %}",
            "{% for name, text in anchors %}{% endfor %}{% with a = x, b = y %}{% endwith %}",
            "{{",
        ] {
            assert_eq!(refused(body), None, "{body}");
        }
    }

    #[test]
    fn filters_lengthen_a_text_up_to_the_longest_message() {
        let mut environment = Environment::new();
        bound(&mut environment);
        let render =
            |text: &str| environment.render_str(text, minijinja::context! { x => "a".repeat(5_000) });
        assert_eq!(render("{{ x|replace('a', 'b')|length }}{{ [1, 2]|join('-') }}").unwrap(), "50001-2");
        for text in ["{{ x|replace('a', x) }}", "{{ x|list|join(x) }}", "{{ x|indent(1000000000) }}"] {
            assert!(render(text).is_err(), "{text}");
        }
    }
}

//! The Markdown's template and its filters.

use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value,
    syntax::SyntaxConfig,
    value::{Serde, ValueKind},
};
use serde::{Deserialize, Serialize};

use crate::cost::{Dollars, Tokens};
use crate::coverage::Count;
use crate::text::{
    ABSENT, confidence, count, counted, difference, dollars_with_unknown, escape, figure, percent, shorten,
    tokens_with_unknown,
};
use crate::view::Named;

const TEMPLATE: &str = include_str!("../../templates/report.md.j2");

/// Renders the template with these values.
pub(super) fn render(view: &impl Serialize) -> Result<String, Error> {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build()?);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Custom("markdown".into()));
    environment.set_formatter(write_escaped);
    environment.add_filter("measure", |value: Option<f64>| ours(figure(value)));
    environment.add_filter("difference", |value: Option<f64>| ours(difference(value)));
    environment.add_filter("percent", |value: Option<f64>| ours(percent(value)));
    environment.add_filter("confidence", |value: f64| ours(confidence(value)));
    environment.add_filter("count", |value: Option<u64>| ours(value.map_or_else(absent, count)));
    environment.add_filter("counted", |value: usize, one: &str| ours(counted(value, one)));
    environment
        .add_filter("grade", |value: Option<i64>| ours(value.map_or_else(absent, |grade| grade.to_string())));
    environment.add_filter("milliseconds", |value: u64| ours(format!("{} ms", count(value))));
    environment.add_filter("tokens", |value: Value| {
        let Tokens { known, unknown } = Tokens::deserialize(value)?;
        Ok(ours(tokens_with_unknown(known, unknown)))
    });
    environment.add_filter("dollars", |value: Value| {
        let Dollars { known, unknown } = Dollars::deserialize(value)?;
        Ok(ours(dollars_with_unknown(known, unknown)))
    });
    environment.add_filter("total", |value: Value| {
        let counts = Vec::<Count>::deserialize(value)?;
        Ok(ours(count(counts.iter().map(|count| count.count).sum::<u64>())))
    });
    environment.add_filter("names", |value: Value| Ok(Named::deserialize(value)?.listed()));
    environment.add_filter("listed", |value: Value| Ok(Named::of(&Vec::deserialize(value)?).listed()));
    // The diagram is already escaped, by the rules of its own language.
    environment.add_filter("diagram", |value: &str| ours(value.to_owned()));
    environment.add_filter("short", |value: &str, most: usize| shorten(value, most));
    environment.add_template("report.md", TEMPLATE)?;
    environment.get_template("report.md")?.render(Serde(view))
}

/// Escapes every text that the template does not vouch for.
fn write_escaped(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let written = match value.kind() {
        _ if value.is_safe() => out.write_str(value.as_str().unwrap_or_default()),
        ValueKind::Number => out.write_str(&value.to_string()),
        ValueKind::String => out.write_str(&escape(value.as_str().unwrap_or_default())),
        kind => {
            return Err(Error::new(
                ErrorKind::BadEscape,
                format!("the template prints a value of kind {kind}"),
            ));
        }
    };
    written.map_err(Error::from)
}

/// A text that was made here and holds nothing from outside.
fn ours(text: String) -> Value {
    Value::from_safe_string(text)
}

fn absent() -> String {
    ABSENT.to_owned()
}

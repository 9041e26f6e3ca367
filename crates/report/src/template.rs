//! The environment of the templates: formats of figures, and no text that is printed as it is.

use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value,
    syntax::SyntaxConfig,
    value::{Serde, ValueKind},
};
use serde::{Deserialize, Serialize};

use crate::comparison::ComparisonFinding;
use crate::cost::{Dollars, Tokens};
use crate::coverage::Count;
use crate::text::{
    ABSENT, confidence, count, counted, difference, dollars_with_unknown, figure, percent, shorten,
    tokens_with_unknown,
};

/// An environment whose printed texts pass through `escape`. Figures pass through `formatted`, which may vouch for
/// them.
pub(crate) fn environment(
    formatted: fn(String) -> Value,
    escape: fn(&str) -> String,
) -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build()?);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Custom("text".into()));
    environment.set_formatter(move |out, _, value| {
        let written = match value.kind() {
            _ if value.is_safe() => out.write_str(value.as_str().unwrap_or_default()),
            ValueKind::Number => out.write_str(&value.to_string()),
            ValueKind::String => out.write_str(&escape(value.as_str().unwrap_or_default())),
            kind => {
                let what = format!("the template prints a value of kind {kind}");
                return Err(Error::new(ErrorKind::BadEscape, what));
            }
        };
        written.map_err(Error::from)
    });
    let absent = |value: Option<u64>| value.map_or_else(|| ABSENT.to_owned(), count);
    environment.add_filter("measure", move |value: Option<f64>| formatted(figure(value)));
    environment.add_filter("difference", move |value: Option<f64>| formatted(difference(value)));
    environment.add_filter("percent", move |value: Option<f64>| formatted(percent(value)));
    environment.add_filter("confidence", move |value: f64| formatted(confidence(value)));
    environment.add_filter("count", move |value: Option<u64>| formatted(absent(value)));
    environment.add_filter("counted", move |value: usize, one: &str| formatted(counted(value, one)));
    environment.add_filter("tokens", move |value: Value| {
        let Tokens { known, unknown } = Tokens::deserialize(value)?;
        Ok(formatted(tokens_with_unknown(known, unknown)))
    });
    environment.add_filter("dollars", move |value: Value| {
        let Dollars { known, unknown } = Dollars::deserialize(value)?;
        Ok(formatted(dollars_with_unknown(known, unknown)))
    });
    environment.add_filter("finding", |value: Value| Ok(ComparisonFinding::deserialize(value)?.words()));
    environment.add_filter("total", move |value: Value| {
        let counts = Vec::<Count>::deserialize(value)?;
        Ok(formatted(count(counts.iter().map(|count| count.count).sum::<u64>())))
    });
    environment.add_filter("short", |value: &str, most: usize| shorten(value, most));
    // Charts, names of files of llull's, and what a template of this environment made, are already escaped.
    environment.add_filter("drawn", |value: &str| Value::from_safe_string(value.to_owned()));
    Ok(environment)
}

/// Renders one of its templates.
pub(crate) fn render(
    environment: &Environment<'_>,
    name: &str,
    view: &impl Serialize,
) -> Result<String, Error> {
    environment.get_template(name)?.render(Serde(view))
}

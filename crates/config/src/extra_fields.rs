//! Reads `extra`: fields that a judge adds to requests.

use llull_llm::{ExtraFields, Provider, check_extra};
use serde_json::{Number, Value};

use crate::place::JudgeFault;
use crate::spanned::Spanned;

/// Returns the fields of a judge's `extra`, for requests to a provider.
pub(crate) fn extra_fields(
    written: Option<&Spanned<toml::Table>>,
    provider: &Provider,
) -> Result<ExtraFields, JudgeFault> {
    let Some(written) = written else { return Ok(ExtraFields::new()) };
    let mut fields = ExtraFields::new();
    for (name, value) in written.get_ref() {
        let value = json(value).ok_or_else(|| {
            JudgeFault::of(
                written,
                format!("extra: `{name}` holds a date, nan or inf, which JSON cannot express"),
            )
        })?;
        fields.insert(name.clone(), value);
    }
    check_extra(&fields, provider).map_err(|reserved| JudgeFault::of(written, reserved.to_string()))?;
    Ok(fields)
}

/// Returns a value as JSON; `None` if JSON has no such value.
pub(crate) fn json(value: &toml::Value) -> Option<Value> {
    Some(match value {
        toml::Value::String(text) => Value::from(text.as_str()),
        toml::Value::Integer(number) => Value::from(*number),
        toml::Value::Float(number) => Value::Number(Number::from_f64(*number)?),
        toml::Value::Boolean(truth) => Value::from(*truth),
        toml::Value::Datetime(_) => return None,
        toml::Value::Array(items) => Value::Array(items.iter().map(json).collect::<Option<_>>()?),
        toml::Value::Table(fields) => {
            let fields = fields.iter().map(|(name, value)| Some((name.clone(), json(value)?)));
            Value::Object(fields.collect::<Option<_>>()?)
        }
    })
}

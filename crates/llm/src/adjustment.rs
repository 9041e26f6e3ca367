//! The differences between a request as configured and as sent.

use serde_json::{Map, Value};

/// The name under which a schema is sent if the server is told only that the reply is a JSON object.
pub(crate) const JSON_OBJECT: &str = "json_object";

/// A parameter of a request that was left out or renamed because the server refuses it. `system role`, sent as `user`,
/// is that of the instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adjustment {
    /// The parameter's name.
    pub parameter: &'static str,
    /// The name under which it was sent instead; `None` if it was left out.
    pub sent_as: Option<&'static str>,
}

impl Adjustment {
    /// Returns adjustments as a JSON object for the record: each parameter with its other name, or null where it was
    /// left out. `None` if there are none.
    ///
    /// ```
    /// use llull_llm::Adjustment;
    ///
    /// let left_out = Adjustment { parameter: "temperature", sent_as: None };
    /// let renamed = Adjustment { parameter: "max_tokens", sent_as: Some("max_completion_tokens") };
    /// assert_eq!(
    ///     Adjustment::json(&[renamed, left_out]).as_deref(),
    ///     Some(r#"{"max_tokens":"max_completion_tokens","temperature":null}"#)
    /// );
    /// assert_eq!(Adjustment::json(&[]), None);
    /// ```
    pub fn json(adjustments: &[Self]) -> Option<String> {
        let fields = adjustments.iter().map(|adjustment| {
            (adjustment.parameter.to_owned(), adjustment.sent_as.map_or(Value::Null, Value::from))
        });
        let object: Map<_, _> = fields.collect();
        (!object.is_empty()).then(|| Value::Object(object).to_string())
    }
}

//! Prints the name of a measure.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::measure::Measure;
use crate::parameters::REL;

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&printed(self, false))
    }
}

/// The name in full; `with_level` also with a lowest relevant grade of 1, where the measure has one.
pub(super) fn printed(measure: &Measure, with_level: bool) -> String {
    let (definition, parameters) = (measure.definition(), measure.parameters());
    let mut name = measure.alias.unwrap_or(definition.name).to_owned();
    let mut opening = '(';
    for parameter in definition.parameters {
        let Some(value) = parameter.written(parameters) else { continue };
        let is_default = parameter.written(&definition.defaults).is_some_and(|default| default == value);
        if parameter.always_printed || !is_default || (with_level && parameter.name == REL.name) {
            name.push_str(&format!("{opening}{}={value}", parameter.name));
            opening = ',';
        }
    }
    if opening == ',' {
        name.push(')');
    }
    if let Some(cutoff) = parameters.cutoff {
        name.push_str(&format!("@{cutoff}"));
    }
    if let Some(recall) = parameters.recall {
        name.push_str(&format!("@{}", recall.get()));
    }
    name
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Measure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

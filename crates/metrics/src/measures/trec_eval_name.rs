//! trec_eval's notation of parameters in names.

use crate::parameters::Gain;

/// The name with a number of two decimals, which is how trec_eval prints one; `None` if that is not the number.
pub(super) fn with_decimals(family: &str, number: f64) -> Option<String> {
    let decimals = format!("{number:.2}");
    (decimals.parse() == Ok(number)).then(|| format!("{family}_{decimals}"))
}

/// The name with a table of gains; `None` for exponential gains, which trec_eval does not have.
pub(super) fn with_gains(family: &str, gain: &Gain) -> Option<String> {
    match gain {
        Gain::Linear => Some(family.to_owned()),
        Gain::Exponential => None,
        Gain::Custom(gains) => {
            let pairs: Vec<String> = gains.iter().map(|(grade, gain)| format!("{grade}={gain}")).collect();
            Some(format!("{family}_{}", pairs.join(",")))
        }
    }
}

/// The argument `gains={1:3,2:9}` for trec_eval's `_1=3,2=9` behind a name; `None` if nothing is assigned.
pub(super) fn gains_behind(behind: &str) -> Option<String> {
    let pairs = behind.get(1..).filter(|pairs| pairs.contains('='))?;
    Some(format!("gains={{{}}}", pairs.replace('=', ":")))
}

//! An alarm in words.

use llull_audit::Alarm;

use crate::text::{count, figure, interval};

/// An alarm in one line: the judge, the verdict, the figure with its interval, and advice.
///
/// ```
/// use llull_audit::{Alarm, AlarmKind, Concern};
/// let alarm = Alarm {
///     judge: "mini".into(),
///     kind: AlarmKind::FirstSide,
///     verdict: Concern::DoNotTrust,
///     n: 40,
///     value: Some(1.0),
///     low: Some(0.91),
///     high: Some(1.0),
///     chance: Some(0.5),
///     advice: "It always takes the first document.".into(),
/// };
/// assert_eq!(
///     llull_report::alarm_sentence(&alarm),
///     "mini: do not trust: first_side 1.0000 [0.9100, 1.0000], n = 40, a coin 0.5000. It always takes the first \
///      document."
/// );
/// ```
pub fn alarm_sentence(alarm: &Alarm) -> String {
    format!("{}: {}: {} {}", alarm.judge, alarm.verdict.words(), figure_of_alarm(alarm), alarm.advice)
}

/// The figure of an alarm with its name: `first_side 1.0000 [0.9100, 1.0000], n = 40, a coin 0.5000.`
pub fn figure_of_alarm(alarm: &Alarm) -> String {
    let ends = match (alarm.low, alarm.high) {
        (None, None) => String::new(),
        (low, high) => format!(" {}", interval(low, high)),
    };
    let chance = alarm.chance.map_or_else(String::new, |chance| format!(", a coin {}", figure(chance)));
    format!("{} {}{ends}, n = {}{chance}.", alarm.kind.name(), figure(alarm.value), count(alarm.n))
}

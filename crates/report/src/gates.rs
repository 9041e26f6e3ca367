//! Gates: conditions on the difference from the baseline, which may fail a build.

use llull_metrics::{Measure, Scores};
use llull_stats::{BootstrapOptions, Gate, PairedDifference, least_topics};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::comparable::check_comparable;
use crate::comparison::{paired, split};
use crate::error::ReportError;
use crate::json_number::finite;
use crate::text::{confidence, count, counted, difference};

/// The outcome of a gate for one system. A gate is a condition on a difference that can fail a build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateResult {
    /// The condition: `nDCG@10 >= -0.01`.
    pub gate: String,
    /// The system whose difference from the baseline was tested.
    pub system: String,
    /// The value that was tested; null if there was none, or if it has no bound.
    pub value: Option<f64>,
    /// Whether the condition holds. Without a value to test it does not.
    pub passed: bool,
    /// The same in one sentence.
    pub sentence: String,
}

/// Tests every gate on every system's difference from `baseline`: gate by gate, systems in the order of `scores`. A
/// gate fails if there are no queries, if it is on an end of an interval that has no bound, or if nothing that the
/// measure looked at is labelled, so that both values are 0 by convention.
///
/// # Errors
/// Returns an error as [`compare`](crate::compare) does, if a gate is on a measure that cannot be compared, or if a
/// gate names a measure that was not computed.
pub fn gates(
    gates: &[Gate],
    scores: &[Scores],
    baseline: &str,
    options: &BootstrapOptions,
) -> Result<Vec<GateResult>, ReportError> {
    let mut results = Vec::new();
    for gate in gates {
        let (baseline, others) = split(scores, baseline)?;
        let measure = measure_of(gate, baseline)?;
        if let Some(measure) = baseline.measures.get(measure) {
            check_comparable(measure)?;
        }
        for system in others {
            let paired = paired(system, baseline, measure, options)?;
            let labelled = [system, baseline].iter().any(|scores| {
                let (seen, unjudged) = scores.unjudged(measure);
                seen > unjudged
            });
            let tested =
                if labelled { paired.ok_or("there are no queries") } else { Err("nothing is labelled") };
            results.push(hold(gate, system, tested));
        }
    }
    Ok(results)
}

fn measure_of(gate: &Gate, scores: &Scores) -> Result<usize, ReportError> {
    let measure = gate.measure().parse::<Measure>().ok();
    measure.and_then(|measure| scores.measures.iter().position(|known| *known == measure)).ok_or_else(|| {
        ReportError::GateMeasure {
            gate: gate.to_string(),
            known: scores.measures.iter().map(ToString::to_string).collect(),
        }
    })
}

fn hold(gate: &Gate, system: &Scores, tested: Result<PairedDifference, &'static str>) -> GateResult {
    let value = tested.ok().and_then(|paired| finite(gate.figure(&paired)));
    let passed = value.is_some() && tested.is_ok_and(|paired| gate.holds(&paired));
    let found = match (tested, value) {
        (Err(why), _) => why.to_owned(),
        (Ok(paired), None) => format!(
            "it has no bound, as an interval of {} takes at least {} queries (n = {})",
            confidence(paired.confidence),
            least_topics(paired.confidence),
            count(paired.n)
        ),
        (Ok(paired), Some(value)) => {
            format!("it is {} over {}", difference(Some(value)), counted(paired.n, "query"))
        }
    };
    GateResult {
        gate: gate.to_string(),
        system: system.run.clone(),
        value,
        passed,
        sentence: format!("{gate} {} for {}: {found}.", if passed { "holds" } else { "fails" }, system.run),
    }
}

//! Set F: the harmonic mean of set precision and set recall.
//!
//! The weighted harmonic mean of set precision P and set recall R, (1 + β²) · P · R / (β² · P + R). From 0 to 1. With a
//! cutoff it is the mean of P@k and R@k: ranx's `f1@k`.
//!
//! The parameter of trec_eval, which ir_measures passes on as `beta`, is β²: `set_F_4.0` is `SetF(beta=2)`.

use crate::definition::{Alias, Definition, Suffix, WrittenBehind};
use crate::graded_ranking::{GradedRanking, found};
use crate::parameters::{BETA, Beta, JUDGED_ONLY, Parameters, REL, UNJUDGED};

pub(super) static DEFINITION: Definition = Definition {
    name: "SetF",
    summary: "The weighted harmonic mean of SetP and SetR; with a cutoff, of P and R",
    source: "Van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7 (F is 1 - E); trec_eval's set_F",
    value,
    aliases: &[Alias::same("set_f"), Alias::same("f1")],
    written_behind: &[
        WrittenBehind { name: "set_F", arguments: |weight| Some(beta_of(weight)) },
        // in lower case, too, which would otherwise be SetF with a cutoff
        WrittenBehind { name: "set_f", arguments: |weight| Some(beta_of(weight)) },
    ],
    parameters: &[REL, BETA, JUDGED_ONLY, UNJUDGED],
    defaults: Parameters::BINARY,
    suffix: Suffix::OptionalCutoff,
    convention: |parameters| Some(format!("beta = {}, squared", parameters.beta.get())),
    trec_eval_name: |parameters| match (parameters.cutoff, parameters.beta) {
        (Some(_), _) => None,
        (None, Beta::ONE) => Some("set_F".to_owned()),
        (None, beta) => Some(format!("set_F_{}", squared(beta.get()))),
    },
    ..Definition::USUAL
};

/// 0 if nothing relevant is retrieved.
fn value(ranking: &GradedRanking<'_>, parameters: &Parameters) -> f64 {
    let (rel, unjudged) = (parameters.relevant(), parameters.unjudged);
    let list = ranking.top(unjudged, parameters.cutoff);
    let (found, unknown) = found(list, rel, unjudged);
    if found == 0 {
        return 0.0;
    }
    let size = parameters.cutoff.map_or(list.len(), |cutoff| cutoff.rank() as usize);
    let precision = found as f64 / size as f64;
    let recall = found as f64 / (ranking.relevant(rel) + unknown) as f64;
    let weight = parameters.beta.get() * parameters.beta.get();
    (1.0 + weight) * precision * recall / (weight * precision + recall)
}

/// trec_eval's x in `set_F_x` is the square of beta. A text that is not a number above 0 stays as it is; reading it
/// as `beta` then fails with a reason.
fn beta_of(behind: &str) -> String {
    let weight = &behind[1..];
    match weight.parse::<f64>() {
        Ok(x) if x > 0.0 => format!("beta={}", x.sqrt()),
        _ => format!("beta={weight}"),
    }
}

/// trec_eval's x in `set_F_x`: the number with the fewest decimals whose root is `beta`.
fn squared(beta: f64) -> String {
    let square = beta * beta;
    let shorter = (0..17).map(|decimals| format!("{square:.decimals$}"));
    let same = |x: &String| x.parse().map(f64::sqrt) == Ok(beta);
    shorter.into_iter().find(same).unwrap_or_else(|| square.to_string())
}

//! A plan of a provider's faults.

use std::{ops::RangeInclusive, time::Duration};

use llull_core::{Hash, Seed};

use crate::{comparing_answer::Taste, fault::Fault};

/// The faults of a [`FaultyServer`](crate::FaultyServer), and when they occur. Rates are shares of requests, from 0 to
/// 1.
///
/// Faults in the answer's text (`malformed`, `cut_off`, `empty`, `refusal`, `not_an_order`) are drawn from the prompt
/// alone: a prompt gets the same answer every time. Faults in transit (`rate_429`, `rate_500`, `hang`, `reset`) and
/// delays are drawn from the prompt and its number of earlier requests. A prompt has at most
/// [`transient_limit`](Self::transient_limit) of them, so that a retry helps. Neither depends on the order in which
/// prompts arrive.
#[derive(Debug, Clone)]
pub struct FaultPlan {
    /// The seed of all draws.
    pub seed: Seed,
    /// The time that an answer takes, in milliseconds, drawn evenly.
    pub delay_ms: RangeInclusive<u64>,
    /// Share of requests answered with 429 and a Retry-After of [`retry_after`](Self::retry_after).
    pub rate_429: f64,
    /// The wait that a 429 asks for, in seconds.
    pub retry_after: u32,
    /// Share answered with 500.
    pub rate_500: f64,
    /// Share never answered.
    pub hang: f64,
    /// Share whose connection breaks in the middle.
    pub reset: f64,
    /// The most faults in transit for one prompt; after that it is answered.
    pub transient_limit: u32,
    /// Share of prompts whose answer is malformed JSON.
    pub malformed: f64,
    /// Share of prompts whose answer is cut off.
    pub cut_off: f64,
    /// Share of prompts whose answer is empty.
    pub empty: f64,
    /// Share of prompts that are refused.
    pub refusal: f64,
    /// Share of prompts whose answer is not an order of the documents shown.
    pub not_an_order: f64,
    /// How comparing prompts are answered.
    pub taste: Taste,
    /// Answers to the first requests, in order of arrival, whatever the prompt; the rates apply afterwards.
    pub script: Vec<Fault>,
    /// The answer to every request after the script, instead of drawn ones.
    pub otherwise: Option<Fault>,
    /// Whether requests with a `response_format` are answered with 400, as by a server without structured output.
    pub no_schema: bool,
    /// Whether requests with `max_tokens` are answered with 400, as by OpenAI's reasoning models.
    pub new_limit_name: bool,
    /// Parameters with which a request is answered with 400, as by OpenAI's reasoning models: `temperature`, `seed`.
    pub refused_parameters: Vec<&'static str>,
    /// How many times a batch is looked at before it has ended.
    pub batch_looks: u32,
    /// The states in which Bedrock's first batches end, such as `Expired`; the others are completed.
    pub batch_ends: Vec<&'static str>,
    /// The key without which requests are answered with 401.
    pub key: Option<String>,
    /// Whether [`FaultyServer::requests`](crate::FaultyServer::requests) returns the requests.
    pub record: bool,
}

impl Default for FaultPlan {
    /// Returns the plan of a server without faults: it answers at once, accepts schemas, needs no key and records
    /// nothing.
    fn default() -> Self {
        Self {
            seed: Seed(0),
            delay_ms: 0..=0,
            rate_429: 0.0,
            retry_after: 1,
            rate_500: 0.0,
            hang: 0.0,
            reset: 0.0,
            transient_limit: 3,
            malformed: 0.0,
            cut_off: 0.0,
            empty: 0.0,
            refusal: 0.0,
            not_an_order: 0.0,
            taste: Taste::Merit,
            script: Vec::new(),
            otherwise: None,
            no_schema: false,
            new_limit_name: false,
            refused_parameters: Vec::new(),
            batch_looks: 0,
            batch_ends: Vec::new(),
            key: None,
            record: false,
        }
    }
}

impl FaultPlan {
    /// Returns the plan of a server that always answers like this, and records requests.
    pub fn always(fault: Fault) -> Self {
        Self { otherwise: Some(fault), record: true, ..Self::default() }
    }

    /// Returns the plan of a server that answers like this in order, then without faults, and records requests.
    pub fn script(faults: impl IntoIterator<Item = Fault>) -> Self {
        Self { script: faults.into_iter().collect(), record: true, ..Self::default() }
    }

    /// Returns the server's response to a request. `arrival` counts all earlier requests, `asked` those with this
    /// prompt, `stumbled` those of them that met a fault in transit.
    pub(crate) fn fault(&self, prompt: &Hash, arrival: usize, asked: u32, stumbled: u32) -> Fault {
        if let Some(fault) = self.script.get(arrival).or(self.otherwise.as_ref()) {
            return fault.clone();
        }
        let in_transit = [
            (self.rate_429, Fault::RateLimited { retry_after: self.retry_after }),
            (self.rate_500, Fault::ServerError),
            (self.hang, Fault::Hang),
            (self.reset, Fault::Reset),
        ];
        let in_the_text = [
            (self.malformed, Fault::Malformed),
            (self.cut_off, Fault::CutOff),
            (self.empty, Fault::Empty),
            (self.refusal, Fault::Refusal),
            (self.not_an_order, Fault::NotAnOrder),
        ];
        let transient = (stumbled < self.transient_limit)
            .then(|| pick(self.draw("way", prompt, asked), in_transit))
            .flatten();
        transient.or_else(|| pick(self.draw("text", prompt, 0), in_the_text)).unwrap_or(Fault::None)
    }

    /// Returns the fault in the text of this prompt's answer, or [`Fault::None`]. For tests that count.
    pub fn lasting_fault(&self, prompt: &str) -> Fault {
        self.fault(&Hash::of(prompt.as_bytes()), usize::MAX, 0, u32::MAX)
    }

    /// Returns the time that this answer takes.
    pub(crate) fn delay(&self, prompt: &Hash, asked: u32) -> Duration {
        let (low, high) = (*self.delay_ms.start(), *self.delay_ms.end());
        let span = high.saturating_sub(low) as f64 + 1.0;
        Duration::from_millis(low + (self.draw("delay", prompt, asked) * span) as u64)
    }

    /// Returns a number from 0 to 1 that depends only on the seed and the arguments.
    fn draw(&self, purpose: &str, prompt: &Hash, asked: u32) -> f64 {
        let bits = self.seed.stream(&format!("{purpose} {prompt} {asked}"));
        (bits >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Returns the fault whose share the draw falls into.
fn pick<const N: usize>(draw: f64, shares: [(f64, Fault); N]) -> Option<Fault> {
    let mut below = 0.0;
    shares.into_iter().find_map(|(share, fault)| {
        below += share;
        (draw < below).then_some(fault)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_met_and_do_not_depend_on_the_order() {
        let plan = FaultPlan { rate_429: 0.2, rate_500: 0.1, malformed: 0.1, ..FaultPlan::default() };
        let all = |order: &mut dyn Iterator<Item = u32>| -> Vec<(u32, Fault)> {
            let fault = |(arrival, prompt): (usize, u32)| {
                (prompt, plan.fault(&Hash::of(&prompt.to_le_bytes()), arrival, 0, 0))
            };
            let mut all: Vec<_> = order.enumerate().map(fault).collect();
            all.sort_by_key(|(prompt, _)| *prompt);
            all
        };
        let faults = all(&mut (0..4000));
        assert_eq!(faults, all(&mut (0..4000).rev()));
        let share = |name| faults.iter().filter(|(_, fault)| fault.name() == name).count() as f64 / 4000.0;
        // four standard errors of a share
        let near = |share: f64, rate: f64| (share - rate).abs() < 4.0 * (rate * (1.0 - rate) / 4000.0).sqrt();
        assert!(near(share("rate_limited"), 0.2) && near(share("server_error"), 0.1));
        assert!(near(share("malformed"), 0.07), "a share of those without a fault in transit");
    }

    #[test]
    fn asking_again_helps_in_the_end_and_the_text_stays() {
        let plan = FaultPlan { rate_500: 1.0, empty: 1.0, transient_limit: 2, ..FaultPlan::default() };
        let prompt = Hash::of(b"p");
        let answers: Vec<_> = (0..4).map(|asked| plan.fault(&prompt, 0, asked, asked)).collect();
        assert_eq!(answers, [Fault::ServerError, Fault::ServerError, Fault::Empty, Fault::Empty]);
        assert_eq!(plan.lasting_fault("p"), Fault::Empty);
    }

    #[test]
    fn delays_stay_in_their_range() {
        let plan = FaultPlan { delay_ms: 3..=5, ..FaultPlan::default() };
        let delays: Vec<_> = (0..200).map(|asked| plan.delay(&Hash::of(b"p"), asked).as_millis()).collect();
        assert!((3..=5).all(|ms| delays.contains(&ms)) && delays.iter().all(|ms| (3..=5).contains(ms)));
    }
}

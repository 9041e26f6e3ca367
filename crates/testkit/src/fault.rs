//! What can go wrong with a provider, and a plan of when it does.

use std::{ops::RangeInclusive, time::Duration};

use llull_core::{Hash, Seed};

use crate::Taste;

/// One way to answer, most of them wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// No fault: the answer that follows from the prompt.
    None,
    /// 429 with this Retry-After, in seconds.
    RateLimited {
        /// Seconds to wait.
        retry_after: u32,
    },
    /// 500.
    ServerError,
    /// No answer, ever; the connection stays open.
    Hang,
    /// The connection breaks in the middle of the answer's body.
    Reset,
    /// An answer whose text is not JSON although it looks like it.
    Malformed,
    /// An answer whose text stops in the middle, with `finish_reason` `length`.
    CutOff,
    /// An answer without text.
    Empty,
    /// A refusal, in the field made for it.
    Refusal,
    /// An order that omits, repeats or invents a label; of a prompt that asks for a grade, a grade above the scale.
    NotAnOrder,
    /// 401, with the key that was sent quoted in the message, as OpenAI does.
    Unauthorized,
    /// 429 with the code `insufficient_quota`.
    Quota,
    /// Whatever a test wants to see handled.
    Raw {
        /// The status.
        status: u16,
        /// Headers.
        headers: Vec<(String, String)>,
        /// The body, verbatim.
        body: String,
    },
}

impl Fault {
    /// The name under which it is counted.
    pub fn name(&self) -> &'static str {
        match self {
            Self::None => "normal",
            Self::RateLimited { .. } => "rate_limited",
            Self::ServerError => "server_error",
            Self::Hang => "hang",
            Self::Reset => "reset",
            Self::Malformed => "malformed",
            Self::CutOff => "cut_off",
            Self::Empty => "empty",
            Self::Refusal => "refusal",
            Self::NotAnOrder => "not_an_order",
            Self::Unauthorized => "unauthorized",
            Self::Quota => "quota",
            Self::Raw { .. } => "raw",
        }
    }
}

/// When a [`FaultyServer`](crate::FaultyServer) does what. Rates are shares of requests, from 0 to 1.
///
/// Faults in the answer's text (`malformed`, `cut_off`, `empty`, `refusal`, `not_an_order`) are drawn by the prompt alone:
/// the prompt is answered so every time. Faults on the way (`rate_429`, `rate_500`, `hang`, `reset`) and delays are drawn by the
/// prompt and how often it was asked, at most [`transient_limit`](Self::transient_limit) times, so that asking again
/// helps. Neither depends on the order in which prompts arrive.
#[derive(Debug, Clone)]
pub struct FaultPlan {
    /// The source of all draws.
    pub seed: Seed,
    /// How long an answer takes, in milliseconds, drawn evenly.
    pub delay_ms: RangeInclusive<u64>,
    /// Share of requests turned away with 429 and a Retry-After of [`retry_after`](Self::retry_after).
    pub rate_429: f64,
    /// Seconds that a 429 asks to wait.
    pub retry_after: u32,
    /// Share answered with 500.
    pub rate_500: f64,
    /// Share never answered.
    pub hang: f64,
    /// Share whose connection breaks in the middle.
    pub reset: f64,
    /// How often one prompt meets a fault on the way; after that it is answered.
    pub transient_limit: u32,
    /// Share of prompts whose answer is malformed JSON.
    pub malformed: f64,
    /// Share of prompts whose answer is cut off.
    pub cut_off: f64,
    /// Share of prompts whose answer is empty.
    pub empty: f64,
    /// Share of prompts that are refused.
    pub refusal: f64,
    /// Share of prompts that are answered with what is no order of the documents shown.
    pub not_an_order: f64,
    /// What answers to comparing prompts go by.
    pub taste: Taste,
    /// Answers to the first requests, in order of arrival and whatever the prompt; the rates apply afterwards.
    pub script: Vec<Fault>,
    /// Turns every request after the script into this, instead of drawing.
    pub otherwise: Option<Fault>,
    /// Answers 400 to every request with a `response_format`, as a server without structured output does.
    pub no_schema: bool,
    /// Answers 400 to every request with `max_tokens`, as OpenAI's reasoning models do.
    pub new_limit_name: bool,
    /// Answers 401 to every request without this key.
    pub key: Option<String>,
    /// Keeps every request for [`FaultyServer::requests`](crate::FaultyServer::requests).
    pub record: bool,
}

impl Default for FaultPlan {
    /// A server without a fault: answers at once, takes schemas, wants no key, records nothing.
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
            key: None,
            record: false,
        }
    }
}

impl FaultPlan {
    /// A server that always does this, and records what it is asked.
    pub fn always(fault: Fault) -> Self {
        Self { otherwise: Some(fault), record: true, ..Self::default() }
    }

    /// A server that does this in order, then answers, and records what it is asked.
    pub fn script(faults: impl IntoIterator<Item = Fault>) -> Self {
        Self { script: faults.into_iter().collect(), record: true, ..Self::default() }
    }

    /// What the server does. `arrival` counts all requests, `asked` those with this prompt before, `stumbled` how
    /// many of them met a fault on the way; all from 0.
    pub(crate) fn fault(&self, prompt: &Hash, arrival: usize, asked: u32, stumbled: u32) -> Fault {
        if let Some(fault) = self.script.get(arrival).or(self.otherwise.as_ref()) {
            return fault.clone();
        }
        let on_the_way = [
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
            .then(|| pick(self.draw("way", prompt, asked), on_the_way))
            .flatten();
        transient.or_else(|| pick(self.draw("text", prompt, 0), in_the_text)).unwrap_or(Fault::None)
    }

    /// What the server says of this prompt when nothing goes wrong on the way: [`Fault::None`], or what is wrong with
    /// the text. For tests that count.
    pub fn lasting_fault(&self, prompt: &str) -> Fault {
        self.fault(&Hash::of(prompt.as_bytes()), usize::MAX, 0, u32::MAX)
    }

    pub(crate) fn delay(&self, prompt: &Hash, asked: u32) -> Duration {
        let (low, high) = (*self.delay_ms.start(), *self.delay_ms.end());
        let span = high.saturating_sub(low) as f64 + 1.0;
        Duration::from_millis(low + (self.draw("delay", prompt, asked) * span) as u64)
    }

    /// A number from 0 to 1 that depends on nothing but the seed and the arguments.
    fn draw(&self, purpose: &str, prompt: &Hash, asked: u32) -> f64 {
        let bits = self.seed.stream(&format!("{purpose} {prompt} {asked}"));
        (bits >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The fault whose share the draw falls into.
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
        assert!(near(share("malformed"), 0.07), "a share of those that meet nothing on the way");
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

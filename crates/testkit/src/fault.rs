//! The faults of a provider.

/// One way to answer a request, most of them wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// No fault: the answer that follows from the prompt.
    None,
    /// 429 with this Retry-After, in seconds.
    RateLimited {
        /// The wait in seconds.
        retry_after: u32,
    },
    /// 500.
    ServerError,
    /// No answer, ever; the connection stays open.
    Hang,
    /// The connection breaks in the middle of the answer's body.
    Reset,
    /// An answer that resembles JSON and is invalid.
    Malformed,
    /// An answer whose text stops in the middle, with `finish_reason` `length`.
    CutOff,
    /// An answer without text.
    Empty,
    /// A refusal, in the field made for it.
    Refusal,
    /// An order that omits, repeats or invents a label; if the prompt asks for a grade, a grade above the scale.
    NotAnOrder,
    /// 401, with the key that was sent quoted in the message, as OpenAI does.
    Unauthorized,
    /// 429 with the code `insufficient_quota`.
    Quota,
    /// An answer of the test's own.
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
    /// Returns the name under which it is counted.
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

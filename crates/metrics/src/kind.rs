//! What measures there are, and what each can be told.

/// A measure without its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Ndcg,
    Dcg,
    Ap,
    Gmap,
    Rr,
    Precision,
    Recall,
    Rprec,
    IPrec,
    ElevenPoint,
    Success,
    Judged,
    Unj,
    Bpref,
    GmBpref,
    InfAp,
    SetP,
    SetR,
    SetF,
    SetAp,
    Err,
    Nerr,
    Rbp,
    RbpResidual,
    Insq,
    Inst,
    Compat,
    Utility,
    BinG,
    G,
    NdcgRel,
    Rndcg,
    NumQ,
    NumRet,
    NumRel,
    NumNonrelRet,
}

/// What may stand behind the `@`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    /// A rank, or nothing: the whole list.
    Optional,
    /// A rank.
    Rank,
    /// A share of the relevant documents.
    Recall,
    /// Nothing.
    Nothing,
}

/// A parameter that stands in parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parameter {
    Dcg,
    Gains,
    Rel,
    P,
    Normalize,
    MaxRel,
    Target,
    Mult,
    Beta,
    Relative,
    Rounding,
    Weights,
    JudgedOnly,
    Unjudged,
}

impl Parameter {
    /// In the order in which they are printed.
    pub(crate) const ALL: [Self; 14] = [
        Self::Dcg,
        Self::Gains,
        Self::Rel,
        Self::P,
        Self::Normalize,
        Self::Target,
        Self::MaxRel,
        Self::Mult,
        Self::Beta,
        Self::Relative,
        Self::Rounding,
        Self::Weights,
        Self::JudgedOnly,
        Self::Unjudged,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Dcg => "dcg",
            Self::Gains => "gains",
            Self::Rel => "rel",
            Self::P => "p",
            Self::Normalize => "normalize",
            Self::Target => "T",
            Self::MaxRel => "max_rel",
            Self::Mult => "mult",
            Self::Beta => "beta",
            Self::Relative => "relative",
            Self::Rounding => "rounding",
            Self::Weights => "weights",
            Self::JudgedOnly => "judged_only",
            Self::Unjudged => "unjudged",
        }
    }

    /// For a message: the parameter with an example.
    fn example(self) -> &'static str {
        match self {
            Self::Dcg => "dcg='log2' or dcg='exp-log2'",
            Self::Gains => "gains, as in gains={1:1,2:10}",
            Self::Rel => "rel, the lowest relevant grade, as in rel=2",
            Self::P => "p, as in p=0.9",
            Self::Normalize => "normalize=True or normalize=False",
            Self::Target => "T, as in T=2",
            Self::MaxRel => "max_rel, the highest grade, as in max_rel=3",
            Self::Mult => "mult, as in mult=0.5",
            Self::Beta => "beta, as in beta=2",
            Self::Relative => "relative=True",
            Self::Rounding => "rounding='up' or rounding='nearest'",
            Self::Weights => "weights={found,others,missed}, as in weights={1,-1,0}",
            Self::JudgedOnly => "judged_only=True",
            Self::Unjudged => "unjudged='best'",
        }
    }
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ndcg => "nDCG",
            Self::Dcg => "DCG",
            Self::Ap => "AP",
            Self::Gmap => "GMAP",
            Self::Rr => "RR",
            Self::Precision => "P",
            Self::Recall => "R",
            Self::Rprec => "Rprec",
            Self::IPrec => "IPrec",
            Self::ElevenPoint => "11pt_avg",
            Self::Success => "Success",
            Self::Judged => "Judged",
            Self::Unj => "unj",
            Self::Bpref => "Bpref",
            Self::GmBpref => "gm_bpref",
            Self::InfAp => "infAP",
            Self::SetP => "SetP",
            Self::SetR => "SetR",
            Self::SetF => "SetF",
            Self::SetAp => "SetAP",
            Self::Err => "ERR",
            Self::Nerr => "nERR",
            Self::Rbp => "RBP",
            Self::RbpResidual => "RBPResidual",
            Self::Insq => "INSQ",
            Self::Inst => "INST",
            Self::Compat => "Compat",
            Self::Utility => "utility",
            Self::BinG => "binG",
            Self::G => "G",
            Self::NdcgRel => "ndcg_rel",
            Self::Rndcg => "Rndcg",
            Self::NumQ => "NumQ",
            Self::NumRet => "NumRet",
            Self::NumRel => "NumRel",
            Self::NumNonrelRet => "num_nonrel_judged_ret",
        }
    }

    pub(crate) fn at(self) -> At {
        match self {
            Self::Ndcg | Self::Dcg | Self::Ap | Self::Rr | Self::Err | Self::Nerr | Self::Rbp => At::Optional,
            Self::RbpResidual | Self::NumRet | Self::Success | Self::SetF => At::Optional,
            Self::Precision | Self::Recall | Self::Judged | Self::Unj => At::Rank,
            Self::IPrec => At::Recall,
            _ => At::Nothing,
        }
    }

    pub(crate) fn takes(self, parameter: Parameter) -> bool {
        self.parameters().contains(&parameter)
    }

    fn parameters(self) -> &'static [Parameter] {
        use Parameter as P;
        match self {
            Self::Ndcg | Self::Dcg => &[P::Dcg, P::Gains, P::JudgedOnly, P::Unjudged],
            Self::Ap | Self::Rr | Self::Recall | Self::Success | Self::SetAp => {
                &[P::Rel, P::JudgedOnly, P::Unjudged]
            }
            Self::Precision | Self::SetP => &[P::Rel, P::Relative, P::JudgedOnly, P::Unjudged],
            Self::SetF => &[P::Rel, P::Beta, P::JudgedOnly, P::Unjudged],
            Self::Rprec => &[P::Rel, P::Mult, P::JudgedOnly],
            Self::IPrec | Self::ElevenPoint => &[P::Rel, P::Rounding, P::JudgedOnly],
            Self::Gmap | Self::Bpref | Self::GmBpref | Self::InfAp | Self::SetR => &[P::Rel],
            Self::NumRet | Self::NumRel | Self::NumNonrelRet | Self::BinG => &[P::Rel],
            Self::Utility => &[P::Rel, P::Weights],
            Self::G | Self::NdcgRel | Self::Rndcg => &[P::Dcg, P::Gains],
            Self::Err | Self::Nerr => &[P::MaxRel, P::JudgedOnly, P::Unjudged],
            Self::Rbp => &[P::P, P::Rel, P::MaxRel, P::JudgedOnly, P::Unjudged],
            Self::RbpResidual => &[P::P],
            Self::Insq | Self::Inst => &[P::Target, P::MaxRel],
            Self::Compat => &[P::P, P::Normalize],
            Self::Judged | Self::Unj | Self::NumQ => &[],
        }
    }

    /// For a message: all that it can be told.
    pub(crate) fn accepted(self) -> String {
        let mut accepted: Vec<&str> = self.parameters().iter().map(|parameter| parameter.example()).collect();
        match (self.at(), accepted.is_empty()) {
            (At::Nothing, true) => return "nothing".to_owned(),
            (At::Rank | At::Optional, true) => return "only a cutoff".to_owned(),
            (At::Recall, _) => accepted.push("a recall level behind the @"),
            _ => {}
        }
        match accepted.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{}, and {last}", rest.join(", ")),
            _ => accepted.concat(),
        }
    }

    /// For a message: how it is written, with what it needs.
    pub(crate) fn example(self) -> &'static str {
        match self {
            Self::Ndcg => "nDCG@10",
            Self::Dcg => "DCG@10",
            Self::Ap => "AP@10",
            Self::Rr => "RR@10",
            Self::Precision => "P@10",
            Self::Recall => "R@10",
            Self::Success => "Success@10",
            Self::Judged => "Judged@10",
            Self::Unj => "unj@10",
            Self::IPrec => "IPrec@0.1",
            Self::Compat => "Compat(p=0.9)",
            Self::Insq => "INSQ(max_rel=3)",
            Self::Inst => "INST(max_rel=3)",
            other => other.name(),
        }
    }
}

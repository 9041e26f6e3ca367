//! What a measure is told, between its name and its value, and how it is printed.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::gain::Gain;
use crate::kind::{Kind, Parameter};
use crate::measure::{Measure, Worth};
use crate::parameter::{
    Beta, Cutoff, MaxGrade, Multiple, Persistence, RecallLevel, Relevant, Rounding, Target, Unjudged, Weights,
};

/// Everything that any measure can be told; what one cannot be told, or is not, is `None`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Told {
    pub(crate) cutoff: Option<Cutoff>,
    pub(crate) recall: Option<RecallLevel>,
    pub(crate) gain: Option<Gain>,
    pub(crate) rel: Option<Relevant>,
    pub(crate) p: Option<Persistence>,
    pub(crate) normalize: Option<bool>,
    pub(crate) target: Option<Target>,
    pub(crate) max_rel: Option<MaxGrade>,
    pub(crate) mult: Option<Multiple>,
    pub(crate) beta: Option<Beta>,
    pub(crate) relative: Option<bool>,
    pub(crate) rounding: Option<Rounding>,
    pub(crate) weights: Option<Weights>,
    pub(crate) unjudged: Option<Unjudged>,
}

impl Measure {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Ndcg { .. } => Kind::Ndcg,
            Self::Dcg { .. } => Kind::Dcg,
            Self::Ap { .. } => Kind::Ap,
            Self::Gmap { .. } => Kind::Gmap,
            Self::Rr { .. } => Kind::Rr,
            Self::Precision { .. } => Kind::Precision,
            Self::Recall { .. } => Kind::Recall,
            Self::Rprec { .. } => Kind::Rprec,
            Self::IPrec { .. } => Kind::IPrec,
            Self::ElevenPoint { .. } => Kind::ElevenPoint,
            Self::Success { .. } => Kind::Success,
            Self::Judged { .. } => Kind::Judged,
            Self::Unj { .. } => Kind::Unj,
            Self::Bpref { .. } => Kind::Bpref,
            Self::GmBpref { .. } => Kind::GmBpref,
            Self::InfAp { .. } => Kind::InfAp,
            Self::SetP { .. } => Kind::SetP,
            Self::SetR { .. } => Kind::SetR,
            Self::SetF { .. } => Kind::SetF,
            Self::SetAp { .. } => Kind::SetAp,
            Self::Err { .. } => Kind::Err,
            Self::Nerr { .. } => Kind::Nerr,
            Self::Rbp { .. } => Kind::Rbp,
            Self::RbpResidual { .. } => Kind::RbpResidual,
            Self::Insq { .. } => Kind::Insq,
            Self::Inst { .. } => Kind::Inst,
            Self::Compat { .. } => Kind::Compat,
            Self::Utility { .. } => Kind::Utility,
            Self::BinG { .. } => Kind::BinG,
            Self::G { .. } => Kind::G,
            Self::NdcgRel { .. } => Kind::NdcgRel,
            Self::Rndcg { .. } => Kind::Rndcg,
            Self::NumQ => Kind::NumQ,
            Self::NumRet { .. } => Kind::NumRet,
            Self::NumRel { .. } => Kind::NumRel,
            Self::NumNonrelRet { .. } => Kind::NumNonrelRet,
        }
    }

    pub(crate) fn told(&self) -> Told {
        let condensed = |judged_only| if judged_only { Unjudged::Excluded } else { Unjudged::NotRelevant };
        let none = Told::default();
        match *self {
            Self::Ndcg { gain, cutoff, unjudged } | Self::Dcg { gain, cutoff, unjudged } => {
                Told { gain: Some(gain), cutoff, unjudged: Some(unjudged), ..none }
            }
            Self::Ap { rel, cutoff, unjudged }
            | Self::Rr { rel, cutoff, unjudged }
            | Self::Success { rel, cutoff, unjudged } => {
                Told { rel: Some(rel), cutoff, unjudged: Some(unjudged), ..none }
            }
            Self::Precision { rel, cutoff, unjudged, relative } => Told {
                rel: Some(rel),
                cutoff: Some(cutoff),
                unjudged: Some(unjudged),
                relative: Some(relative),
                ..none
            },
            Self::Recall { rel, cutoff, unjudged } => {
                Told { rel: Some(rel), cutoff: Some(cutoff), unjudged: Some(unjudged), ..none }
            }
            Self::Rprec { rel, mult, judged_only } => {
                Told { rel: Some(rel), mult: Some(mult), unjudged: Some(condensed(judged_only)), ..none }
            }
            Self::IPrec { rel, recall, rounding, judged_only } => Told {
                rel: Some(rel),
                recall: Some(recall),
                rounding: Some(rounding),
                unjudged: Some(condensed(judged_only)),
                ..none
            },
            Self::ElevenPoint { rel, rounding, judged_only } => Told {
                rel: Some(rel),
                rounding: Some(rounding),
                unjudged: Some(condensed(judged_only)),
                ..none
            },
            Self::Judged { cutoff } | Self::Unj { cutoff } => Told { cutoff: Some(cutoff), ..none },
            Self::Gmap { rel }
            | Self::Bpref { rel }
            | Self::GmBpref { rel }
            | Self::InfAp { rel }
            | Self::SetR { rel }
            | Self::NumRel { rel }
            | Self::BinG { rel }
            | Self::NumNonrelRet { rel } => Told { rel: Some(rel), ..none },
            Self::SetP { rel, relative, unjudged } => {
                Told { rel: Some(rel), relative: Some(relative), unjudged: Some(unjudged), ..none }
            }
            Self::SetF { rel, beta, cutoff, unjudged } => {
                Told { rel: Some(rel), beta: Some(beta), cutoff, unjudged: Some(unjudged), ..none }
            }
            Self::SetAp { rel, unjudged } => Told { rel: Some(rel), unjudged: Some(unjudged), ..none },
            Self::Err { max_rel, cutoff, unjudged } | Self::Nerr { max_rel, cutoff, unjudged } => {
                Told { max_rel: Some(max_rel), cutoff, unjudged: Some(unjudged), ..none }
            }
            Self::Rbp { p, worth, cutoff, unjudged } => {
                let (rel, max_rel) = match worth {
                    Worth::Binary(rel) => (Some(rel), None),
                    Worth::Graded(max_rel) => (None, Some(max_rel)),
                };
                Told { p: Some(p), rel, max_rel, cutoff, unjudged: Some(unjudged), ..none }
            }
            Self::RbpResidual { p, cutoff } => Told { p: Some(p), cutoff, ..none },
            Self::Insq { target, max_rel } | Self::Inst { target, max_rel } => {
                Told { target: Some(target), max_rel: Some(max_rel), ..none }
            }
            Self::Compat { p, normalize } => Told { p: Some(p), normalize: Some(normalize), ..none },
            Self::Utility { rel, weights } => Told { rel: Some(rel), weights: Some(weights), ..none },
            Self::G { gain } | Self::NdcgRel { gain } | Self::Rndcg { gain } => {
                Told { gain: Some(gain), ..none }
            }
            Self::NumQ => none,
            Self::NumRet { rel, cutoff } => Told { rel, cutoff, ..none },
        }
    }

    /// The name in full, as it is printed.
    fn printed(&self) -> String {
        let (kind, told) = (self.kind(), self.told());
        let mut name = kind.name().to_owned();
        let written: Vec<String> =
            Parameter::ALL.into_iter().filter_map(|parameter| told.written(kind, parameter)).collect();
        if !written.is_empty() {
            name.push_str(&format!("({})", written.join(",")));
        }
        if let Some(cutoff) = told.cutoff {
            name.push_str(&format!("@{cutoff}"));
        }
        if let Some(recall) = told.recall {
            name.push_str(&format!("@{}", recall.get()));
        }
        name
    }
}

impl Told {
    /// A parameter as it is printed; `None` at its default.
    fn written(&self, kind: Kind, parameter: Parameter) -> Option<String> {
        let value = match parameter {
            Parameter::Dcg => (self.gain? == Gain::Exponential).then(|| "'exp-log2'".to_owned()),
            Parameter::Gains => match self.gain? {
                Gain::Custom(gains) => Some(gains.to_string()),
                Gain::Linear | Gain::Exponential => None,
            },
            // NumRet counts everything unless it is told what to count
            Parameter::Rel => {
                let rel = self.rel?;
                (rel != Relevant::default() || kind == Kind::NumRet).then(|| rel.grade().to_string())
            }
            // the tools' defaults of RBP differ, so its p is always said
            Parameter::P => {
                let p = self.p?;
                (p != Persistence::default() || kind != Kind::Compat).then(|| p.get().to_string())
            }
            Parameter::Normalize => (!self.normalize?).then(|| "False".to_owned()),
            Parameter::Target => self
                .target
                .filter(|target| *target != Target::default())
                .map(|target| target.get().to_string()),
            Parameter::MaxRel => {
                let max_rel = self.max_rel?;
                let default = matches!(kind, Kind::Err | Kind::Nerr) && max_rel == MaxGrade::GDEVAL;
                (!default).then(|| max_rel.grade().to_string())
            }
            Parameter::Mult => {
                self.mult.filter(|mult| *mult != Multiple::default()).map(|mult| mult.get().to_string())
            }
            Parameter::Beta => {
                self.beta.filter(|beta| *beta != Beta::default()).map(|beta| beta.get().to_string())
            }
            Parameter::Relative => self.relative?.then(|| "True".to_owned()),
            Parameter::Rounding => match (self.rounding?, kind) {
                (Rounding::Up, Kind::ElevenPoint) => Some("'up'".to_owned()),
                (Rounding::Nearest, Kind::IPrec) => Some("'nearest'".to_owned()),
                _ => None,
            },
            Parameter::Weights => self
                .weights
                .filter(|weights| *weights != Weights::default())
                .map(|weights| format!("{{{weights}}}")),
            Parameter::JudgedOnly => (self.unjudged? == Unjudged::Excluded).then(|| "True".to_owned()),
            Parameter::Unjudged => (self.unjudged? == Unjudged::Best).then(|| "'best'".to_owned()),
        }?;
        Some(format!("{}={value}", parameter.name()))
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.printed())
    }
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

//! The figures of agreement of two label sets, under the names they are written with.

use std::collections::BTreeMap;

use llull_core::Grade;
use serde::Serialize;

/// Both ends of an interval, the lower first. Written as `[low, high]`.
pub type Ends = [f64; 2];

/// Figures for each way to weigh a disagreement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ByWeights<T> {
    /// Every disagreement alike.
    pub plain: T,
    /// By the distance between the grades.
    pub linear: T,
    /// By the distance squared.
    pub quadratic: T,
}

/// Krippendorff's alpha on each [`Level`](crate::Level).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ByLevel<T> {
    /// Two grades are the same or not.
    pub nominal: T,
    /// The order of the grades counts.
    pub ordinal: T,
    /// The difference of the grades counts, squared.
    pub interval: T,
}

/// Gwet's AC2 for each weighing that makes it differ from AC1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ac2ByWeights<T> {
    /// By the distance between the grades.
    pub linear: T,
    /// By the distance squared.
    pub quadratic: T,
}

/// How far two label sets agree, over the pairs that both have. `T` is a figure (`Option<f64>`, `None` when undefined) or its
/// interval (`Option<Ends>`).
///
/// The keys of the maps are cuts: at cut 2 a label is relevant from grade 2 on. Every grade that occurs on either side but the lowest
/// is one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelFigures<T> {
    /// Cohen's kappa on the full scale ([`cohen_kappa`](crate::cohen_kappa)).
    pub kappa: ByWeights<T>,
    /// Cohen's kappa of relevant and not, at each cut.
    pub kappa_at: BTreeMap<Grade, T>,
    /// Krippendorff's alpha ([`krippendorff_alpha`](crate::krippendorff_alpha)).
    pub alpha: ByLevel<T>,
    /// Scott's pi ([`scott_pi`](crate::scott_pi)); with two label sets also Fleiss' kappa.
    pub pi: T,
    /// Gwet's AC1 ([`gwet_ac`](crate::gwet_ac)).
    pub ac1: T,
    /// Gwet's AC2.
    pub ac2: Ac2ByWeights<T>,
    /// The share of equal grades, from 0 to 1.
    pub exact: T,
    /// The share of grades at most 1 apart, from 0 to 1.
    pub within_one: T,
    /// The mean of the other's grade less the truth's: above 0 when the other is the more generous.
    pub bias: T,
    /// At each cut, the share of what the other has relevant that is relevant in truth; undefined when the other has nothing
    /// relevant.
    pub precision_at: BTreeMap<Grade, T>,
    /// At each cut, the share of what is relevant in truth that the other has relevant; undefined when nothing is relevant in truth.
    pub recall_at: BTreeMap<Grade, T>,
    /// At each cut, the harmonic mean of the two: 2 TP / (2 TP + FP + FN); undefined when nothing is relevant on either side.
    pub f1_at: BTreeMap<Grade, T>,
}

impl<T> LabelFigures<T> {
    /// The same figures, each made into something else, always in the same order.
    pub(super) fn map<U>(&self, mut to: impl FnMut(&T) -> U) -> LabelFigures<U> {
        fn at<T, U>(map: &BTreeMap<Grade, T>, to: &mut impl FnMut(&T) -> U) -> BTreeMap<Grade, U> {
            map.iter().map(|(cut, figure)| (*cut, to(figure))).collect()
        }
        LabelFigures {
            kappa: ByWeights {
                plain: to(&self.kappa.plain),
                linear: to(&self.kappa.linear),
                quadratic: to(&self.kappa.quadratic),
            },
            kappa_at: at(&self.kappa_at, &mut to),
            alpha: ByLevel {
                nominal: to(&self.alpha.nominal),
                ordinal: to(&self.alpha.ordinal),
                interval: to(&self.alpha.interval),
            },
            pi: to(&self.pi),
            ac1: to(&self.ac1),
            ac2: Ac2ByWeights { linear: to(&self.ac2.linear), quadratic: to(&self.ac2.quadratic) },
            exact: to(&self.exact),
            within_one: to(&self.within_one),
            bias: to(&self.bias),
            precision_at: at(&self.precision_at, &mut to),
            recall_at: at(&self.recall_at, &mut to),
            f1_at: at(&self.f1_at, &mut to),
        }
    }
}

/// How far the members of a panel agree. `T` as in [`LabelFigures`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PanelFigures<T> {
    /// Krippendorff's alpha ([`krippendorff_alpha`](crate::krippendorff_alpha)).
    pub alpha: ByLevel<T>,
    /// Fleiss' kappa ([`fleiss_kappa`](crate::fleiss_kappa)).
    pub fleiss: T,
    /// Gwet's AC1 ([`gwet_ac`](crate::gwet_ac)).
    pub ac1: T,
    /// Gwet's AC2.
    pub ac2: Ac2ByWeights<T>,
}

impl<T> PanelFigures<T> {
    /// The same figures, each made into something else, always in the same order.
    pub(super) fn map<U>(&self, mut to: impl FnMut(&T) -> U) -> PanelFigures<U> {
        PanelFigures {
            alpha: ByLevel {
                nominal: to(&self.alpha.nominal),
                ordinal: to(&self.alpha.ordinal),
                interval: to(&self.alpha.interval),
            },
            fleiss: to(&self.fleiss),
            ac1: to(&self.ac1),
            ac2: Ac2ByWeights { linear: to(&self.ac2.linear), quadratic: to(&self.ac2.quadratic) },
        }
    }
}

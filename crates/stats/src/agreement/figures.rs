//! The figures of agreement under their written names.

use std::collections::BTreeMap;

use llull_core::Grade;
use serde::Serialize;

/// A figure for each way to weigh a disagreement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct ByWeights<T> {
    /// Every disagreement counts the same.
    pub plain: T,
    /// By the distance between the grades.
    pub linear: T,
    /// By the distance squared.
    pub quadratic: T,
}

impl<T> ByWeights<T> {
    fn map<U>(&self, to: &mut impl FnMut(&T) -> U) -> ByWeights<U> {
        ByWeights { plain: to(&self.plain), linear: to(&self.linear), quadratic: to(&self.quadratic) }
    }
}

/// Krippendorff's alpha on each [`Level`](crate::Level).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct ByLevel<T> {
    /// Two grades are the same or not.
    pub nominal: T,
    /// The order of the grades counts.
    pub ordinal: T,
    /// The difference of the grades counts, squared.
    pub interval: T,
}

impl<T> ByLevel<T> {
    fn map<U>(&self, to: &mut impl FnMut(&T) -> U) -> ByLevel<U> {
        ByLevel { nominal: to(&self.nominal), ordinal: to(&self.ordinal), interval: to(&self.interval) }
    }
}

/// Gwet's AC2 for each way to weigh a disagreement; without weights it is AC1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Ac2ByWeights<T> {
    /// By the distance between the grades.
    pub linear: T,
    /// By the distance squared.
    pub quadratic: T,
}

impl<T> Ac2ByWeights<T> {
    fn map<U>(&self, to: &mut impl FnMut(&T) -> U) -> Ac2ByWeights<U> {
        Ac2ByWeights { linear: to(&self.linear), quadratic: to(&self.quadratic) }
    }
}

/// How far two label sets agree, over the pairs that both have. `T` is a figure (`Option<f64>`, `None` if undefined) or
/// its interval (`Option<Ends>`).
///
/// The keys of the maps are cuts: at cut 2 a label is relevant from grade 2 on. Every grade that occurs on either side
/// is a cut, except the lowest.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LabelFigures<T> {
    /// Cohen's kappa on the full scale ([`cohen_kappa`](crate::cohen_kappa)).
    pub kappa: ByWeights<T>,
    /// Cohen's kappa of relevant and not relevant, at each cut.
    pub kappa_at: BTreeMap<Grade, T>,
    /// Krippendorff's alpha ([`krippendorff_alpha`](crate::krippendorff_alpha)).
    pub alpha: ByLevel<T>,
    /// Scott's pi (Reliability of content analysis, Public Opinion Quarterly 19(3), 1955): kappa where both are taken
    /// to give each grade as often as the two together do. For two label sets it equals Fleiss' kappa.
    pub pi: T,
    /// Gwet's AC1 ([`gwet_ac`](crate::gwet_ac)).
    pub ac1: T,
    /// Gwet's AC2.
    pub ac2: Ac2ByWeights<T>,
    /// The share of equal grades, from 0 to 1.
    pub exact: T,
    /// The share of grades at most 1 apart, from 0 to 1.
    pub within_one: T,
    /// The mean of the other's grade less the truth's: above 0 if the other is the more generous.
    pub bias: T,
    /// At each cut, the share of the other's relevant documents that are relevant in truth; undefined if the other has
    /// none.
    pub precision_at: BTreeMap<Grade, T>,
    /// At each cut, the share of the truth's relevant documents that are relevant to the other; undefined if the truth
    /// has none.
    pub recall_at: BTreeMap<Grade, T>,
    /// At each cut, the harmonic mean of the two: 2 TP / (2 TP + FP + FN); undefined if nothing is relevant on either
    /// side.
    pub f1_at: BTreeMap<Grade, T>,
}

impl<T> LabelFigures<T> {
    /// Converts each figure, always in the same order.
    pub(super) fn map<U>(&self, mut to: impl FnMut(&T) -> U) -> LabelFigures<U> {
        fn at<T, U>(map: &BTreeMap<Grade, T>, to: &mut impl FnMut(&T) -> U) -> BTreeMap<Grade, U> {
            map.iter().map(|(cut, figure)| (*cut, to(figure))).collect()
        }
        LabelFigures {
            kappa: self.kappa.map(&mut to),
            kappa_at: at(&self.kappa_at, &mut to),
            alpha: self.alpha.map(&mut to),
            pi: to(&self.pi),
            ac1: to(&self.ac1),
            ac2: self.ac2.map(&mut to),
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
    /// Converts each figure, always in the same order.
    pub(super) fn map<U>(&self, mut to: impl FnMut(&T) -> U) -> PanelFigures<U> {
        PanelFigures {
            alpha: self.alpha.map(&mut to),
            fleiss: to(&self.fleiss),
            ac1: to(&self.ac1),
            ac2: self.ac2.map(&mut to),
        }
    }
}

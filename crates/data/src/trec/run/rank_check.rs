//! Checks whether a run's scores, ranks and lines contradict each other.

/// How the scores of a query's lines agree with their ranks. Parts of a query are joined by [`append`](Self::append),
/// so that the result does not depend on where a file is cut.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RankCheck {
    lines: u32,
    first: Option<Line>,
    last: Option<Line>,
    /// Of neighbouring lines, those with equal scores.
    tied: u32,
    /// Those whose order by rank is that by score, and those where it is the opposite.
    agreeing: u32,
    opposed: u32,
    /// Those whose score is lower than that of the line above, and those whose score is higher.
    falling: u32,
    rising: u32,
    /// The lines whose score is their rank.
    score_is_rank: u32,
}

/// A line's score and rank.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) score: f64,
    /// NaN without a rank that is a number.
    pub(super) rank: f64,
}

impl RankCheck {
    pub(super) fn of(lines: impl Iterator<Item = Line>) -> Self {
        let mut check = Self::default();
        for line in lines {
            check.append(&Self {
                lines: 1,
                first: Some(line),
                last: Some(line),
                score_is_rank: u32::from(line.score == line.rank),
                ..Self::default()
            });
        }
        check
    }

    /// Adds the lines that come next.
    pub(super) fn append(&mut self, next: &Self) {
        if let (Some(above), Some(below)) = (self.last, next.first) {
            self.compare(above, below);
        }
        self.lines = self.lines.saturating_add(next.lines);
        self.first = self.first.or(next.first);
        self.last = next.last.or(self.last);
        for (count, more) in [
            (&mut self.tied, next.tied),
            (&mut self.agreeing, next.agreeing),
            (&mut self.opposed, next.opposed),
            (&mut self.falling, next.falling),
            (&mut self.rising, next.rising),
            (&mut self.score_is_rank, next.score_is_rank),
        ] {
            *count = count.saturating_add(more);
        }
    }

    fn compare(&mut self, above: Line, below: Line) {
        if above.score == below.score {
            self.tied += 1;
            return;
        }
        let falls = above.score > below.score;
        *(if falls { &mut self.falling } else { &mut self.rising }) += 1;
        // A line without a rank has NaN, which neither agrees nor disagrees.
        if let Some(ranks) = above.rank.partial_cmp(&below.rank).filter(|ranks| ranks.is_ne()) {
            let agrees = falls == ranks.is_lt();
            *(if agrees { &mut self.agreeing } else { &mut self.opposed }) += 1;
        }
    }

    fn of_query(&self) -> QueryOrder {
        let ranked = self.agreeing + self.opposed > 0;
        match self {
            Self { lines: 0 | 1, .. } => QueryOrder::OneLine,
            Self { lines, tied, .. } if tied + 1 == *lines => QueryOrder::Equal { long: *lines > 2 },
            Self { lines, score_is_rank, .. } if score_is_rank == lines => QueryOrder::RankAsScore,
            Self { agreeing: 0, .. } if ranked => QueryOrder::Reversed,
            Self { opposed: 1.., .. } => QueryOrder::Opposed,
            // Without ranks the order of the lines may be that of the system, and only a complete reversal is
            // evidence.
            Self { falling: 0, .. } if !ranked => QueryOrder::Rising,
            _ => QueryOrder::Consistent,
        }
    }
}

/// The order of the lines of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QueryOrder {
    OneLine,
    Consistent,
    /// All scores are equal; `long` is true for more than two.
    Equal {
        long: bool,
    },
    RankAsScore,
    Reversed,
    Rising,
    Opposed,
}

/// How a run contradicts itself. Its figures are those of the order by score all the same, as in trec_eval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunContradiction {
    /// The kind of contradiction.
    pub kind: ContradictionKind,
    /// The number of queries where it is.
    pub queries: usize,
    /// The number of queries with several documents.
    pub of: usize,
    /// The first query where it is.
    pub first: String,
}

/// The evidence that contradicts the order by score, highest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContradictionKind {
    /// All scores of a query are equal, so that its documents are in the order of their identifiers.
    EqualScores,
    /// The score column holds the rank, so that the last document comes first.
    RankAsScore,
    /// The better the rank the lower the score, as with distances.
    Distances,
    /// Scores rise from line to line, as with distances, and there are no ranks.
    RisingScores,
    /// The order by rank is another than that by score.
    OtherOrder,
}

/// Returns how a run contradicts itself, if it does. Ranks of another order count on any query, as do equal scores of
/// more than two documents; the rest counts only on most queries, because it happens by chance on some.
pub(super) fn contradiction<'a>(
    queries: impl Iterator<Item = (&'a str, RankCheck)>,
) -> Option<RunContradiction> {
    let orders: Vec<(&str, QueryOrder)> = queries.map(|(query, check)| (query, check.of_query())).collect();
    let of = orders.iter().filter(|(_, order)| *order != QueryOrder::OneLine).count();
    let found = |kind, is_so: &dyn Fn(QueryOrder) -> bool| {
        let mut found = orders.iter().filter(|(_, order)| is_so(*order));
        let first = found.next()?.0.to_owned();
        Some(RunContradiction { kind, queries: found.count() + 1, of, first })
    };
    let most = |found: &RunContradiction| found.queries * 2 > of;
    let any_long = orders.iter().any(|(_, order)| *order == QueryOrder::Equal { long: true });
    let equal = found(ContradictionKind::EqualScores, &|order| matches!(order, QueryOrder::Equal { .. }));
    equal.filter(|equal| any_long || most(equal)).or_else(|| {
        let only = |kind, wanted| found(kind, &|order| order == wanted).filter(most);
        only(ContradictionKind::RankAsScore, QueryOrder::RankAsScore)
            .or_else(|| only(ContradictionKind::Distances, QueryOrder::Reversed))
            .or_else(|| only(ContradictionKind::RisingScores, QueryOrder::Rising))
            .or_else(|| {
                let other = |order| {
                    matches!(order, QueryOrder::RankAsScore | QueryOrder::Reversed | QueryOrder::Opposed)
                };
                found(ContradictionKind::OtherOrder, &other)
            })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(lines: &[(f64, f64)]) -> RankCheck {
        RankCheck::of(lines.iter().map(|(rank, score)| Line { score: *score, rank: *rank }))
    }

    fn kind(queries: &[&[(f64, f64)]]) -> Option<(ContradictionKind, usize, usize)> {
        let queries = queries.iter().map(|lines| ("q", check(lines)));
        contradiction(queries).map(|found| (found.kind, found.queries, found.of))
    }

    const NONE: f64 = f64::NAN;

    #[test]
    fn runs_that_contradict_themselves_are_told_by_how() {
        use ContradictionKind::*;
        let good = &[(1.0, 9.0), (2.0, 8.0), (3.0, 8.0)][..];
        assert_eq!(kind(&[good, good]), None);
        assert_eq!(kind(&[good, &[(1.0, 2.0), (2.0, 2.0), (3.0, 2.0)]]), Some((EqualScores, 1, 2)));
        assert_eq!(kind(&[good, &[(1.0, 2.0), (2.0, 2.0)]]), None, "two documents may well tie");
        assert_eq!(kind(&[&[(1.0, 1.0), (2.0, 2.0)]]), Some((RankAsScore, 1, 1)));
        assert_eq!(kind(&[&[(1.0, 0.1), (2.0, 0.2), (3.0, 0.4)]]), Some((Distances, 1, 1)));
        assert_eq!(kind(&[&[(NONE, 0.1), (NONE, 0.2), (NONE, 0.4)]]), Some((RisingScores, 1, 1)));
        assert_eq!(kind(&[&[(NONE, 0.1), (NONE, 0.4), (NONE, 0.2)]]), None, "lines may be in any order");
        assert_eq!(kind(&[&[(1.0, 0.1), (2.0, 0.4), (3.0, 0.2)]]), Some((OtherOrder, 1, 1)));
        assert_eq!(kind(&[good, good, &[(1.0, 0.1), (2.0, 0.2)]]), Some((OtherOrder, 1, 3)));
        assert_eq!(kind(&[good, good, &[(NONE, 0.1), (NONE, 0.2)]]), None, "lines may be in any order");
        assert_eq!(kind(&[&[(3.0, 8.0), (1.0, 9.0)]]), None, "lines may be in any order");
        assert_eq!(kind(&[&[(0.0, 8.0), (0.0, 9.0), (0.0, 1.0)]]), None, "one rank for all says nothing");
    }

    proptest! {
        #[test]
        fn cuts_do_not_matter(lines in proptest::collection::vec((0u8..4, 0u8..4), 0..12), at in 0usize..12) {
            let lines: Vec<(f64, f64)> = lines.into_iter().map(|(a, b)| (a.into(), b.into())).collect();
            let (above, below) = lines.split_at(at.min(lines.len()));
            let mut parts = check(above);
            parts.append(&check(below));
            prop_assert_eq!(format!("{parts:?}"), format!("{:?}", check(&lines)));
        }
    }
}

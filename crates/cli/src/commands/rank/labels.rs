//! Labels from tiers and ratings, for `llull rank --format qrels`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use llull::core::{Grade, Item, Label, Qrels, Scale};
use llull::data::write_qrels;
use llull::files::read_labels;
use llull::label::{
    TierScheme, TierView, anchored, binary, geometric, ordinal, rating, rating_tiers, tournament_rating,
};
use llull::report::ranking::{RankedQuery, RankingOutput};

use crate::args::RankArgs;
use crate::commands::Context;

/// The labels as TREC qrels. Notes their meaning.
pub(super) fn labels(context: &Context, all: &[RankedQuery<'_>], args: &RankArgs) -> Result<Vec<u8>> {
    let scheme = args.labels.unwrap_or_default();
    let anchors = args.anchors.as_deref().map(Anchors::read).transpose()?;
    let mut qrels = Qrels::default();
    let mut without = 0;
    for ranked in all {
        let Some(query) = ranked.query else {
            bail!("labels need queries, and this input names none; use --format table or json")
        };
        let labels = of_one(ranked, scheme, anchors.as_ref()).with_context(|| format!("query {query}"))?;
        without += usize::from(labels.iter().all(Option::is_none));
        for (item, label) in (0..).map(Item).zip(labels) {
            if let (Some(id), Some(label)) = (ranked.topic.id(item), label) {
                qrels.insert(query, id, label.grade);
            }
        }
    }
    let mut out = Vec::new();
    write_qrels(&qrels, &mut out)?;
    context.printer.note(format!("{scheme} labels: {}", scheme.meaning()));
    if without > 0 {
        let all = all.len();
        context
            .printer
            .note(format!("{without} of {all} queries have no label: no part of their order is settled"));
    }
    Ok(out)
}

fn of_one(
    ranked: &RankedQuery<'_>,
    scheme: TierScheme,
    anchors: Option<&Anchors>,
) -> Result<Vec<Option<Label>>> {
    let items = ranked.topic.items.len();
    let rated;
    let tiers: Vec<TierView<'_>> = match &ranked.made {
        RankingOutput::Tiers(outcome) => outcome.tiers.iter().map(TierView::from).collect(),
        RankingOutput::Ratings(ratings) => {
            rated = rating_tiers(ratings)?;
            rated.iter().map(|items| TierView { items, is_final: true }).collect()
        }
    };
    Ok(match (scheme, anchors) {
        (TierScheme::Rating, _) => match &ranked.made {
            RankingOutput::Tiers(outcome) => tournament_rating(outcome),
            RankingOutput::Ratings(ratings) => rating(&ratings.scores, &[]),
        },
        (TierScheme::Ordinal, _) => ordinal(items, &tiers),
        (TierScheme::Geometric, _) => geometric(items, &tiers),
        (TierScheme::Binary { top }, _) => binary(items, &tiers, top as usize),
        (TierScheme::Anchored, Some(anchors)) => {
            anchored(items, &tiers, &anchors.grades(ranked), anchors.scale)?.labels
        }
        (TierScheme::Anchored, None) => Vec::new(),
    })
}

/// Grades of some items, and their scale.
struct Anchors {
    grades: Qrels,
    scale: Scale,
}

impl Anchors {
    fn read(file: &Path) -> Result<Self> {
        let grades = read_labels(file)?.value;
        let all = || grades.iter().flat_map(|(_, documents)| documents.values().copied());
        let ends = all().min().zip(all().max());
        let (low, high) = ends.ok_or_else(|| anyhow!("{}: the file holds no grade", file.display()))?;
        let scale = Scale::new(low.min(0), high.max(1))?;
        Ok(Self { grades, scale })
    }

    /// The grades of those of this query's items that are in a tier.
    fn grades(&self, ranked: &RankedQuery<'_>) -> BTreeMap<Item, Grade> {
        let rated = |item: &Item| match &ranked.made {
            RankingOutput::Tiers(_) => true,
            RankingOutput::Ratings(ratings) => ratings.scores.get(item.index()).is_some_and(Option::is_some),
        };
        let grade = |item: Item| {
            let grade = self.grades.grade(ranked.query?, ranked.topic.id(item)?)?;
            Some((item, grade))
        };
        Item::first(ranked.topic.items.len()).filter(rated).filter_map(grade).collect()
    }
}

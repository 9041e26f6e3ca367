//! Cycles of a panel's majority, and of each of its judges.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{count, counted, percent};

/// The cyclic triples of each judge, and of their majority.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PanelTriangles {
    /// Each judge's own.
    pub judges: Vec<JudgeTriangles>,
    /// Triples of documents of which a majority, or a tie, is known for all three pairs. Every judge that compared a
    /// pair has one vote on it.
    pub triangles: u64,
    /// How many of these are cyclic.
    pub cyclic_triangles: u64,
    /// How many of the cyclic ones are not cyclic for any judge: the majority contradicts itself, and its judges do
    /// not (Condorcet's paradox).
    pub of_no_judge: u64,
}

/// The cyclic triples of one judge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeTriangles {
    /// The judge.
    pub judge: String,
    /// Triples of documents of which it has compared all three pairs.
    pub triangles: u64,
    /// How many of these are cyclic.
    pub cyclic_triangles: u64,
}

impl PanelTriangles {
    /// Adds those of another query, by the same judges in the same order.
    pub(super) fn add(&mut self, other: &Self) {
        if self.judges.is_empty() {
            self.judges = other.judges.iter().map(|own| JudgeTriangles::of(&own.judge)).collect();
        }
        for (own, other) in self.judges.iter_mut().zip(&other.judges) {
            own.triangles += other.triangles;
            own.cyclic_triangles += other.cyclic_triangles;
        }
        self.triangles += other.triangles;
        self.cyclic_triangles += other.cyclic_triangles;
        self.of_no_judge += other.of_no_judge;
    }

    /// The numbers in a sentence.
    pub fn sentence(&self) -> String {
        let own: Vec<String> = self
            .judges
            .iter()
            .map(|own| format!("{} {}", own.judge, cyclic(own.cyclic_triangles, own.triangles)))
            .collect();
        let mut text = format!(
            "Cyclic by judge: {}; by the majority of the judges on each pair {}",
            own.join(", "),
            cyclic(self.cyclic_triangles, self.triangles)
        );
        if self.of_no_judge > 0 {
            text.push_str(&format!(
                ", of which {} for no judge alone: there the judges disagree, and none contradicts itself",
                go_in_a_cycle(self.of_no_judge)
            ));
        }
        text + "."
    }
}

impl JudgeTriangles {
    fn of(judge: &str) -> Self {
        Self { judge: judge.to_owned(), ..Self::default() }
    }
}

fn cyclic(cyclic: u64, all: u64) -> String {
    match all {
        0 => "0 of 0".to_owned(),
        all => format!("{} of {} ({})", count(cyclic), count(all), percent(Some(cyclic as f64 / all as f64))),
    }
}

fn go_in_a_cycle(triangles: u64) -> String {
    let verb = if triangles == 1 { "goes" } else { "go" };
    format!("{} {verb} in a cycle", counted(triangles as usize, "triangle"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(cyclic_triangles: u64, of_no_judge: u64) -> PanelTriangles {
        let own = |judge: &str| JudgeTriangles { judge: judge.into(), triangles: 10, cyclic_triangles: 1 };
        PanelTriangles { judges: vec![own("a"), own("b")], triangles: 8, cyclic_triangles, of_no_judge }
    }

    #[test]
    fn queries_add_up_and_are_said() {
        let mut all = PanelTriangles::default();
        all.add(&panel(2, 1));
        all.add(&panel(0, 0));
        assert_eq!(
            all.sentence(),
            "Cyclic by judge: a 2 of 20 (10.0%), b 2 of 20 (10.0%); by the majority of the judges on each pair 2 of 16 \
             (12.5%), of which 1 triangle goes in a cycle for no judge alone: there the judges disagree, and none \
             contradicts itself."
        );
        assert!(
            panel(0, 0).sentence().ends_with("by the majority of the judges on each pair 0 of 8 (0.0%).")
        );
    }
}

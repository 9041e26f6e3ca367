//! The comment on a pull request, in Markdown.

use super::ci_result::CiResult;
use crate::gates::{GateRow, gate_table};
use crate::text::{counted, escape};

/// The most characters. GitHub takes 65,536, and GitLab more.
const MOST: usize = 60_000;

/// Decision and gates together leave this many characters to the systems, and the decision as many to the gates.
const SHARE: usize = 20_000;

/// The room for the lines that name what is left out.
const NOTES: usize = 600;

impl CiResult {
    /// Returns the result in at most 60,000 characters of Markdown: the decision, the gates, the systems. What does not
    /// fit is cut at a whole line, and a line has the number of those left out. Texts and names are escaped.
    pub fn comment(&self) -> String {
        let title = match self.name.is_empty() {
            true => format!("## llull: {}", self.state().words()),
            false => format!("## llull: {}: {}", escape(&self.name), self.state().words()),
        };
        let mut comment = Comment { text: String::new() };
        // A title that fills the comment is a study's name of that length.
        comment.text.extend(title.chars().take(NOTES));
        let missing = self.missing.iter().chain(&self.decision);
        let decision: Vec<String> = missing.map(|sentence| format!("- {}", escape(sentence))).collect();
        comment.part(&[], &decision, SHARE, "sentence");
        // Those that fail come first, since the rest may be cut.
        let mut gates: Vec<GateRow> = self.gates.clone();
        gates.sort_by_key(|gate| gate.passed);
        let table = if gates.is_empty() { String::new() } else { gate_table(&gates).markdown() };
        let rows: Vec<String> = table.lines().map(str::to_owned).collect();
        let (heading, rows) = rows.split_at(rows.len().min(2));
        comment.part(heading, rows, SHARE * 3 / 2, "gate");
        let failed = gates.iter().filter(|gate| !gate.passed);
        let failed: Vec<String> = failed.map(|gate| format!("- {}", escape(&gate.sentence))).collect();
        comment.part(&[], &failed, SHARE * 2, "reason");
        let basis: Vec<String> = self.basis.iter().map(|line| escape(line)).collect();
        let basis = basis.join(" ");
        let room = MOST.saturating_sub(basis.chars().count());
        let (heading, rows) = self.systems.split_at(self.systems.len().min(2));
        comment.part(heading, rows, room, "system");
        if comment.chars() + basis.chars().count() + NOTES / 2 < MOST {
            comment.text.push_str(&format!("\n\n{basis}"));
        }
        comment.text.trim_end().to_owned() + "\n"
    }
}

struct Comment {
    text: String,
}

impl Comment {
    fn chars(&self) -> usize {
        self.text.chars().count()
    }

    /// Adds a paragraph, while the whole has at most so many characters; nothing without a line.
    fn part(&mut self, heading: &[String], lines: &[String], most: usize, what: &str) {
        if lines.is_empty() {
            return;
        }
        let mut room = most.saturating_sub(self.chars() + NOTES);
        let size = |line: &String| line.chars().count() + 1;
        room = room.saturating_sub(heading.iter().map(size).sum());
        let mut shown = 0;
        for line in lines {
            let Some(left) = room.checked_sub(size(line)) else { break };
            room = left;
            shown += 1;
        }
        self.text.push('\n');
        let heading = if shown > 0 { heading } else { &[] };
        for line in heading.iter().chain(lines.get(..shown).unwrap_or_default()) {
            self.text.push('\n');
            self.text.push_str(line);
        }
        if shown < lines.len() {
            let left_out = counted(lines.len() - shown, what);
            self.text.push_str(&format!("\n\n{left_out} left out here; the report has all."));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn gate(name: &str, passed: bool) -> GateRow {
        GateRow {
            gate: "nDCG@10 >= 0".into(),
            subject: name.into(),
            is_judge: false,
            value: "+0.100".into(),
            result: if passed { "passed" } else { "failed" },
            passed,
            incomplete: false,
            unmeasured: false,
            sentence: format!("nDCG@10 >= 0 holds for {name}: it is so."),
        }
    }

    fn result(sentences: usize, gates: usize, systems: usize, name: &str) -> CiResult {
        let rows = (0..systems).map(|at| format!("| {} {at} | 0.5 |", escape(name)));
        CiResult {
            of_files: false,
            name: name.to_owned(),
            decision: vec![format!("{name} is better."); sentences],
            gates: (0..gates).map(|at| gate(name, at % 2 == 0)).collect(),
            missing: Vec::new(),
            systems: ["| system | n |".to_owned(), "|:--|--:|".to_owned()].into_iter().chain(rows).collect(),
            basis: vec!["24 queries.".to_owned()],
        }
    }

    proptest! {
        #[test]
        fn it_is_never_too_long_and_says_what_it_lacks(
            sentences in 0_usize..400, gates in 0_usize..900, systems in 0_usize..3000, name in ".{0,60}",
        ) {
            let comment = result(sentences, gates, systems, &name).comment();
            prop_assert!(comment.chars().count() <= MOST, "{}", comment.chars().count());
            let shown = comment.lines().filter(|line| line.ends_with("| 0.5 |")).count();
            let said = comment.contains(&format!("{} left out here", counted(systems - shown, "system")));
            prop_assert_eq!(said, shown < systems);
            prop_assert!(systems == 0 || shown > 0 || name.chars().count() > 50);
        }
    }

    #[test]
    fn the_decision_comes_first_and_failed_gates_before_the_others() {
        let comment = result(1, 3, 2, "a|b").comment();
        let place = |text: &str| comment.find(text).unwrap_or_else(|| panic!("{text} is not in {comment}"));
        assert!(
            comment.starts_with("## llull: a&#124;b: failed\n\n- a&#124;b is better.\n\n| gate |"),
            "{comment}"
        );
        assert!(place("FAILED") < place("| passed |"), "{comment}");
        assert!(place("| passed |") < place("| a&#124;b 0 |"), "{comment}");
        assert!(comment.ends_with("24 queries.\n"), "{comment}");
    }

    #[test]
    fn a_name_longer_than_the_comment_fits() {
        let comment = result(1, 2, 2, &"x".repeat(100_000)).comment();
        assert!(comment.chars().count() <= MOST);
        assert!(comment.contains("2 systems left out here"), "{}", comment.len());
    }
}

//! Annotations: commands to the runner of GitHub Actions, on lines of standard output.

use super::ci_result::CiResult;
use crate::text::counted;

impl CiResult {
    /// Returns the annotations, a line each: an error for each failed gate, and a notice with the decision. GitHub
    /// shows ten of each kind in a step.
    ///
    /// Source: docs.github.com, "Workflow commands for GitHub Actions"; the escapes are those of `actions/toolkit`,
    /// `packages/core/src/command.ts`.
    pub fn annotations(&self) -> Vec<String> {
        let mut lines: Vec<String> =
            self.missing.iter().map(|why| command("error", "llull: incomplete", why)).collect();
        for gate in self.gates.iter().filter(|gate| !gate.passed) {
            lines.push(command("error", &format!("Gate {}: {}", gate.result, gate.gate), &gate.sentence));
        }
        let passed = self.gates.iter().filter(|gate| gate.passed).count();
        if passed > 0 {
            lines.push(command("notice", "llull: gates", &format!("{} passed.", counted(passed, "gate"))));
        }
        if !self.decision.is_empty() {
            lines.push(command("notice", "llull: decision", &self.decision.join("\n")));
        }
        lines
    }
}

fn command(kind: &str, title: &str, message: &str) -> String {
    let title = data(title).replace(':', "%3A").replace(',', "%2C");
    format!("::{kind} title={title}::{}", data(message))
}

/// A text on one line, which the runner decodes.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_begins_a_command_of_its_own() {
        assert_eq!(
            command("error", "Gate failed: a,b 5%", "100% of x\r\n::stop-commands::y"),
            "::error title=Gate failed%3A a%2Cb 5%25::100%25 of x%0D%0A::stop-commands::y"
        );
    }
}

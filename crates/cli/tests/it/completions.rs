//! `llull completions`

use crate::sandbox::Sandbox;

#[test]
fn every_shell_has_a_script_that_names_the_commands() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = sandbox.llull(&["completions", shell]).ends(0);
        assert!(
            ["demo", "measure", "ledger"].iter().all(|command| script.stdout.contains(command)),
            "{shell}"
        );
        assert_eq!(script.stderr, "");
    }
    sandbox.llull(&["completions", "tcsh"]).ends(2);
}

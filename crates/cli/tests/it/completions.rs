//! `llull completions` and `llull man`

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

#[test]
fn every_command_has_a_manual_page() {
    let sandbox = Sandbox::new();
    sandbox.llull(&["man", "pages"]).ends(0);
    let page = sandbox.read("pages/llull-ledger-copy.1");
    assert!(page.starts_with(".ie") && page.contains(".TH llull-ledger-copy 1"), "{page}");
    let whole = sandbox.read("pages/llull.1");
    assert!(whole.contains("llull\\-measure(1)"), "{whole}");
    assert!(sandbox.read("pages/llull-measure.1").contains("nDCG@10"));
}

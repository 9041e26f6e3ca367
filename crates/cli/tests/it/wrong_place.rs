//! Ledgers, folders and readers that do not do what is expected of them.

use std::io::{BufRead, BufReader, Read};

use llull_testkit::{FaultPlan, FaultyServer};

use crate::faults::wait_for;
use crate::sandbox::{tiny, tiny_served};

#[test]
fn a_ledger_that_is_none_is_left_as_it_is() {
    let sandbox = tiny();
    let text = "these are my notes, and they are longer than the head of a database file would be, which is 100 bytes";
    sandbox.write(".llull/ledger.sqlite", text);
    for args in [&["run"][..], &["ledger", "status"]] {
        sandbox.llull(args).refused(1, &[".llull/ledger.sqlite is not a llull ledger", "move this one away"]);
    }
    assert_eq!(sandbox.read(".llull/ledger.sqlite"), text);
}

#[test]
fn a_ledger_that_another_process_works_on() {
    let server = FaultyServer::start(FaultPlan::default()).unwrap();
    server.hold_after(0);
    let sandbox = tiny_served(&server.url());
    sandbox.edit("llull.toml", "timeout = 60", "timeout = 60\nconcurrency = 1");
    let mut first = sandbox.command(&["run"]).spawn().unwrap();
    wait_for(&server, 1);
    let process = format!("in use by another llull (process {})", first.id());
    sandbox.llull(&["run"]).refused(1, &[".llull/ledger.sqlite is", &process, "wait for it, or stop it"]);
    // looking is allowed meanwhile
    sandbox.llull(&["ledger", "status"]).ends(0);
    sandbox.llull(&["measure"]).ends(3);
    server.release();
    assert!(first.wait().unwrap().success());
    sandbox.llull(&["run"]).ends(0);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = tiny();
    let lock =
        |mode| fs_err::set_permissions(sandbox.path(""), std::fs::Permissions::from_mode(mode)).unwrap();
    lock(0o555);
    // nobody can lock root out
    let refused = fs_err::write(sandbox.path("probe"), "").is_err();
    let transcript = sandbox.llull(&["run"]);
    lock(0o755);
    if refused {
        let said = transcript.ends(1).stderr;
        assert!(said.contains("ermission denied") && said.contains(".llull"), "{said}");
    }
}

#[test]
fn a_place_for_the_ledger_that_is_a_file() {
    let sandbox = tiny();
    sandbox.write(".llull", "");
    sandbox.llull(&["run"]).refused(1, &["failed to create directory `.llull/rubrics`", "Not a directory"]);
    sandbox
        .llull(&["init", "llull.toml"])
        .refused(1, &["failed to create directory `llull.toml`", "File exists"]);
}

/// A reader that takes one line and goes away, as `head -1` does.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let sandbox = tiny();
    sandbox.llull(&["run"]).ends(0);
    // enough for a pipe to fill: 64 KiB
    let line = |n: usize| format!("q{n} 0 a{n} 1\n");
    sandbox.write("long.qrels", &(0..6_000).map(line).collect::<String>());
    let commands: [&[&str]; 9] = [
        &["measure", "long.qrels", "old.run", "-q"],
        &["label", "long.qrels"],
        &["label", "long.qrels", "--json"],
        &["report", "--format", "schema"],
        &["report", "--json"],
        &["ledger", "export"],
        &["completions", "zsh"],
        &["prompt", "--judge", "openai/m"],
        &["help", "run"],
    ];
    for arguments in commands {
        let mut child = sandbox.command(arguments).spawn().unwrap();
        let mut first = String::new();
        BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        let status = child.wait().unwrap();
        assert!(status.success(), "{arguments:?}: {status} {stderr}");
        assert!(!stderr.contains("roken pipe") && !stderr.contains("panic"), "{arguments:?}: {stderr}");
    }
}

#[test]
fn no_colour_where_nobody_sees_it_and_none_when_it_is_not_wanted() {
    let mut sandbox = tiny();
    let plain = sandbox.llull(&["run", "--judge", "nobody"]).ends(1);
    sandbox.set("NO_COLOR", "1");
    sandbox.set("CLICOLOR_FORCE", "1");
    let without = sandbox.llull(&["run", "--judge", "nobody"]).ends(1);
    assert!(!plain.to_string().contains('\u{1b}') && !without.to_string().contains('\u{1b}'));
    assert!(!sandbox.llull(&["--help"]).to_string().contains('\u{1b}'));
}

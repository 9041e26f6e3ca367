//! Kills a program's processes, also those that left its group.

use rustix::process::Pid;

/// The environment variable that marks a program and all its descendants.
pub(crate) const MARK: &str = "LLULL_PROGRAM";

/// How often the processes are listed, as long as new ones turn up.
const PASSES: usize = 100;

/// Kills the process group of a program, and on Linux every descendant that left the group: `setsid` and a double fork
/// change the group and the parent of a process, but not its environment.
pub(crate) fn kill(root: Pid, mark: &str) {
    // Listed first: a process that dropped the mark is found by its parent, as long as the parent lives.
    let mut found = descendants(root, mark);
    let _ = rustix::process::kill_process_group(root, rustix::process::Signal::KILL);
    // A process can fork between the listing and its end, so the list is read until it is empty.
    for _ in 0..PASSES {
        for process in found {
            let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
        }
        found = descendants(root, mark);
        if found.is_empty() {
            return;
        }
    }
}

/// Returns the living processes with the mark, and the children of the program that dropped it.
#[cfg(target_os = "linux")]
fn descendants(root: Pid, mark: &str) -> Vec<Pid> {
    let entry = format!("{MARK}={mark}");
    let Ok(processes) = fs_err::read_dir("/proc") else { return Vec::new() };
    let mut living: Vec<(i32, i32, bool)> = Vec::new();
    for process in processes.flatten() {
        let Some(id) = process.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Some((parent, ended)) = parent(&process.path()) else { continue };
        // A process of another user has no readable environment, and is not a descendant.
        let environment = fs_err::read(process.path().join("environ")).unwrap_or_default();
        let marked = environment.split(|byte| *byte == 0).any(|variable| variable == entry.as_bytes());
        if !ended {
            living.push((id, parent, marked));
        }
    }
    let mut found: Vec<i32> = vec![root.as_raw_nonzero().get()];
    found.extend(living.iter().filter(|(_, _, marked)| *marked).map(|(id, ..)| *id));
    let mut known = 0;
    while known < found.len() {
        known = found.len();
        let children = living.iter().filter(|(id, parent, _)| found.contains(parent) && !found.contains(id));
        let children: Vec<i32> = children.map(|(id, ..)| *id).collect();
        found.extend(children);
    }
    found.retain(|id| *id != root.as_raw_nonzero().get());
    found.into_iter().filter_map(Pid::from_raw).collect()
}

/// Returns the parent of a process, and whether the process has ended and only waits for its parent.
#[cfg(target_os = "linux")]
fn parent(process: &std::path::Path) -> Option<(i32, bool)> {
    let stat = fs_err::read_to_string(process.join("stat")).ok()?;
    // The name of the program is in parentheses, and may have any character.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let ended = matches!(fields.next()?, "Z" | "X");
    Some((fields.next()?.parse().ok()?, ended))
}

/// Other systems list no environments without code that is unsafe: there the group is all.
#[cfg(not(target_os = "linux"))]
fn descendants(_: Pid, _: &str) -> Vec<Pid> {
    Vec::new()
}

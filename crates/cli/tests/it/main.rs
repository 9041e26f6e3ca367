//! `llull` as its user meets it: what is typed, what comes out, what is left on disk.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed

mod sandbox;

mod afternoon;
mod against;
mod agree;
mod agree_labels;
mod agree_systems;
mod attributes;
mod audit;
mod base;
mod batch;
mod cascade;
mod changed;
mod ci_outputs;
mod ci_script;
mod collect;
mod compare;
mod comparing;
mod comparing_config;
mod comparing_faults;
mod comparing_stopped;
mod completions;
mod demo;
mod diff;
mod diff_study;
mod doctor;
mod documented_commands;
mod evaluate;
mod evaluate_facts;
mod evaluate_report;
mod evaluate_review;
mod evaluate_sheets;
mod export;
mod failed_comparisons;
mod faults;
mod foreign_files;
mod gates;
mod help;
mod history;
mod human_labels;
mod init;
mod inputs;
mod judge;
mod judges;
mod judges_called;
mod kill;
mod killed_anywhere;
mod label;
mod ledger;
mod measure;
mod mismatched_files;
#[cfg(target_os = "linux")]
mod newcomer;
mod on_a_terminal;
#[cfg(feature = "otel")]
mod otel;
mod output_files;
mod own_judges;
mod panel;
mod panel_method;
mod people_judges;
mod plan;
mod pool;
mod prompt;
mod providers;
mod queue_sheets;
mod rank;
#[cfg(unix)]
mod reach;
mod readme;
mod recorded;
mod remembered;
mod report;
#[cfg(unix)]
mod retrieval_commands;
mod retrieval_server_faults;
mod retrieval_servers;
mod retrieve;
mod reuse;
mod review;
mod run;
mod sample;
mod secrets;
#[cfg(unix)]
mod serve;
mod servers;
#[cfg(unix)]
mod signals;
mod slices;
mod student;
mod synthesize;
mod synthetic_questions;
mod terminal;
mod track_record;
mod train;
mod tree_judge;
mod tutorial;
mod wrong_config;
mod wrong_input;
mod wrong_place;
mod wrong_usage;

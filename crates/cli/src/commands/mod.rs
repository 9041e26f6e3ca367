//! The commands: a file or a folder for each, and what several of them share.

mod agree;
mod audit;
mod calibration;
mod compare;
mod completions;
mod context;
mod correction_notice;
mod demo;
mod diff;
mod dispatch;
mod doctor;
mod encoders;
mod evaluate;
mod file_arguments;
mod format;
mod holes;
mod human_sample;
mod init;
mod judge;
mod judges;
mod label;
mod label_panel;
mod label_rows;
mod ledger;
mod ledger_check;
mod measure;
mod models;
mod named_labels;
mod output_file;
mod panel_members;
mod plan;
mod pool;
mod prompt;
mod queue_sheet;
mod rank;
mod report;
mod retrieve;
mod review;
mod run;
mod sample;
mod serve;
mod sheet_files;
mod statistics_options;
mod synthesize;
mod train;

pub(crate) use context::{Context, no_study_flag};
pub(crate) use dispatch::dispatch;
pub(crate) use encoders::{EncodingProgress, encoder, minilm_folder};

pub(crate) use file_arguments::{
    check_identifiers, each_rater_once, each_run_once, one_standard_input, place,
};
pub(crate) use format::table;
pub(crate) use human_sample::{Correction, HumanSample, looks, refuse_in_study};
pub(crate) use named_labels::{named_labels, named_labels_in_order};
pub(crate) use output_file::{json_file, write_beside, write_output};
pub(crate) use statistics_options::{bootstrap, correction};

//! The commands, with a file or a folder for each.

mod agree;
mod audit;
mod batch;
mod calibration;
mod ci_outputs;
mod collect;
mod compare;
mod completions;
mod context;
mod correction_notice;
mod demo;
mod dialogue;
mod diff;
mod dispatch;
mod doctor;
mod encoders;
mod evaluate;
mod export;
mod file_arguments;
mod format;
mod history;
mod human_sample;
mod init;
mod judge;
mod label;
mod label_panel;
mod label_rows;
mod ledger;
mod ledger_file;
mod ledger_show;
mod ledger_table;
mod man;
mod measure;
mod models;
mod named_labels;
mod named_models;
mod output_file;
mod panel_members;
mod plan;
mod pool;
mod prompt;
mod rank;
mod report;
mod retrieve;
mod review;
mod run;
mod sample;
mod serve;
mod sheet_files;
mod sheets;
mod slices;
mod statistics_options;
mod synthesize;
mod train;

pub(crate) use ci_outputs::{check_ci_outputs, read_gates, write_ci_outputs};
pub(crate) use context::{Context, no_study_flag};
pub use dispatch::run_command_line;
pub(crate) use encoders::{EncodingProgress, minilm_folder};
pub(crate) use file_arguments::{
    check_identifiers, each_judge_once, each_run_once, one_standard_input, place,
};
pub(crate) use format::table;
pub(crate) use human_sample::{HumanSample, looks, refuse_in_study};
pub(crate) use ledger_file::{ledger_file, paid_once};
pub(crate) use named_labels::{named_labels, named_labels_in_order};
pub(crate) use named_models::{MODEL_NAMES, named_models};
pub(crate) use output_file::{
    check_output_name, create_output, is_parquet, json_file, not_beside_json, output_beside_json,
    write_beside, write_output,
};
pub(crate) use slices::{
    choose_in_files, leave_out_unchosen, no_topics_in_study, print_slices, sliced_queries, topics_of_files,
};
pub(crate) use statistics_options::correction;

//! llull for Python.
//!
//! The functions are those of the commands `llull measure` and `llull compare`, for objects in memory. The package
//! `llull` (folder `python`) adds what needs no Rust.
//!
//! | module | does |
//! |---|---|
//! | `module` | the module `llull._llull` |
//! | `inputs` | reads dicts, tables, arrays, rows and files as labels and runs |
//! | `measure`, `compare`, `agree`, `label`, `rank`, `sample` | the functions, and the classes of their results |
//! | `systems` | reads the runs of several systems |
//! | `table` | what every result shows |
//! | `frame` | makes data frames of results |
//! | `study`, `function`, `server` | studies in folders, functions that judge, and servers that show a study |
//! | `prompt`, `tournament` | parts for loops of one's own |
//! | `pool` | the threads of this process |

mod agree;
mod compare;
mod error;
mod evaluate;
mod frame;
mod function;
mod inputs;
mod label;
mod measure;
mod module;
mod pool;
mod prompt;
mod rank;
mod sample;
mod server;
mod study;
mod systems;
mod table;
mod tournament;

//! One file per measure, with its definition and its computation.
//!
//! A definition has name, parameters, range and source. A new measure is a new file here and a line in `registry.rs`.

mod ap;
mod bin_g;
mod bpref;
mod compat;
mod dcg;
mod discounted_gain;
mod eleven_point;
mod err;
mod g;
mod gm_bpref;
mod gmap;
mod infap;
mod insq;
mod inst;
mod iprec;
mod judged;
mod ndcg;
mod ndcg_rel;
mod nerr;
mod num_nonrel_judged_ret;
mod num_q;
mod num_rel;
mod num_ret;
mod precision;
mod rbp;
mod rbp_residual;
mod recall;
mod registry;
mod rndcg;
mod rprec;
mod rr;
mod set_ap;
mod set_f;
mod set_p;
mod set_r;
mod success;
mod trec_eval_name;
mod unj;
mod utility;

pub use registry::definitions;
pub(crate) use registry::named;

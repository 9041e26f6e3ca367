//! Times `rate` on comparisons from a file.
//!
//! For benches/ratings.py: `ratings_race FILE MODEL REPEATS OUT [se]`.
//!
//! The file has a line `x y outcome` for each comparison of two items, with outcome 1 (x), 2 (y) or 0 (tie). Prints
//! the least seconds of all repeats from columns in memory to ratings, ballots included, and how many iterations were
//! needed; writes the scores to OUT, one a line.

#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::time::Instant;

use llull_core::Ballot;
use llull_rank::ratings::{Model, Prior, RatingOptions, rate};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, model, repeats, out, rest @ ..] = arguments.as_slice() else {
        return Err("usage: ratings_race FILE MODEL REPEATS OUT [se]".into());
    };
    let (model, repeats): (Model, usize) = (model.parse()?, repeats.parse()?);
    let games = read(file)?;
    let items = games.iter().map(|[x, y, _]| x.max(y) + 1).max().unwrap_or(0) as usize;
    // No prior, because the peer has none.
    let standard_errors = rest.iter().any(|word| word == "se");
    let options = RatingOptions { prior: Prior::None, standard_errors, ..RatingOptions::default() };
    let (mut least, mut found) = (f64::INFINITY, None);
    for _ in 0..repeats {
        let start = Instant::now();
        let ballots: Vec<Ballot> = games.iter().map(ballot).collect();
        let ratings = rate(model, items, &ballots, &options)?;
        least = least.min(start.elapsed().as_secs_f64());
        found = Some(ratings);
    }
    let found = found.ok_or("no repeats")?;
    let lines: Vec<String> =
        found.scores.iter().map(|score| format!("{}", score.unwrap_or(f64::NAN))).collect();
    fs_err::write(out, lines.join("\n"))?;
    println!("{least} {}", found.iterations);
    Ok(())
}

fn ballot([x, y, outcome]: &[u32; 3]) -> Ballot {
    Ballot::of(match outcome {
        1 => vec![vec![*x], vec![*y]],
        2 => vec![vec![*y], vec![*x]],
        _ => vec![vec![*x, *y]],
    })
}

fn read(file: &str) -> Result<Vec<[u32; 3]>, Failure> {
    let mut games = Vec::new();
    for (number, line) in fs_err::read_to_string(file)?.lines().enumerate() {
        let fields = line.split(' ').map(str::parse).collect::<Result<Vec<u32>, _>>()?;
        let [x, y, outcome] = fields[..] else {
            return Err(format!("{file}:{}: expected `x y outcome`", number + 1).into());
        };
        games.push([x, y, outcome]);
    }
    Ok(games)
}

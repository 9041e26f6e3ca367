//! Figures by random draws: Tukey HSD, bootstrap intervals, the bootstrap test. Written by golden.py, which says how.

/// p of the six pairs of SYSTEMS by randomised Tukey HSD: 200,000 permutations by numpy 2.4.6, after
/// Carterette's algorithm 1.
pub(crate) const TUKEY: &[f64] = &[
    0.996760016199919,
    0.31281343593282035,
    0.0248598757006215,
    0.2108039459802701,
    0.012199939000304999,
    0.7258513707431463,
];

/// 95% intervals of candidate minus baseline: scipy 1.17.1, stats.bootstrap, the mean of four seeds of 500,000
/// resamples.
pub(crate) const BOOTSTRAPS: &[(&str, f64, f64)] = &[
    ("percentile", 0.03900620535714289, 0.18659203125000007),
    ("BCa", 0.04193750000000001, 0.1900900244958423),
    ("expanded percentile", 0.03447946428571428, 0.19179706234966204),
    ("expanded BCa", 0.037596951693135844, 0.19546305908142214),
];

/// p: scipy 1.17.1, stats.bootstrap of stats.ttest_1samp's statistic, 400,000 resamples.
pub(crate) const BOOTSTRAP_TESTS: &[(&str, f64)] = &[
    ("seven", 0.49112),
    ("ten, worse", 0.52292),
    ("twelve in tenths", 0.29532),
    ("twenty-eight", 0.00873),
    ("forty-three", 0.077355),
    ("fifty-three in tenths", 0.41524),
    ("two hundred", 0.653395),
];

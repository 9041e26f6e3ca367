//! Simulated judges, scripted models and a faulty provider, for tests and benches.

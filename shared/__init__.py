"""What two or more benchmarks use. Nothing here imports a benchmark by name."""

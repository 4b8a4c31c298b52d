"""What the program costs, in ratios to what a user would write instead: `python -m benchmarks`."""

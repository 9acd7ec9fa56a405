"""What a seen table means: hypotheses, the differences, faults, the verdict."""

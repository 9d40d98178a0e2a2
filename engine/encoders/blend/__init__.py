"""Two encoders as one: their rows side by side."""

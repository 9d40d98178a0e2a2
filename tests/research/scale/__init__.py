"""What the measurements of scale count."""

"""Where one machine ends, and what other stores and more machines change."""

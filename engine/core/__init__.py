"""What any room may need: errors, files, settings, progress, markup, threads, rows, worker processes."""

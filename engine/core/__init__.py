"""What any room may need: errors, files, settings, progress, threads, rows, worker processes, doors."""

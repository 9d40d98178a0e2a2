"""The map as files, and what draws it: places, pictures, clusters, and one page to open anywhere."""

"""One opened library with its encoders, indexes, map, caches, locks and jobs; every skin works on it."""

from engine.workspace.comparison import LibraryState
from engine.workspace.jobs import Job
from engine.workspace.workspace import Workspace

__all__ = ["Job", "LibraryState", "Workspace"]

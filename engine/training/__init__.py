"""Training: recipes, and one file a kind of model that learns from text."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.training.run_folder import Folders
    from engine.training.runs import SHIPPED, Recipes
    from engine.training.settings import WordsRecipe

__getattr__ = door(__name__)

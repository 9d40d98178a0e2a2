"""A contract of import-linter: what a room offers is named by its door, and nobody reaches past it."""

from __future__ import annotations

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class Doors(Contract):
    """Rooms of `containers` are imported from outside by their own name alone.

    `open` are rooms whose modules are doors themselves, `inner` packages with a door of their own within a room, and
    `insiders` may look inside any room.
    """

    containers = fields.ListField(subfield=fields.StringField())
    open = fields.ListField(subfield=fields.StringField(), required=False, default=[])
    inner = fields.ListField(subfield=fields.StringField(), required=False, default=[])
    insiders = fields.ListField(subfield=fields.StringField(), required=False, default=[])

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Find the imports that pass a door by."""
        found = sorted(
            f"{importer} imports {imported}; its door is {door}"
            for imported in graph.modules
            if (door := self.door_of(imported)) and imported not in {door, *self.inner}
            for importer in graph.find_modules_that_directly_import(imported)
            if not _within(importer, [self.room_of(imported), *self.insiders])
        )
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print each import that passes a door by."""
        for line in check.metadata["found"]:
            output.print_error(line)

    def room_of(self, module: str) -> str:
        """The room that a module belongs to; empty for one of no room."""
        for container in self.containers:
            if module.startswith(f"{container}."):
                return ".".join(module.split(".")[: container.count(".") + 2])
        return ""

    def door_of(self, module: str) -> str:
        """What others import in place of this module; empty where it is open to all."""
        room = self.room_of(module)
        if not room or room in self.open:
            return ""
        return next((one for one in self.inner if _within(module, [one])), room)


def _within(module: str, packages: list[str]) -> bool:
    return any(f"{module}.".startswith(f"{package}.") for package in packages)

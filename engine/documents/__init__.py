"""What is true of a text before any model reads it: documents, words, works, questions, numbers, safe markup."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.documents.document import (
        KIND_NAMES,
        KINDS,
        Chunk,
        DateKind,
        Document,
        DocumentDate,
        Hit,
        Identifier,
        Kind,
        LineBox,
        PageJson,
        PageStart,
        PassageJson,
        Placed,
        PlaceJson,
        RecognisedPage,
        Reference,
        Section,
        SectionRole,
        Translation,
        WorkJson,
        as_fields,
        from_fields,
        web_address,
    )

__getattr__ = door(__name__)

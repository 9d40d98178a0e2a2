"""The file that a visitor brings, while it is read in a thread of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import streamlit as st

from engine.core.progress import Report
from engine.workspace import Job
from explorer.state import drafts, own_pdfs
from explorer.state.drafts import Draft

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile


@dataclass(frozen=True, slots=True)
class Upload:
    """One file on its way to a draft, which `read` holds in the end; nothing if it was refused or given up."""

    file_id: str
    job: Job
    read: list[Draft] = field(default_factory=list)

    @property
    def pages(self) -> int:
        """How many of its pages have been read so far."""
        return max((stage.done for stage in list(self.job.stages.values())), default=0)


def held(key: str) -> Upload | None:
    """What is read for a field of this visitor's."""
    return cast(Upload | None, st.session_state.get(key))


def begin(key: str, file: UploadedFile) -> Upload:
    """Read a file in place of the one before it."""
    drop(key)
    data, name = file.getvalue(), file.name
    own_pdfs.keep(data, name)
    upload = Upload(file.file_id, Job(1, f"Reading {name}"))

    def work(report: Report) -> str:
        upload.read.append(drafts.from_upload(data, name, report))
        return ""

    upload.job.begin(work)
    st.session_state[key] = upload
    return upload


def drop(key: str) -> None:
    """Give a file up; reading stops."""
    upload = cast(Upload | None, st.session_state.pop(key, None))
    if upload is not None:
        upload.job.cancel()

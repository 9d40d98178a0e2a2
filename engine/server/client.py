"""A client of the server, in this one file over httpx2: `Priorscope("http://127.0.0.1:8600").search("some text", k=5)`.

At run time it needs no other file of ours, so it may be copied to a machine that has httpx2 alone. A method asks one
route and bears its name. What the route's address names comes first; all else goes by name, as `/v1/docs` lists it.
Answers are dictionaries, typed as the routes return them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar
from urllib.parse import quote as quoted
from urllib.parse import urlsplit

import httpx2

if TYPE_CHECKING:
    from engine.compare import ComparisonJson, CoverageJson, TogetherJson, WithinJson
    from engine.evaluation import EvaluationJson
    from engine.exports import (
        CollectionChangeJson,
        CollectionJson,
        CollectionsJson,
        DocumentJson,
        DocumentsChangeJson,
        DocumentsJson,
        EncodersJson,
        FlowJson,
        LibraryJson,
        MapJson,
        MapPlaceJson,
        NextJson,
        PlacementJson,
        RemovedJson,
        RenamedTagJson,
        ReviewsJson,
        SearchJson,
        TagsJson,
    )
    from engine.server.application import HealthJson
    from engine.server.routes.jobs import JobJson, UploadJson
    from engine.server.routes.library import LineJson
    from engine.server.routes.questions import CitedWorksJson, SourcesJson
    from engine.workspace import DrawnPageJson, SalientJson

T = TypeVar("T")
Told = TypeVar("Told", covariant=True)
Given = str | Path | Mapping[str, str]
"""A text, a file by its `Path`, or `{"id": …}` or `{"upload": …}`. A `str` is a text, even where a file is named so."""
Option = str | int | float | bool | None | Sequence[str]
_THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


class ServerProblem(Exception):
    """What the server, or the way to it, says is wrong: a sentence for a person.

    `type` and `title` name the kind; `status` is HTTP's, or 0 where nothing answered or a job failed; `at` is where in
    a line of words and fields a fault stands.
    """

    def __init__(self, title: str, detail: str, *, type: str = "", status: int = 0, at: int | None = None) -> None:
        """Take the fields of a problem; without a type, the title makes one."""
        super().__init__(detail)
        self.title, self.detail, self.status, self.at = title, detail, status, at
        self.type = type or f"urn:priorscope:{title.lower().replace(' ', '-')}"


class _Route(Generic[T]):
    """What makes a method of a route such as "PUT /map/groups?encoder": after a ? stands what its address says, too."""

    def __init__(self, route: str, about: str) -> None:
        self.verb, address = route.split()
        self.path, _, beside = address.partition("?")
        self.beside, self.about = beside.split("&"), f"{about}\n\n{self.verb} /v1{self.path}"

    def __set_name__(self, owner: type, name: str) -> None:
        self.name, self.answer = name, owner.__annotations__[name].partition("[")[2].removesuffix("]")

    def __get__(self, client: Priorscope, owner: type) -> Callable[..., T]:
        """Return the method: its signature and docstring are there for who looks them up."""
        named = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in re.findall(r"\{(\w+)\}", self.path)]
        options_too = [*named, Parameter("options", Parameter.VAR_KEYWORD, annotation="Option")]
        signature = Signature(options_too, return_annotation=self.answer)

        def ask(*args: object, **kwargs: object) -> T:
            given = signature.bind(*args, **kwargs).arguments
            options = given.pop("options", {})
            params = {name: options.pop(name) for name in self.beside if name in options}
            path = self.path.format(**{name: quoted(str(value), safe="") for name, value in given.items()})
            answer: T = client._ask(self.verb, path, options, params)
            return answer

        ask.__name__, ask.__doc__, ask.__signature__ = self.name, self.about, signature  # type: ignore[attr-defined]
        return ask


class _OfDocument(_Route[T]):
    """What makes a method that asks about a document: one that is given, or one of the library by its id."""

    def __get__(self, client: Priorscope, owner: type) -> _AsksOfDocument[T]:
        """Return the method."""

        def ask(document: Given | None = None, *, id: str = "", **options: Option) -> T:
            given = {"id": id} if document is None and id else document
            with client._named([] if given is None else [given]) as named:
                answer: T = client._ask(self.verb, self.path, {**({"document": named[0]} if named else {}), **options})
            return answer

        ask.__name__, ask.__doc__, ask.__annotations__["return"] = self.name, self.about, self.answer
        return ask


class _AsksOfDocument(Protocol[Told]):
    def __call__(self, document: Given | None = None, *, id: str = "", **options: Option) -> Told: ...


class Priorscope:
    """A server, asked over connections that are kept; threads may share it. Every method raises ServerProblem.

    Use it in a `with` block, or `close` it.
    """

    def __init__(self, url: str = "http://127.0.0.1:8600", token: str = "", *, timeout_seconds: float = 300.0) -> None:
        """Take where the server is, a token where it asks for one, and how long an answer may take."""
        url = url.rstrip("/").removesuffix("/v1")
        self._http = httpx2.Client(
            base_url=f"{url}/v1",
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=httpx2.Timeout(timeout_seconds, connect=10.0),
            trust_env=urlsplit(url).hostname not in _THIS_MACHINE,  # no proxy leads to this machine
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    search: _OfDocument[SearchJson] = _OfDocument(
        "POST /search",
        """Return what lies near a document, and why: `search("some text", k=5)`, `search(Path("paper.pdf"))`.

        `id` asks with a document of the library; `like=[id, …]` alone asks with several.
        """,
    )

    def find_source(self, quote: str, **options: Option) -> SourcesJson:
        """Return the documents that hold a quote, or come nearest to it, with section and page."""
        answer: SourcesJson = self._ask("POST", "/passages", {"quote": quote, **options})
        return answer

    def compare_documents(self, *documents: Given, **options: Option) -> ComparisonJson | WithinJson | TogetherJson:
        """Compare two or three documents, such as `Path("a.pdf"), {"id": "…"}`, or one within itself."""
        with self._named(documents) as named:
            answer: ComparisonJson = self._ask("POST", "/compare", {"documents": named, **options})
        return answer

    cover: _OfDocument[CoverageJson] = _OfDocument(
        "POST /coverage", "Return which parts of a document the library says already, comes close to, or lacks."
    )
    salient: _OfDocument[SalientJson] = _OfDocument(
        "POST /salient", "Return a document's sentences with how telling each is, and its key words."
    )
    citations: _OfDocument[CitedWorksJson] = _OfDocument(
        "POST /citations", "Return what a document cites, and what of it the library holds."
    )
    place_document: _OfDocument[PlacementJson] = _OfDocument(
        "POST /map/placement", "Return where on the map a document would stand, and its true neighbours."
    )

    def upload(self, file: str | Path) -> UploadJson:
        """Send a file that can ask for a day, as `{"upload": …}` with the name that comes back."""
        answer: UploadJson = self._send("/uploads", "file", [file], {})
        return answer

    def add_files(self, *files: str | Path, **options: str) -> JobJson:
        """Send files to the library. Once this returns, they come in even if the server ends; `wait` for the job."""
        answer: JobJson = self._send("/imports", "files", files, options)
        return answer

    def follow(self, job: JobJson | int) -> Iterator[JobJson]:
        """Yield a job whenever it has come further, and once more when it is over (server-sent events)."""
        number, event = job if isinstance(job, int) else job["number"], ""
        with self._reached(), self._http.stream("GET", f"/jobs/{number}/events") as answer:
            _check(answer)
            for line in answer.iter_lines():
                name, _, value = line.partition(": ")
                if name == "event":
                    event = value
                elif name == "data":
                    yield json.loads(value)
        if event != "end":
            raise ServerProblem("Connection lost", f"Expected job {number} to be told of to its end; the server left.")

    def wait(self, job: JobJson | int) -> JobJson:
        """Return a job once it is over; `outcome` says what it did. Raises ServerProblem if it failed."""
        *_, over = self.follow(job)
        if over["state"] == "failed":
            raise ServerProblem("Job failed", over["problem"])
        return over

    health: _Route[HealthJson] = _Route("GET /health", "Return at once, without a token, where the server answers.")

    get_library: _Route[LibraryJson] = _Route("GET /library", "Return how many documents and files there are.")
    list_encoders: _Route[EncodersJson] = _Route("GET /encoders", "Return every encoder's card.")
    list_documents: _Route[DocumentsJson] = _Route("GET /documents", "Return a page of documents that pass filters.")
    get_document: _Route[DocumentJson] = _Route("GET /documents/{id}", "Return a document, by sections and pages.")
    change_documents: _Route[DocumentsChangeJson] = _Route(
        "POST /documents/change", "Tag, note or screen documents, `ids=[…]`, or `all=True` that pass filters."
    )
    remove_documents: _Route[RemovedJson] = _Route("DELETE /documents", "Take documents out, `ids=[…]`.")
    export_documents: _Route[Any] = _Route("GET /export/{format}", "Return them as `csv`, `json`, `bibtex` or `ris`.")
    check_line: _Route[LineJson] = _Route("GET /line", "Return what a `line` of words and fields finds, or its fault.")
    list_tags: _Route[TagsJson] = _Route("GET /tags", "Return every tag.")
    rename_tag: _Route[RenamedTagJson] = _Route("PUT /tags/{tag}", "Give a tag another `name` on every document.")

    list_reviews: _Route[ReviewsJson] = _Route("GET /reviews", "Return every review.")
    next_to_screen: _Route[NextJson] = _Route("GET /reviews/next", "Return the first undecided document that passes.")
    get_flow: _Route[FlowJson] = _Route("GET /reviews/flow", "Return a review's numbers, as PRISMA names them.")
    begin_review: _Route[ReviewsJson] = _Route("POST /reviews", "Begin a review, with a `name`, of `ids=[…]` or all.")
    rename_review: _Route[ReviewsJson] = _Route("PUT /reviews/{review}", "Give a review another `name`.")
    delete_review: _Route[ReviewsJson] = _Route("DELETE /reviews/{review}", "Forget a review with its decisions.")

    list_collections: _Route[CollectionsJson] = _Route("GET /collections", "Return every collection.")
    get_collection: _Route[CollectionJson] = _Route("GET /collections/{collection}", "Return its documents.")
    add_to_collection: _Route[CollectionChangeJson] = _Route(
        "POST /collections/{collection}/documents", "Put in documents, `ids=[…]`; makes the collection if need be."
    )
    remove_from_collection: _Route[CollectionChangeJson] = _Route(
        "DELETE /collections/{collection}/documents", "Take out documents, `ids=[…]`; they stay in the library."
    )
    rename_collection: _Route[CollectionChangeJson] = _Route(
        "PUT /collections/{collection}", "Give a collection another `name`."
    )
    delete_collection: _Route[CollectionChangeJson] = _Route(
        "DELETE /collections/{collection}", "Forget a collection; its documents stay in the library."
    )

    get_page: _Route[DrawnPageJson] = _Route("GET /page", "Return where a passage of `id` stands on a page of its PDF.")
    get_page_picture: _Route[bytes] = _Route("GET /page.png", "Return that page as a PNG, with the passage boxed.")
    get_map: _Route[MapJson] = _Route("GET /map", "Return how true the map is, and its groups.")
    get_places: _Route[list[MapPlaceJson]] = _Route("GET /map/places", "Return where documents stand on the map.")
    draw_map: _Route[JobJson] = _Route("POST /map?encoder", "Draw the map, once all is read; `wait` for the job.")
    rename_group: _Route[MapJson] = _Route("PUT /map/groups?encoder", "Give the group `label` another `name`.")

    start_evaluation: _Route[JobJson] = _Route("POST /evaluations", "Measure rankings; `wait` for the job.")
    get_evaluation: _Route[EvaluationJson] = _Route("GET /evaluations/{number}", "Return the figures of such a job.")

    get_upload: _Route[DocumentJson] = _Route("GET /uploads/{upload}", "Return what was read of an upload.")
    forget_upload: _Route[None] = _Route("DELETE /uploads/{upload}", "Forget an upload now.")
    list_jobs: _Route[list[JobJson]] = _Route("GET /jobs", "Return the job that runs, then those in line.")
    get_job: _Route[JobJson] = _Route("GET /jobs/{number}", "Return how far a job has come.")
    cancel_job: _Route[JobJson] = _Route("DELETE /jobs/{number}", "Stop a job; what was whole is kept.")
    change_job: _Route[JobJson] = _Route(
        "POST /jobs/{number}/{change}", "`pause` a job that reads, let it `go-on`, or `move-up` one."
    )

    @contextmanager
    def _named(self, documents: Sequence[Given]) -> Iterator[list[Mapping[str, str]]]:
        """Give documents as requests name them; files are sent first, and forgotten after."""
        with ExitStack() as sent:

            def name(document: Given) -> Mapping[str, str]:
                if not isinstance(document, Path):
                    return {"text": document} if isinstance(document, str) else document
                upload = self.upload(document)["upload"]
                sent.callback(self._forget, upload)
                return {"upload": upload}

            yield [name(one) for one in documents]

    def _forget(self, upload: str) -> None:
        with suppress(ServerProblem):  # it is forgotten within a day anyway
            self.forget_upload(upload)

    def _send(self, path: str, field: str, files: Sequence[str | Path], data: Mapping[str, str]) -> Any:  # noqa: ANN401
        with ExitStack() as opened, self._reached():
            sent = [(field, (Path(one).name, opened.enter_context(Path(one).open("rb")))) for one in files]
            return _check(self._http.post(path, files=sent, data=dict(data))).json()

    def _ask(self, verb: str, path: str, said: Mapping[str, Any], params: Mapping[str, Any] | None = None) -> Any:  # noqa: ANN401
        """Return what a route answers: JSON as it is, a picture's bytes, a text, or nothing."""
        in_address = verb in ("GET", "DELETE")
        params, body = _given(said if in_address else params or {}), None if in_address else _given(said)
        with self._reached():
            answer = _check(self._http.request(verb, path, params=params, json=body))
        kind = answer.headers.get("content-type", "")
        if not answer.content:
            return None
        return answer.json() if "json" in kind else answer.content if kind.startswith("image/") else answer.text

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """Say in the block that no answer came, or none in time."""
        try:
            yield
        except httpx2.TransportError as error:
            said = f"Expected an answer of {self._http.base_url}, got {str(error) or type(error).__name__}."
            raise ServerProblem("No answer", f"{said} Is it running? `priorscope serve` starts it.") from None


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _check(answer: httpx2.Response) -> httpx2.Response:
    """Return a good answer. Raises ServerProblem for any other, which may be of a proxy before the server."""
    if answer.is_success:
        return answer
    answer.read()
    got = f"{answer.status_code} {answer.reason_phrase}"
    found: dict[str, Any] = {
        "title": answer.reason_phrase,
        "detail": f"Expected an answer of Priorscope at {answer.url}, got {got}; something before it answers.",
    }
    with suppress(ValueError, TypeError):
        found.update(answer.json())
    raise ServerProblem(
        found["title"], found["detail"], type=found.get("type", ""), status=answer.status_code, at=found.get("at")
    )

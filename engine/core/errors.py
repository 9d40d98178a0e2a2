"""Every error that the engine raises on purpose, as a tree.

EngineError
|- InputError            a file or a text that a person gave
|  |- EmptyInputError            nothing to read
|  |- UnsupportedFormatError     not one of the formats we read
|  |- WrongExtensionError        the name says one format, the bytes another that we cannot read
|  |- InputTooLargeError         over a size or length limit
|  |- TooManyPagesError          over the page limit
|  |- EncryptedFileError         needs a password
|  |- ScannedPdfError            pages are pictures without text
|  |- TruncatedFileError         the file ends before its format says so
|  |- UnsafeXmlError             entities or an external DTD
|  |- BinaryTextError            binary bytes where text was expected
|  |- TextEncodingError          text in no encoding that we know
|  |- ManyDocumentsError         several documents where one was expected
|  |- MalformedFileError         the format is known, its content breaks the format's rules
|  `- MissingColumnError         a table without a column that documents need
|- ConfigError           a recipe or a setting, every problem at once
|- StorageError          a folder or a file of ours that is damaged or foreign
|- EncoderError
|  |- UnknownEncoderError
|  `- NotFittedError
|- VectorIndexError
|  |- FingerprintError           vectors of another encoder
|  |- ShapeError                 rows of another width, or as many ids as rows were expected
|  `- VectorServerError          the server that holds vectors does not answer as it should
|- LibraryError
|  |- UnknownDocumentError
|  `- EmptyLibraryError
|- SourceError           an outside source
|  |- DownloadError
|  `- ChecksumError
|- SearchError           a question that cannot be answered as asked
|  `- LineError                  a line of words and fields with a fault, and where it stands
|- MapError              a map that cannot be drawn as asked
|- TrainingError         a training run that cannot start or go on as asked
|- EvaluationError       a benchmark that is incomplete, or sets that do not match
|- WorkerError           workers beside this process that cannot be reached, or do not do their work
|  `- LostWorkError              work over which a worker ended, each time it was tried
|- CancelledError        a person stopped the work
|  `- EnoughError                what has come of it so far is wanted
`- MissingExtraError     a library that only some of the work needs is not installed

A message says what was expected, what was given, and what to do. The screen and the command
line catch EngineError and show its text; nothing catches wider.
"""


class EngineError(Exception):
    """Base of every error raised on purpose; its text is written for the person who reads it."""


class InputError(EngineError):
    """A file or a text that a person gave cannot be used as it is."""


class EmptyInputError(InputError):
    """There is nothing to read."""


class UnsupportedFormatError(InputError):
    """The content is in none of the formats that we read."""


class WrongExtensionError(InputError):
    """The name promises one format and the bytes are something else that we cannot read."""


class InputTooLargeError(InputError):
    """The input is over a size or length limit."""


class TooManyPagesError(InputError):
    """The file has more pages than the limit."""


class EncryptedFileError(InputError):
    """The file needs a password."""


class ScannedPdfError(InputError):
    """The pages are pictures and hold no text."""


class TruncatedFileError(InputError):
    """The file ends before its format says that it does."""


class UnsafeXmlError(InputError):
    """The XML declares entities or asks for an external file."""


class BinaryTextError(InputError):
    """The file holds binary bytes where text was expected."""


class TextEncodingError(InputError):
    """The text is in no encoding that we know."""


class ManyDocumentsError(InputError):
    """The file holds several documents where one was expected."""


class MalformedFileError(InputError):
    """The format is known, and the content breaks its rules."""


class MissingColumnError(InputError):
    """A table lacks a column that documents need."""


class ConfigError(EngineError):
    """A recipe or setting is wrong; the text lists every problem at once."""


class StorageError(EngineError):
    """A folder or file of ours is damaged, incomplete, or not ours."""


class EncoderError(EngineError):
    """An encoder cannot be loaded or used as asked."""


class UnknownEncoderError(EncoderError):
    """No encoder has that name."""


class NotFittedError(EncoderError):
    """The encoder learns from a corpus and has not seen one yet."""


class VectorIndexError(EngineError):
    """An index cannot be used as asked."""


class FingerprintError(VectorIndexError):
    """The vectors come from another encoder than the index was made for."""


class ShapeError(VectorIndexError):
    """The rows have another width or number than the index expects."""


class VectorServerError(VectorIndexError):
    """The server that holds vectors does not answer, or not as it should; it may again later."""


class LibraryError(EngineError):
    """A library cannot be used as asked."""


class UnknownDocumentError(LibraryError):
    """No document of the library has that id."""


class EmptyLibraryError(LibraryError):
    """The library holds no document yet."""


class SourceError(EngineError):
    """An outside source did not give what was expected."""


class DownloadError(SourceError):
    """A download failed or could not start."""


class ChecksumError(SourceError):
    """What arrived is not what was pinned."""


class SearchError(EngineError):
    """A question cannot be answered as asked."""


class LineError(SearchError):
    """A line of words and fields cannot be read; `at` is the character, from 0, where its fault stands."""

    def __init__(self, text: str, at: int = 0) -> None:
        """Say what is wrong, and where."""
        super().__init__(text)
        self.at = at


class MapError(EngineError):
    """A map cannot be drawn as asked."""


class TrainingError(EngineError):
    """A training run cannot start, or go on, as asked."""


class EvaluationError(EngineError):
    """A benchmark is incomplete, or two sets that must match do not."""


class WorkerError(EngineError):
    """Workers beside this process cannot be reached, or do not do their work."""


class LostWorkError(WorkerError):
    """A worker ended over a piece of work, each time it was tried."""


class CancelledError(EngineError):
    """A person stopped the work; what was whole is kept."""


class EnoughError(CancelledError):
    """A person wants what has come of the work so far; work that has nothing whole yet is stopped."""


class MissingExtraError(EngineError):
    """A library that only some of the work needs is not installed; the text names the extra that brings it."""

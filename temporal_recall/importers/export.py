"""An export as it lies on the disk: a file, a folder, or the archive that was downloaded. Nothing is unpacked or written."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import IO, Any

# What a damaged or locked archive raises while it is read.
UNREADABLE = (OSError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile)


class _Counted(io.RawIOBase):
    """Reads a stream and counts its bytes."""

    def __init__(self, stream: IO[bytes], export: Export) -> None:
        self._stream, self._export = stream, export

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self._stream.read(len(buffer))
        buffer[: len(part)] = part
        self._export.done += len(part)
        return len(part)


class Export:
    """The files of an export by name. `done` of `total` bytes are read; `total` counts what was told with `expect`."""

    def __init__(self, path: Path, archive: zipfile.ZipFile | None = None) -> None:
        self.path, self._archive = path, archive
        self.done = self.total = 0
        if archive is not None:
            self._sizes = {info.filename: info.file_size for info in archive.infolist() if not info.is_dir()}
        elif path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.is_file())
            self._sizes = {file.relative_to(path).as_posix(): file.stat().st_size for file in files}
        else:
            self._sizes = {path.name: path.stat().st_size}

    def find(self, pattern: str) -> list[str]:
        """The files whose own name, without its folders, is like the pattern, in order; a single file is meant whatever it is called."""
        if self._archive is None and self.path.is_file():
            return list(self._sizes)
        names = [name for name in self._sizes if not name.startswith("__MACOSX/")]
        return sorted(name for name in names if fnmatch(PurePosixPath(name).name, pattern))

    def under(self, folder: str) -> list[str]:
        """The files in a folder and below, in order; "" is the whole."""
        return sorted(name for name in self._sizes if name.startswith(folder))

    def expect(self, names: list[str], times: int = 1) -> None:
        self.total += times * sum(self._sizes[name] for name in names)

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        if self._archive is not None:
            stream: IO[bytes] = self._archive.open(name)
        else:
            stream = (self.path / name if self.path.is_dir() else self.path).open("rb")
        with stream:
            yield io.BufferedReader(_Counted(stream, self), 1 << 16)


@contextmanager
def opened(path: Path) -> Iterator[Export]:
    """The export at a path. Raises OSError, or BadZipFile for an archive that is none."""
    if path.is_file() and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            yield Export(path, archive)
    else:
        yield Export(path)

"""Wikidata's JSON dumps, one entity a line."""

from __future__ import annotations

import json
from collections.abc import Iterator

from kgcore.kg.files.dump_files import Chunk, DumpFile, OnBad
from kgcore.kg.files.packed_files import UnpackedFile
from kgcore.kg.files.wikidata_json import entity_lines


class WikidataDump(DumpFile):
    """A JSON dump of Wikidata: an array with one entity a line, or the lines alone."""

    def chunks(
        self, data: UnpackedFile, offset: int, line: int, on_bad: OnBad | None
    ) -> Iterator[Chunk]:
        """Convert entity by entity."""
        chunk = Chunk(offset=offset, line=line)
        for text, end in self._lines(data, offset):
            line += 1
            chunk.offset, chunk.line = end, line
            text = text.strip().rstrip(b",")
            if text in (b"", b"[", b"]"):
                continue
            self._convert(chunk, text, line, on_bad)
            if chunk.is_full:
                yield chunk
                chunk = Chunk(offset=end, line=line)
        yield chunk

    def _convert(self, chunk: Chunk, text: bytes, line: int, on_bad: OnBad | None) -> None:
        try:
            entity = json.loads(text)
            if not isinstance(entity, dict):
                raise ValueError("it is no object")
            found = entity_lines(entity, self.filters)
            if found is None:
                return
            for is_text, lines in ((False, found.plain), (True, found.texts)):
                if lines:
                    block = "".join(lines).encode("utf-8")
                    chunk.add(block, is_text=is_text, line=line, n=len(lines))
        except json.JSONDecodeError as error:
            self.refuse(line, f"it is no JSON: {error.msg}", on_bad)
        except (ValueError, UnicodeError) as error:
            self.refuse(line, str(error), on_bad)
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            self.refuse(line, f"it is no entity of Wikidata ({type(error).__name__})", on_bad)

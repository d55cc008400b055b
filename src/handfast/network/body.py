"""Reading a body with a cap on what comes out, whatever its content encoding promises.

A decompression bomb is harmless here: the decoder is asked for so many bytes and no more.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Final

_GZIP_OR_ZLIB: Final = 32 + zlib.MAX_WBITS


_ZLIB_HEADER: Final = 2
_RAW_DEFLATE: Final = -zlib.MAX_WBITS


class BodyReader:
    """Takes the encoded bytes of a body and keeps the first decoded ones.

    Args:
        encoding: The Content-Encoding header, as sent; empty for none.
        cap: The most decoded bytes to keep.

    Attributes:
        cut: More came than the cap, or the rest could not be decoded.
        note: What a person should know: an encoding that was left as it was, a decoding error.
    """

    def __init__(self, encoding: str, cap: int) -> None:
        self.cut = False
        self.note = ""
        self._cap = cap
        self._kept = bytearray()
        self._head = b""
        self._encoding = encoding.strip().lower()
        self._decode = self._decoder(self._encoding)

    @property
    def body(self) -> bytes:
        """What was kept."""
        return bytes(self._kept)

    def take(self, chunk: bytes) -> bool:
        """Takes the next encoded bytes.

        Returns:
            Whether more is wanted.
        """
        room = self._cap - len(self._kept)
        try:
            decoded = self._decode_next(chunk, room + 1)
        except zlib.error as error:
            self.note = f"the body cannot be decoded: {error}"
            self.cut = True
            return False
        self._kept += decoded[:room]
        if len(decoded) > room:
            self.cut = True
            return False
        return True

    def _decode_next(self, chunk: bytes, most: int) -> bytes:
        try:
            return self._decode(chunk, most)
        except zlib.error:
            # "deflate" means zlib (RFC 9110, section 8.4.1.2), but some servers send it bare
            if self._encoding != "deflate" or self._kept:
                raise
            self._encoding = "bare deflate"
            self._decode = zlib.decompressobj(_RAW_DEFLATE).decompress
            return self._decode(self._head + chunk, most)
        finally:
            self._head = (self._head + chunk)[:_ZLIB_HEADER]

    def _decoder(self, encoding: str) -> Callable[[bytes, int], bytes]:
        if encoding in {"gzip", "x-gzip", "deflate"}:
            inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
            return inflate.decompress
        if encoding not in {"", "identity"}:
            self.note = f"the body is left in its encoding {encoding[:40]!r}"
        return lambda chunk, most: chunk[:most]

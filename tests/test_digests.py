"""Hashes are those of ``hashlib``, of any size."""

from __future__ import annotations

import hashlib

import pytest

from rexcc.source import digests


@pytest.mark.parametrize("size", [0, 1, digests._LARGE - 1, digests._LARGE])
def test_a_hash_is_that_of_the_standard_library(size: int) -> None:
    data = b"x" * size
    assert digests.sha256(data).hexdigest() == hashlib.sha256(data).hexdigest()
    assert digests.sha256(data).digest() == hashlib.sha256(data).digest()
    parts = digests.sha256()
    parts.update(data)
    parts.update(b"more")
    assert parts.digest() == hashlib.sha256(data + b"more").digest()

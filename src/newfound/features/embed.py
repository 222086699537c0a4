"""Texts -> embeddings.

``static`` takes the mean of ready-made vectors of a text's tokens: offline, and tens of thousands of short texts a second.
The vectors ship in the wheel of wordllama; its own loader would go to the network, so its two files are read here.
``sentences`` runs a sentence-transformers model, far slower and better.
"""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from newfound.errors import InputError, MissingExtra, need

Array = NDArray[Any]

AT_ONCE = 10_000
"""Texts whose tokens are held at a time."""


def static(texts: Sequence[str]) -> Array:
    """One row of 256 per text, in float32; a text without tokens gets a row of zeros.

    >>> alike, other = static(["card declined", "my card was refused", "red tulips"])[0:3:2], static(["declined cards"])[0]
    >>> bool(alike[0] @ other > alike[1] @ other)
    True
    """
    tokenizer, vectors = _wordllama()
    rows = np.zeros((len(texts), vectors.shape[1]), np.float32)
    for first in range(0, len(texts), AT_ONCE):
        some = [_quiet(text.strip()) for text in texts[first : first + AT_ONCE]]
        tokens = [encoded.ids for encoded in tokenizer.encode_batch_fast(some, add_special_tokens=False)]
        rows[first : first + len(some)] = _means(tokens, vectors)
    return rows


def _quiet(text: str) -> str:
    """The text, but never all in capitals: tokens know a name by its capital, and hardly know a SHOUT at all."""
    return text.lower() if text.isupper() else text


def _means(tokens: Sequence[Sequence[int]], vectors: Array) -> Array:
    """The mean vector of the tokens of each text."""
    lengths = np.array([len(ids) for ids in tokens])
    numbers = np.fromiter((number for ids in tokens for number in ids), np.int64, lengths.sum())
    which = np.repeat(np.arange(len(tokens)), lengths)
    counts = sparse.csr_matrix(
        (np.ones(len(numbers), np.float32), (which, np.minimum(numbers, len(vectors) - 1))), shape=(len(tokens), len(vectors))
    )
    return np.asarray((counts @ vectors) / np.maximum(lengths, 1)[:, None], dtype=np.float32)


@cache
def _wordllama() -> tuple[Any, Array]:
    """The tokenizer and the vector of each token."""
    tokenizers, safetensors = need("tokenizers", "text"), need("safetensors.numpy", "text")
    home = find_spec("wordllama")
    if home is None or home.origin is None:
        raise MissingExtra("this needs wordllama: pip install 'newfound[text]'")
    folder = Path(home.origin).parent
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    (vectors,) = safetensors.load_file(str(folder / "weights" / "l2_supercat_256.safetensors")).values()
    return tokenizer, vectors.astype(np.float32)


def sentences(texts: Sequence[str], model: str, fetch: bool = False) -> Array:
    """One unit row per text by the sentence-transformers model of this name or folder, of which no pickle is read.

    Only with ``fetch`` may it come from the network.
    """
    make = need("sentence_transformers", "models").SentenceTransformer
    try:
        found = make(model, device="cpu", local_files_only=not fetch, model_kwargs={"use_safetensors": True})
    except (OSError, ValueError) as failure:
        raise InputError(f"no sentence-transformers model {model!r} could be read ({str(failure).splitlines()[0]})") from None
    return np.asarray(found.encode(list(texts), batch_size=64, normalize_embeddings=True, show_progress_bar=False), np.float32)

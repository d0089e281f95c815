"""A tokenizer that a program holds is compiled once: its content decides, not where it lay for a moment."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

PROGRAM = textwrap.dedent(
    """
    import tokenizers
    import gcc_grammar as gg

    model = tokenizers.models.BPE({chr(0x21 + byte): byte for byte in range(90)}, [])
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.add_special_tokens(["<end>"])
    fingerprints = {gg.Vocabulary(tokenizer, end_tokens="<end>").fingerprint for _ in range(3)}
    assert len(fingerprints) == 1
    """
)


def test_a_tokenizer_is_compiled_once(tmp_path):
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    for _ in range(2):
        subprocess.run([sys.executable, "-c", PROGRAM], check=True, env=environment, cwd=tmp_path)
    assert len(list(Path(tmp_path).rglob("*.gcv"))) == 1

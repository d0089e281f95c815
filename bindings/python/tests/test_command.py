"""The command line tool that comes with the package."""

import json
import subprocess
import sys


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "gcc_grammar", *arguments], capture_output=True, text=True)


def test_the_command_line_is_the_same(tmp_path):
    schema = tmp_path / "a.json"
    schema.write_text('{"type": "integer"}')
    done = run("compile", str(schema), "--vocab", "llama3", "-o", str(tmp_path / "a.gcg"), "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["bytes"] == (tmp_path / "a.gcg").stat().st_size
    assert run("--version").stdout.startswith("gcc-grammar ")
    assert run("compile", str(tmp_path / "missing.json"), "--vocab", "llama3").returncode == 2


def test_the_build_without_the_service_says_so():
    done = run("serve", "--vocab", "llama3")
    assert done.returncode == 2 and "not in this build" in done.stderr

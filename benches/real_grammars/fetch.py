"""Fetches the repositories and packages in sources.json and lists their grammars.

    python fetch.py FOLDER [--clone OWNER/NAME=PATH ...]

A repository is fetched at its commit, and of a package the `grammar.json` is taken. `--clone` names a clone that is there already. Nothing of them is kept in this repository. Grammars of ANTLR that have tokens
only belong to another grammar and are not listed; `every` takes each n-th of the others in the order of their names. The list is FOLDER/grammars.jsonl.
"""

import argparse
import fnmatch
import json
import re
import subprocess
import tarfile
from pathlib import Path


def checkout(source: dict, folder: Path, clones: dict[str, str]) -> None:
    """Unpacks the grammars of a repository at a commit."""
    folder.mkdir(parents=True, exist_ok=True)
    clone = clones.get(source["repository"])
    if clone is None:
        clone = str(folder / ".git")
        git = ["git", "--git-dir", clone]
        subprocess.run(["git", "init", "-q", "--bare", clone], check=True)
        subprocess.run([*git, "fetch", "-q", "--depth", "1", f"https://github.com/{source['repository']}", source["commit"]], check=True)
    git = ["git", "--git-dir", clone]
    out = subprocess.run([*git, "ls-tree", "-r", "-z", "--name-only", source["commit"]], check=True, capture_output=True, text=True)
    # Imported grammars may match other patterns.
    endings = {Path(pattern).suffix for pattern in source["files"]}
    for name in (name for name in out.stdout.split("\0") if Path(name).suffix in endings):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(subprocess.run([*git, "show", f"{source['commit']}:{name}"], check=True, capture_output=True).stdout)


def package(source: dict, folder: Path) -> None:
    """Takes the grammar of a package."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{source['package']}@{source['version']}"
    subprocess.run(["npm", "pack", "--silent", "--pack-destination", str(folder), name], check=True, stdout=subprocess.DEVNULL)
    for archive in folder.glob("*.tgz"):
        with tarfile.open(archive) as files:
            content = files.extractfile("package/src/grammar.json").read()
        (folder / f"{source['package']}.json").write_bytes(content)
        archive.unlink()


def has_rules(path: Path) -> bool:
    """Whether a grammar has more than tokens."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(errors="replace"), flags=re.S)
    return re.search(r"^\s*lexer\s+grammar", text, re.M) is None


def grammars(source: dict, folder: Path) -> list[Path]:
    """The files that are judged."""
    patterns = source.get("files", ["*.json"])
    files = sorted(path for path in folder.rglob("*") if path.is_file() and any(fnmatch.fnmatch(path.name, one) for one in patterns))
    if source["notation"] == "antlr":
        files = [path for path in files if has_rules(path)]
    return files[:: source.get("every", 1)]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--clone", action="append", default=[], metavar="OWNER/NAME=PATH")
    arguments = parser.parse_args()
    clones = dict(one.split("=", 1) for one in arguments.clone)
    rows = []
    for source in json.loads(Path(__file__).with_name("sources.json").read_text()):
        name = source.get("repository") or source["package"]
        folder = arguments.folder / name.replace("/", "+")
        if "repository" in source:
            checkout(source, folder, clones)
        else:
            package(source, folder)
        files = grammars(source, folder)
        rows += [{"source": name, "notation": source["notation"], "file": str(path.relative_to(arguments.folder))} for path in files]
        print(f"{name}: {len(files)} grammars", flush=True)
    (arguments.folder / "grammars.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()

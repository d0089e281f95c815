"""Fetches the packages in sources.json and writes their schemas into a folder: one folder for each package.

    python fetch.py FOLDER

The schemas are those of the packages; nothing of them is kept in this repository. `every` takes each n-th of the files in the order of their
names, `models` the schemas that pydantic writes for the models of a module, whose package has to be installed. The list of all schemas,
`schemas.json`, has for each the documents of its package that it refers to, by URI. Schemas that refer to documents that the package lacks are
left out.
"""

import importlib
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from urllib.parse import urldefrag, urljoin


def fetch(source: dict, folder: Path) -> None:
    """Downloads a package from its registry and unpacks it."""
    name = f"{source['package']}{'==' if source['registry'] == 'pypi' else '@'}{source['version']}"
    if source["registry"] == "pypi":
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", str(folder), name]
    else:
        command = ["npm", "pack", "--silent", "--pack-destination", str(folder), name]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for archive in [*folder.glob("*.whl"), *folder.glob("*.tgz")]:
        if archive.suffix == ".whl":
            zipfile.ZipFile(archive).extractall(folder)
        else:
            tarfile.open(archive).extractall(folder, filter="data")
        archive.unlink()


def write_models(source: dict, folder: Path) -> None:
    """Writes the schema of every model of a module."""
    from pydantic import BaseModel

    module = vars(importlib.import_module(source["models"]))
    for name, model in sorted(module.items()):
        if isinstance(model, type) and issubclass(model, BaseModel):
            (folder / f"{name}.json").write_text(json.dumps(model.model_json_schema()))


def read(path: Path) -> object:
    """The JSON in a file; None if it has none."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except (json.JSONDecodeError, UnicodeDecodeError):
        return None


def identifier(schema: object) -> str:
    """The URI that a document gives itself, in the keyword of its draft."""
    if not isinstance(schema, dict):
        return ""
    keyword = "id" if "draft-04" in str(schema.get("$schema")) else "$id"
    uri = schema.get(keyword)
    return urldefrag(uri)[0] if isinstance(uri, str) else ""


def is_schema(schema: object) -> bool:
    """Whether a document is a schema that says something about a value. Lists of definitions and other documents are not."""
    keywords = {"type", "properties", "$ref", "allOf", "anyOf", "oneOf", "items", "enum", "if"}
    return isinstance(schema, dict) and bool(keywords & schema.keys())


def references(value: object) -> set[str]:
    """The values of all `$ref` in a document."""
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()


def documents(path: Path, by_uri: dict[str, Path]) -> dict[str, Path] | None:
    """The documents that a schema refers to, and those that these refer to, by URI; None if one of them is not in the package. A document
    has the URI that it gives itself, or lies beside the one that refers to it."""
    found: dict[str, Path] = {}
    open_documents = [(path, identifier(read(path)))]
    while open_documents:
        file, base = open_documents.pop()
        document = read(file)
        inner = inner_identifiers(document, base)
        for reference in references(document):
            uri = urldefrag(urljoin(base, reference))[0]
            if uri in found or uri in inner or "//json-schema.org/" in uri:
                continue
            beside = file.with_name(uri.rsplit("/", 1)[-1])
            target = by_uri.get(uri, beside)
            if not target.is_file():
                return None
            found[uri] = target
            open_documents.append((target, uri))
    return found


def inner_identifiers(value: object, base: str) -> set[str]:
    """The URIs of the parts of a document, its own included."""
    inner = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
    return {base, urljoin(base, identifier(value))}.union(*(inner_identifiers(part, base) for part in inner))


def main() -> None:
    target = Path(sys.argv[1])
    listed: dict[str, dict[str, str]] = {}
    for source in json.loads(Path(__file__).with_name("sources.json").read_text()):
        folder = target / source["package"].replace("/", "+")
        folder.mkdir(parents=True, exist_ok=True)
        if "models" in source:
            write_models(source, folder)
        else:
            fetch(source, folder)
        files = sorted(folder.glob(source.get("files", "*.json")))
        by_uri = {uri: file for file in reversed(files) if (uri := identifier(read(file)))}
        chosen = [file for file in files[:: source.get("every", 1)] if is_schema(read(file))]
        given = {file: found for file in chosen if (found := documents(file, by_uri)) is not None}
        for file, found in given.items():
            listed[str(file.relative_to(target))] = {uri: str(path.relative_to(target)) for uri, path in found.items()}
        print(f"{source['package']} {source['version']}: {len(given)} schemas, {len(chosen) - len(given)} left out")
    (target / "schemas.json").write_text(json.dumps(listed, indent=2))


if __name__ == "__main__":
    main()

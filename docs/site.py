"""Prepares the pages of the site, and follows the links of the site that was built. Called by site.sh.

    site.py pages FOLDER    copies the pages that docs/SUMMARY.md lists, and the files that they link, into FOLDER, in the same layout
    site.py check FOLDER    every link of an HTML page leads to a file, and every anchor to an element

Pages of the repository link each other by relative paths, also out of docs. So the layout stays, and only links to what is no part of the site become
plain text.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[1]
SUMMARY = ROOT / "docs" / "SUMMARY.md"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
#: What may be linked besides pages: small files to read or to look at.
SHOWN = {".svg", ".png", ".json", ".lark", ".gbnf", ".ebnf", ".py", ".h", ".toml", ".sh"}


def target(page: Path, link: str) -> Path | None:
    """The file of the repository that a link of a page leads to; none for addresses and anchors."""
    path = link.partition("#")[0]
    if not path or "://" in link or link.startswith("mailto:"):
        return None
    return Path(os.path.normpath(page.parent / path))


def listed() -> list[Path]:
    """The pages of the summary, and the decision records, which their index lists."""
    links = [found.group(3) for found in LINK.finditer(SUMMARY.read_text(encoding="utf-8"))]
    pages = [found for link in links if (found := target(SUMMARY, link))]
    missing = [str(page) for page in pages if not page.is_file()]
    unlisted = {page for page in (ROOT / "docs").rglob("*.md") if "decisions" not in page.parts} - set(pages) - {SUMMARY}
    if missing or unlisted:
        sys.exit(f"docs/SUMMARY.md lists what is not there: {missing}; and lacks: {sorted(map(str, unlisted))}")
    return pages + sorted(page for page in (ROOT / "docs" / "decisions").glob("*.md") if page.name != "README.md")


def rewritten(page: Path, pages: set[Path], files: set[Path]) -> str:
    """The text of a page for the site. Linked files are added to `files`."""

    def link(found: re.Match[str]) -> str:
        mark, text, address = found.groups()
        path = target(page, address)
        if path is None:
            return found.group(0)
        if path.is_dir() and path / "README.md" in pages:
            return f"{mark}[{text}]({address.rstrip('/')}/index.md)"
        if path in pages:
            # mdBook calls the page of a folder its index.
            return f"{mark}[{text}]({address.replace('README.md', 'index.md')})"
        if path.is_file() and path.suffix in SHOWN:
            files.add(path)
            return found.group(0)
        return text

    parts = re.split(r"(^```.*?^```$)", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)


def summary(pages: list[Path]) -> str:
    """The summary, seen from the root, with the decision records below their index."""
    text = re.sub(r"\]\(\.\./", "](", re.sub(r"\]\((?!\.\./)", "](docs/", SUMMARY.read_text(encoding="utf-8")))
    records = [page for page in pages if page.parent.name == "decisions" and page.name != "README.md"]
    title = lambda page: page.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
    lines = [f"  - [{title(page)}]({page.relative_to(ROOT).as_posix()})" for page in records]
    index = "- [Decisions](docs/decisions/README.md)"
    return text.replace(index, "\n".join([index, *lines]))


def prepare(folder: Path) -> None:
    """Writes the pages, the summary, and the linked files."""
    pages, files = listed(), set()
    shutil.rmtree(folder, ignore_errors=True)
    for page in pages:
        copy = folder / page.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(rewritten(page, set(pages), files), encoding="utf-8")
    for file in files:
        copy = folder / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    (folder / "SUMMARY.md").write_text(summary(pages), encoding="utf-8")
    # What is made here is a copy (https://bford.info/cachedir/): searches of the repository leave it out.
    (folder / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n", encoding="utf-8")
    print(f"{len(pages)} pages and {len(files)} files")


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if value and name == "id":
                self.anchors.add(value)
            if value and (tag, name) in {("a", "href"), ("img", "src"), ("script", "src"), ("link", "href")}:
                self.links.append(value)


def check(site: Path) -> None:
    """Follows the links of all pages, but for the references, which their generators check."""
    paths = [path for path in site.rglob("*.html") if path.relative_to(site).parts[0] not in {"rust", "python"}]
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in paths}
    wrong, count = [], 0
    for path, page in pages.items():
        # This page is shown in the place of any page that is not there.
        if path.name == "404.html":
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            file = Path(os.path.normpath(path.parent / unquote(parts.path))) if parts.path else path
            file = file / "index.html" if file.is_dir() else file
            anchors = pages[file].anchors if file in pages else None
            if not file.is_file() or parts.fragment and anchors is not None and unquote(parts.fragment) not in anchors:
                wrong.append(f"{path.relative_to(site)}: {link}")
    print(f"{count} links of {len(pages)} pages")
    if wrong or count < 100:
        sys.exit("\n".join(["links that lead nowhere:", *sorted(set(wrong))[:50]]))


if __name__ == "__main__":
    {"pages": prepare, "check": check}[sys.argv[1]](Path(sys.argv[2]).resolve())

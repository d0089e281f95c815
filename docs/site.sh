#!/usr/bin/env bash
# Builds the site into a folder, by default target/site: the pages of docs/SUMMARY.md, and beside them the references of Rust (rust/) and, where
# the package is installed, of Python (python/). Then every link within the site is followed. The last line is the verdict.
#
#   site.sh [FOLDER]         needs mdbook
#   site.sh --pages-only     prepares the pages and looks at their links, without mdbook
set -euo pipefail
cd "$(dirname "$0")/.."
pages=target/site-pages
if [ "${1:-}" = --pages-only ]; then
    python3 docs/site.py pages "$pages"
    echo PASSED
    exit
fi
site=$(python3 -c 'import os, sys; print(os.path.abspath(sys.argv[1]))' "${1:-target/site}")
command -v mdbook >/dev/null || { echo "skipped: mdbook is not installed (cargo install mdbook)"; exit 0; }

python3 docs/site.py pages "$pages"
mdbook build --dest-dir "$site"
if [ -z "${WITHOUT_REFERENCES:-}" ]; then
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps -p gcc-grammar -p gcc-grammar-runtime -p gcc-grammar-store -p gcc-grammar-tensors -p gcc-grammar-llguidance
    rm -rf "$site/rust"
    cp -R "${CARGO_TARGET_DIR:-target}/doc" "$site/rust"
    if python3 -c 'import gcc_grammar, pdoc' 2>/dev/null; then
        python3 -m pdoc --output-directory "$site/python" gcc_grammar
    else
        echo "skipped: the reference of Python needs the packages gcc-grammar and pdoc"
    fi
fi
python3 docs/site.py check "$site"
echo PASSED

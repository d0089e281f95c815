#!/usr/bin/env bash
# Packs everything that is published, in the order in which it can be published, and looks into each archive.
#
#   packages.sh             packs the crates: licences, notice, README, and what the registry shows. Nothing is built
#   packages.sh --dry-run   does all of publishing but the upload, and packs the source of the Python package and the npm package
#   packages.sh --verify    the same, and builds each crate from its archive
#   packages.sh --publish   publishes the crates. Needs a clean work tree, and an address of the repository in Cargo.toml
#
# The last line is the verdict.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
mode=${1:-}

fail() {
    echo "FAILED: $1"
    exit 1
}

# A crate that says `publish = false` is for this repository only.
private=()
for manifest in $(git ls-files '*Cargo.toml'); do
    if grep -q '^publish = false' "$manifest" && ! grep -q '^\[workspace\]' "$manifest"; then
        private+=(--exclude "$(sed -n 's/^name = "\(.*\)"/\1/p' "$manifest" | head -1)")
    fi
done

# Looks for the files in a list of names that every archive has.
has_licences() { # ARCHIVE NAMES
    for file in LICENSE-MIT LICENSE-APACHE NOTICE README.md; do
        grep -q "^[^/]*/$file\$" <<<"$2" || fail "$1 lacks $file"
    done
}

check_crate() { # ARCHIVE
    local manifest
    has_licences "$1" "$(tar -tzf "$1")"
    manifest=$(tar -xzOf "$1" "$(basename "$1" .crate)/Cargo.toml")
    for field in description license readme keywords categories authors rust-version; do
        grep -q "^$field = " <<<"$manifest" || fail "$1 has no $field"
    done
    # What is not published cannot be a dependency of what is.
    ! grep -q '^\[.*dependencies\.gcc-grammar-\(random\|tests\)\]' <<<"$manifest" || fail "$1 needs a crate that is not published"
}

pack_others() {
    if command -v maturin >/dev/null; then
        maturin sdist --manifest-path bindings/python/Cargo.toml --out "$target/package/python" 2>/dev/null
        for archive in "$target"/package/python/*.tar.gz; do
            has_licences "$archive" "$(tar -tzf "$archive" | sed 's|/bindings/python/|/|')"
        done
    else
        echo "skipped: maturin is not installed, so the source of the Python package is not packed"
    fi
    if [ -f bindings/wasm/package/compiler.wasm ] && command -v npm >/dev/null; then
        names=$(npm pack ./bindings/wasm/package --dry-run --json | sed -n 's/.*"path": "\(.*\)",/package\/\1/p')
        has_licences "the npm package" "$names"
    else
        echo "skipped: the npm package was not built (bindings/wasm/build.sh), or there is no npm"
    fi
}

# Publishes all crates but for the upload, and packs what is not a crate.
dry_run() { # OPTIONS
    cargo publish --workspace --dry-run --locked --allow-dirty "$@" 2>&1 | grep -E '^ *Uploading|^error' || fail "the crates cannot be published"
    pack_others
}

case $mode in
    "" | --dry-run | --verify)
        rm -rf "$target/package"
        cargo package --workspace "${private[@]}" --no-verify --offline --allow-dirty --quiet
        count=0
        for archive in "$target"/package/*.crate; do
            check_crate "$archive"
            count=$((count + 1))
        done
        [ "$mode" = --dry-run ] && dry_run --no-verify
        [ "$mode" = --verify ] && dry_run
        echo "$count archives have their licences and descriptions: PASSED"
        ;;
    --publish)
        grep -q '^repository = ' Cargo.toml || fail "Cargo.toml has no repository in [workspace.package]: set it, and homepage, first"
        # Cargo sorts the crates, waits for each to appear in the registry, and leaves out those that are not published.
        cargo publish --workspace --locked
        echo "published: PASSED"
        ;;
    *) fail "unknown argument $mode: see the head of this script" ;;
esac

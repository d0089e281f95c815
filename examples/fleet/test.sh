#!/bin/sh
# Runs the Ray job in local mode with two workers, the Makefile, and GNU parallel where there is one, with the gcc-grammar on the PATH; validates the manifest.
# PYTHON is a Python with the packages ray[data] and kubernetes-validate. Ends with PASSED.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
i=0
while [ $i -lt 40 ]; do
    echo "{\"id\": $i, \"schema\": {\"type\": \"object\", \"properties\": {\"p$i\": {\"type\": \"integer\"}}}}"
    i=$((i + 1))
done > list.jsonl

count() { grep -c "\"status\":\"$1\"" || true; }

RAY_ADDRESS=local RAY_OVERRIDE_JOB_RUNTIME_ENV=1 "$python" - <<RUN
import runpy, sys
import ray
ray.init(num_cpus=2, include_dashboard=False)
sys.argv = ["ray_job.py", "$work/list.jsonl", "--vocab", "llama3", "--store", "$work/store", "--parts", "4", "--report", "$work/ray.jsonl"]
runpy.run_path("$here/ray_job.py", run_name="__main__")
RUN
[ "$(count compiled < ray.jsonl)" = 40 ]

make -j 2 -f "$here/Makefile" PARTS=3 LIST=list.jsonl STORE=store
[ "$(cat report.*.jsonl | count present)" = 40 ]
[ "$(find store -name '*.gcg' | wc -l)" -eq 40 ]

if parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    seq 0 3 | parallel --jobs 2 gcc-grammar batch list.jsonl --vocab llama3 --store parallel --jobs 1 --shard {}/4 '>' parallel.{}.jsonl
    [ "$(cat parallel.*.jsonl | count compiled)" = 40 ]
    [ "$(find parallel -name '*.gcg' | wc -l)" -eq 40 ]
else
    echo "skipped: GNU parallel is not installed"
fi

"$(dirname "$("$python" -c 'import sys; print(sys.executable)')")/kubernetes-validate" "$here/kubernetes_job.yaml"
echo PASSED

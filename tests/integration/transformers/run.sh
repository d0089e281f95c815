#!/usr/bin/env bash
# Generates with transformers and a real model: a batch with a grammar for each row, beams, sampling. Called by ../run.sh.
# Needs 8 GB of disk, because PyTorch comes with the libraries of CUDA.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common/environment.sh"
packages() { "$VENV/bin/pip" install -q torch==2.13.0 transformers==5.24.0 xgrammar==0.2.9 gguf accelerate; }
environment transformers packages
package
model
# Threads that wait sleep instead of spinning, so that other work on the machine does not stop the model.
export OMP_WAIT_POLICY=passive
exec "$VENV/bin/python" "$ROOT/tests/integration/transformers/run.py" "$@"

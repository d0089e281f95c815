#!/usr/bin/env bash
# Generates with transformers and a real model: a batch with a grammar for each row, beams, sampling.
# Needs 8 GB of disk, because PyTorch comes with the libraries of CUDA.
set -euo pipefail
. "$(dirname "$0")/../common/environment.sh"
packages() { "$VENV/bin/pip" install -q torch==2.13.0 "transformers>=5.16.1,<5.20" gguf accelerate; }
environment transformers packages
model
export HF_HUB_OFFLINE=1
exec python "$repository/tests/integration/transformers/run.py"

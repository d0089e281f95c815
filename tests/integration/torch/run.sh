#!/usr/bin/env bash
# Tests masks by number with PyTorch and Triton, on the processor:
#   - plain operations of PyTorch on 100,000 random states beside dense rows, and the Triton kernel in Triton's interpreter;
#   - the Triton kernel is compiled for NVIDIA processors of compute capability 8.0, 9.0 and 10.0, which needs no such processor.
# Where there is a CUDA device, the same tests run on it, too. The last line is the verdict.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common/environment.sh"

packages() { "$VENV/bin/pip" install -q pytest torch; }
environment torch packages
package
status=0
cd "$ROOT/bindings/python"
OMP_NUM_THREADS=1 TRITON_INTERPRET=1 "$VENV/bin/python" -m pytest -q -rs -p no:cacheprovider tests/test_torch.py || status=1
"$VENV/bin/python" "$ROOT/tests/integration/torch/compile_kernel.py" || status=1
if "$VENV/bin/python" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())'; then
    "$VENV/bin/python" -m pytest -q -rs -p no:cacheprovider tests/test_torch.py || status=1
else
    echo "there is no CUDA device: the kernel did not run on one, and its speed was not measured"
fi
[ "$status" = 0 ] && echo "torch: all right" || echo "torch: FAILED"
exit "$status"

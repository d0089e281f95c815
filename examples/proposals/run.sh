#!/usr/bin/env bash
# Trains the model of the example, distills the hidden Markov models, and prints the tables. Needs PyTorch, transformers and gcc-grammar; the
# plots need matplotlib. Everything is made in FOLDER, by default ./results. One thread is as fast as two for so small a model.
set -euo pipefail
cd "$(dirname "$0")"
folder="${1:-results}"
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"
python -W ignore train.py "$folder"
python -W ignore evaluate.py "$folder" | tee "$folder/tables.md"
python -W ignore plots.py "$folder" "$folder"

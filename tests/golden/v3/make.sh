#!/usr/bin/env bash
# Made the files of this folder, once, with the version that first wrote model files of version 3.
# A later version adds a folder of its own: files here are never made anew.
#   make.sh PULSECAST
set -euo pipefail
cd "$(dirname "$0")"
pulsecast=$1
tiny=(--quiet --known c3 --lookback 24 --horizon 12 --epochs 2 --hidden 8 --time-width-min 1 --time-kernel 3
  --router-width 4 --width 4 --heads 2 --layers 1 --feed-forward 4 --backbone-patch 8 --backbone-stride 4
  --top-periods 2 --threads 1)

model() { # NAME SETTING...
  "$pulsecast" train ../v3.csv "${tiny[@]}" --out "$1.model" "${@:2}" || [ $? -eq 1 ]
  rm "$1.model.log.csv"
  "$pulsecast" forecast "$1.model" ../v3.csv --quiet --components --out "$1.forecast.csv"
}

for backbone in mlp dlinear sparsetsf cyclenet itransformer patchtst timexer timesnet; do
  model "pulse-$backbone" --backbone "$backbone"
  [ "$backbone" = mlp ] || model "$backbone" --model "$backbone"
done
model no-anchor --no-anchor
model no-router --no-router
model refit --refit
model reference-order --codebook-order reference --phase row

# A training stopped in its third epoch.
"$pulsecast" train ../v3.csv "${tiny[@]}" --epochs 100000 --patience 100000 --checkpoint-seconds 0 --out stopped.model &
until [ -f stopped.model.log.csv ] && [ "$(wc -l <stopped.model.log.csv)" -ge 3 ]; do sleep 0.01; done
kill -INT $! && wait $! || [ $? -eq 130 ]
mv stopped.model.checkpoint checkpoint
rm stopped.model.log.csv

# A study: its records, and the errors of its windows.
"$pulsecast" benchmark study.toml --quiet >/dev/null
rm -r study/report.* study/unfinished study/lock 2>/dev/null || true

#!/usr/bin/env bash
# Builds the app into frontend/dist, which the binary embeds. Does nothing when the sources are unchanged.
source "$(dirname "$0")/environment.sh"

built=frontend/dist/index.html
if [ -f "$built" ] && [ -z "$(find frontend -path frontend/node_modules -prune -o -path frontend/dist -prune -o -type f -newer "$built" -print -quit)" ]; then
  exit 0
fi
say "building the app"
(cd frontend && npm run --silent build)

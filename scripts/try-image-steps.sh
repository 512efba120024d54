#!/usr/bin/env bash
# Does what the Dockerfile does, on this machine and without Docker, in a folder of its own: builds from what
# .dockerignore lets in, starts the result without a configuration (it must list what is missing and exit with 78), then
# against the sandbox's Slack and service.
set -euo pipefail

repository=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/build" "$work/image"

# Usage: step <command…>: what the Dockerfile runs to build.
step() {
  echo "== build: $*"
  (cd "$work/build" && "$@")
}

cd "$repository"
git ls-files --cached --ignored --exclude-from=.dockerignore >"$work/left-out"
git ls-files | grep --line-regexp --invert-match --fixed-strings --file="$work/left-out" >"$work/context"
tar --create --files-from="$work/context" | tar --extract --directory="$work/build"

# `npm ci` was run here from the same lock file, and costs half a minute. npm writes this one file in place, which links share.
cp --archive --link node_modules "$work/build" 2>"$work/no-links" || cp --archive node_modules "$work/build"
rm --force "$work/build/node_modules/.package-lock.json"
step npm run build
step npm prune --omit=dev

cp "$work/build/package.json" "$work/image"
mv "$work/build/node_modules" "$work/build/dist" "$work/image"

echo '== image: starts without a configuration'
code=0
said=$(cd "$work/image" && env -i PATH="$PATH" node dist/main.js 2>&1) || code=$?
echo "$said"
if [ "$code" != 78 ] || ! grep --quiet 'SLACK_BOT_TOKEN is missing' <<<"$said"; then
  echo "It should have listed what is missing and exited with 78, not with $code." >&2
  exit 1
fi

echo '== image: starts against the sandbox'
npx tsx scripts/start-image.ts "$work/image"
echo 'The steps of the image work.'

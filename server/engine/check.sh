#!/usr/bin/env bash
# Rebuilds the engine and compares: the hash where the compiler packages are those of the record, the conformance vectors
# elsewhere. Reasons outside of this project (no compiler, no crates, no time) end the check without a failure.
#
#   check.sh [--install]   with --install missing packages are installed, if this is Debian and root
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
fresh=$root/out/engine/llguidance.wasm
most_seconds=${ENGINE_CHECK_SECONDS:-480}

skip() {
  echo "The engine was not rebuilt: $1 The committed file is tested as it is."
  exit 0
}

recorded=$(grep -E '^(rustc-web|cargo-web|rust-web-src|lld-[0-9]+) ' "$here/llguidance.wasm.buildinfo" | sort)
install=()
if ! grep -q '^rustc-web ' <<<"$("$here/packages.sh")"; then
  [ "${1:-}" = --install ] || skip 'the compiler is not installed.'
  command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ] || skip 'the compiler can be installed by root on Debian only.'
  install=(--install)
fi

mkdir -p "$(dirname "$fresh")"
timeout --kill-after=10 "$most_seconds" "$here/build.sh" "${install[@]}" --keep-record "$fresh"
status=$?
case $status in
  0) ;;
  124 | 137) skip "it took more than $most_seconds seconds." ;;
  3) skip 'something that the build needs is missing.' ;;
  *)
    # A build without network and one that is broken end alike; only the first is no fault of this project.
    if [ -n "$("$here/packages.sh" | grep '^rustc-web ')" ] && (cd "$here/crate" && "${ENGINE_CARGO:-/usr/bin/cargo}" fetch --quiet --locked); then
      echo 'The engine does not build from the committed sources.'
      exit 1
    fi
    skip 'packages or crates could not be had.'
    ;;
esac

if [ "$("$here/packages.sh" | grep -E "^($(cut -d' ' -f1 <<<"$recorded" | paste -sd'|')) ")" = "$recorded" ]; then
  if cmp -s "$fresh" "$here/llguidance.wasm"; then
    echo 'The rebuilt engine is the committed one, byte for byte.'
    exit 0
  fi
  echo 'The rebuilt engine differs from the committed one, although the compiler packages are those of the record.'
  exit 1
fi
echo 'The compiler packages are not those of the record, so the fresh build is held against the vectors.'
cd "$root" && TOOLSPEC_ENGINE=$fresh npx vitest run test/conformance/llguidanceEngine.test.ts --reporter=dot

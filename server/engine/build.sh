#!/usr/bin/env bash
# Builds llguidance.wasm, the provider's grammar engine behind a plain C ABI. See README.md.
#
#   build.sh [--install] [--keep-record] [OUT.wasm]
#
# --install      installs the Debian packages first (root; a download of about 150 MB).
# --keep-record  writes OUT.wasm alone; without it OUT.wasm.buildinfo and OUT.licenses.txt are written too.
#
# The result is a function of the sources, Cargo.lock and the compiler packages. Folders do not matter.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
install=false record=true out=$here/llguidance.wasm
for argument in "$@"; do
  case $argument in
    --install) install=true ;;
    --keep-record) record=false ;;
    -*) echo "There is no option $argument." >&2; exit 2 ;;
    *) out=$(realpath -m "$argument") ;;
  esac
done

if $install; then
  if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
    echo 'Packages are installed only on Debian and only by root.' >&2
    exit 3
  fi
  apt-get update -qq || exit 3
  # The linker must be of the LLVM that this compiler is built on, which its library's dependency names.
  std=$(apt-cache depends libstd-rust-web-dev | sed -n 's/.*Depends: libstd-rust-web-\([0-9.]*\)$/\1/p' | head -1)
  llvm=$(apt-cache show --no-all-versions "libstd-rust-web-$std" | sed -n 's/^Depends:.*libllvm\([0-9]*\).*/\1/p' | head -1)
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    rustc-web cargo-web rust-web-src "lld-$llvm" >/dev/null || exit 3
fi

# Debian's compiler, or the one that these variables name.
rustc=${ENGINE_RUSTC:-/usr/bin/rustc}
cargo=${ENGINE_CARGO:-/usr/bin/cargo}
linker=${ENGINE_WASM_LD:-$(ls /usr/bin/wasm-ld-* 2>/dev/null | sort -V | tail -1)}
library=$("$rustc" --print sysroot 2>/dev/null || true)/lib/rustlib/src/rust
missing=
command -v "$rustc" >/dev/null || missing+=" rustc"
command -v "$cargo" >/dev/null || missing+=" cargo"
[ -n "$linker" ] && command -v "$linker" >/dev/null || missing+=" wasm-ld"
[ -f "$library/library/Cargo.lock" ] || missing+=" the-source-of-the-standard-library"
if [ -n "$missing" ]; then
  cat >&2 <<END
Building the engine needs:$missing.
On Debian 12, root gets all of it with \`npm run build:engine -- --install\`.
Elsewhere: Rust 1.87 or newer with the source of its standard library (\`rustup component add rust-src\`) and LLVM's
wasm-ld of the same LLVM version, named by the variables ENGINE_RUSTC, ENGINE_CARGO and ENGINE_WASM_LD (the rustc of the
toolchain itself, not the one of rustup). The result then differs from the committed file, byte for byte, but not in
what it does.
END
  exit 3
fi

stack=$((8 * 1024 * 1024))   # The stack in linear memory, which lies first: its overflow is a trap.
initial=$((9 * 1024 * 1024)) # Stack and data. The host must give that much (INITIAL_PAGES in the host's code).
target=$root/out/engine/target
cargo_home=${CARGO_HOME:-$HOME/.cargo}
cd "$here/crate"
# No flags of the user's, no rustup. RUSTC_BOOTSTRAP lets a stable compiler build its own standard library, for Debian
# has none for wasm32.
env -u RUSTUP_TOOLCHAIN -u CARGO_ENCODED_RUSTFLAGS -u RUSTC_WRAPPER \
  RUSTC="$rustc" RUSTC_BOOTSTRAP=1 CARGO_INCREMENTAL=0 \
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$linker" \
  RUSTFLAGS="--remap-path-prefix=$cargo_home/registry/src=/crates --remap-path-prefix=$here=/engine --remap-path-prefix=$library=/rust" \
  "$cargo" build --quiet --release --locked --lib --target wasm32-unknown-unknown \
  -Zbuild-std=std,panic_abort --target-dir "$target"

exports=$(grep -oE 'extern "C" fn engine_[a-z_]+' src/lib.rs | sed 's/.* /--export=/' | sort -u)
mkdir -p "$(dirname "$out")"
# shellcheck disable=SC2086 # One argument per function.
"$linker" --no-entry --gc-sections --import-memory --stack-first -z stack-size=$stack \
  --initial-memory=$initial --strip-all -O2 $exports \
  "$target/wasm32-unknown-unknown/release/libprovider_engine.a" -o "$out"
chmod 644 "$out"

if $record; then
  {
    echo "sha256 $(sha256sum <"$out" | cut -d' ' -f1)"
    echo "bytes $(stat -c %s "$out")"
    echo "sources $(node "$here/sources.mjs")"
    echo "llguidance $(sed -n '/^name = "llguidance"$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)"
    "$here/packages.sh"
  } >"$out.buildinfo"
  RUSTC="$rustc" CARGO="$cargo" node "$here/licenses.mjs" "$library" >"${out%.wasm}.licenses.txt"
  cat "$out.buildinfo"
else
  sha256sum "$out"
fi

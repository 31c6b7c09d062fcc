#!/usr/bin/env bash
# The compiler packages of this machine, one `name version` a line. Prints nothing where dpkg or the packages are not.
set -uo pipefail
# shellcheck disable=SC2016 # These are fields of dpkg's.
dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}\n' rustc-web cargo-web rust-web-src 'lld-[0-9]*' 2>/dev/null |
  awk '$1 == "installed" { print $2, $3 }' | sort

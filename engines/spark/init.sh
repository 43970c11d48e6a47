#!/bin/sh
# Gives a machine of a Spark cluster what it needs to hash: the Python package urlsum, with the Node it depends on.
# Then it hashes a URL, so that a machine that cannot fails here and not in a job.
#
#     init.sh [PACKAGE]    a wheel or a folder: a path, s3://… or gs://…; default $URLSUM_PACKAGE
#
# URLSUM_PYTHON: the Python of Spark's workers; default python3.
set -eu
python=${URLSUM_PYTHON:-python3}
package=${1:-${URLSUM_PACKAGE:?is the path of the wheel of urlsum}}
fetched=$(mktemp -d)
trap 'rm -rf "$fetched"' EXIT

case $package in
  s3://*) aws s3 cp "$package" "$fetched/" ;;
  gs://*) gcloud storage cp "$package" "$fetched/" ;;
esac
case $package in
  *://*) package=$fetched/${package##*/} ;;
esac

# Such a machine has no other use for its Python than Spark's.
export PIP_BREAK_SYSTEM_PACKAGES=1
"$python" -m pip install --quiet "$package"
# From a folder without anything that could be imported by mistake.
cd "$fetched"
"$python" - <<'END'
import urlsum

with urlsum.UrlHasher(width=8) as hasher:
    [answer] = hasher.hash(["https://example.com"]).to_pylist()
assert answer == bytes.fromhex("0f115db062b7c0dd"), answer
print(f"urlsum {urlsum.__version__} hashes here, profile {urlsum.PROFILE}")
END

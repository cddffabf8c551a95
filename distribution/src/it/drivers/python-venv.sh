# A virtual environment with the given packages in $SUITE_DIR/venv; sourced by the Python suites.
if [ ! -f "$SUITE_DIR/venv/.complete" ]; then
  mkdir -p "$SUITE_DIR"
  python3 -m venv "$SUITE_DIR/venv" && "$SUITE_DIR/venv/bin/pip" install -q "${packages[@]}" >&2 || exit 1
  touch "$SUITE_DIR/venv/.complete"
fi
python=$SUITE_DIR/venv/bin/python

# The source distribution of a package, unpacked below $SUITE_DIR/NAME: it has the package's own tests.
source_of() { # package version
  local into=$SUITE_DIR/source
  if [ ! -d "$SUITE_DIR/$1" ]; then
    rm -rf "$into"
    mkdir -p "$into"
    "$SUITE_DIR/venv/bin/pip" download -q --no-deps --no-binary "$1" "$1==$2" -d "$into" >&2 || exit 1
    mkdir "$SUITE_DIR/$1"
    tar -xzf "$into"/*.tar.gz -C "$SUITE_DIR/$1" --strip-components=1
  fi
}

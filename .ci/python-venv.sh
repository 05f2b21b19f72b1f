# What .ci/clients/run and .ci/docs/site share; sourced. Packages of Python, pinned by hashes, are kept in
# the user's cache folder, and installed anew when the pins or the Python change.

. "$(dirname -- "${BASH_SOURCE[0]}")/steps.sh"

usable() { # python
  "$1" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null
}

find_python() {
  local candidate
  for candidate in python3 /usr/bin/python3; do
    if usable "$candidate"; then
      python=$(command -v "$candidate")
      return
    fi
  done
  can_install || cannot 'there is no Python from 3.10 with venv, and only root may install one'
  apt_install python3 python3-venv
  python=/usr/bin/python3
}

# Sets $venv to an environment with what the requirements.txt beside the script pins.
install_packages() { # layer, folder of requirements.txt, what it has
  local stamp cache=${XDG_CACHE_HOME:-$HOME/.cache}/tidemark/$1
  layer=$1
  mkdir -p "$cache"
  exec 8>"$cache/lock"
  flock 8
  find_python
  venv=$cache/venv
  stamp="$(sha256sum <"$2/requirements.txt") $("$python" -VV | tr '\n' ' ') $python"
  if [ "$(cat "$venv/stamp" 2>/dev/null)" != "$stamp" ]; then
    step "pip install of $3 into $venv"
    rm -rf -- "$venv"
    "$python" -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
      --require-hashes --only-binary :all: --requirement "$2/requirements.txt"
    printf '%s\n' "$stamp" >"$venv/stamp"
  fi
  flock --unlock 8
}

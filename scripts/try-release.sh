#!/usr/bin/env bash
# Starts a release tar in an otherwise empty chroot: libc, a shell, /dev/null, /dev/urandom and /proc.
source "$(dirname "$0")/environment.sh"

tar=$(realpath "${1:?usage: scripts/try-release.sh TAR}")
[ "$(id -u)" = 0 ] || die "a chroot takes root"
empty=$(mktemp -d "${TMPDIR:-/tmp}/dugout-empty.XXXXXX")
server=
cleanup() {
  if [ -n "$server" ]; then
    kill -KILL "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$empty"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

chmod 755 "$empty"
mkdir -p "$empty"/{bin,dev,etc,tmp,opt,proc}
chmod 1777 "$empty/tmp"
mknod -m 666 "$empty/dev/null" c 1 3
mknod -m 666 "$empty/dev/urandom" c 1 9
printf 'root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n' >"$empty/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' >"$empty/etc/group"
tar -xzf "$tar" -C "$empty/opt"
dugout=$(cd "$empty" && echo opt/dugout-*)
cp /bin/sh "$empty/bin/sh"

# Only libraries of glibc (and libgcc, which glibc loads) are copied; the tar must contain everything else.
libraries=$(for program in /bin/sh "$empty/$dugout/dugout" "$empty/$dugout"/postgres/bin/*; do ldd "$program"; done |
  sed -nE 's/.*=> (\/[^ ]+) .*/\1/p; s/^[[:space:]]*(\/[^ ]+) .*/\1/p' | sort -u)
for library in $libraries; do
  case $library in
    "$empty"/*) ;;
    */libc.so.* | */libm.so.* | */libdl.so.* | */librt.so.* | */libpthread.so.* | */libresolv.so.* | */ld-linux* | */libgcc_s.so.*)
      mkdir -p "$empty$(dirname "$library")"
      cp -L "$library" "$empty$library"
      ;;
    *) die "the release needs $library, which is not part of glibc" ;;
  esac
done

port=$((20000 + RANDOM % 20000))
# An own mount namespace: /proc is mounted for the server, and unmounted with it. Every `exec` keeps the pid.
# shellcheck disable=SC2016 # the inner shell expands these
unshare --mount --propagation private sh -c 'mount --bind /proc "$1/proc" && exec chroot "$1" "$2" start --port "$3" --data-dir /opt/data' \
  sh "$empty" "/$dugout/dugout" "$port" >"$empty/log" 2>&1 &
server=$!
for _ in $(seq 300); do
  kill -0 "$server" 2>/dev/null || die "it ended: $(cat "$empty/log")"
  if healthy "$port"; then
    printf 'it answers on port %s, %s s after the start\n' "$port" "$SECONDS"
    kill -TERM "$server"
    wait "$server" || die "it did not stop well: $(cat "$empty/log")"
    server=
    exit 0
  fi
  sleep 0.1
done
die "no answer within 30 s: $(cat "$empty/log")"

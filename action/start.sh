#!/usr/bin/env bash
# What action.yml runs: gets the emulator, starts it, waits until it answers, and writes the outputs. It needs bash, and
# curl for a release. Every input is an environment variable, never part of a command.
set -euo pipefail

folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/sandbox-emulator.XXXXXX")
fail() {
  printf '::error title=sandbox-emulator::%s\n' "$1"
  exit 1
}

# macOS has another program for it.
digests() { if command -v sha256sum > /dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

# A release has the executable packed, and the digests of all of its files.
release() {
  local name version=${EMULATOR_VERSION#v} from
  case $(uname -sm) in
    'Linux x86_64') name=sandbox-emulator-linux-x64 ;;
    'Linux aarch64') name=sandbox-emulator-linux-arm64 ;;
    'Darwin arm64') name=sandbox-emulator-macos-arm64 ;;
    'Darwin x86_64') name=sandbox-emulator-macos-x64 ;;
    *) fail "the action has an executable for Linux and macOS on x64 and arm64; this is $(uname -sm): set from: npm" ;;
  esac
  local repository=${EMULATOR_REPOSITORY:-${GITHUB_REPOSITORY:-}}
  from=${EMULATOR_RELEASES:-${GITHUB_SERVER_URL:-https://github.com}/$repository/releases}
  case $version in latest) from=$from/latest/download ;; *) from=$from/download/v$version ;; esac
  for file in "$name.gz" SHA256SUMS; do
    curl -fsSL --retry 3 -o "$folder/$file" "$from/$file" || fail "cannot get $from/$file"
  done
  (cd "$folder" && grep " $name.gz\$" SHA256SUMS | digests -c --status -) || fail "$name.gz is not what its release says"
  gunzip -c "$folder/$name.gz" > "$folder/sandbox-emulator"
  chmod +x "$folder/sandbox-emulator"
}

case $EMULATOR_FROM in
  release) release && command=("$folder/sandbox-emulator") ;;
  npm) command=(npx --yes "sandbox-emulator@${EMULATOR_VERSION#v}") ;;
  *)
    [ -x "$EMULATOR_FROM" ] || fail "from must be release, npm or an executable, not $EMULATOR_FROM"
    command=("$EMULATOR_FROM")
    ;;
esac

flags=(--json --log off --port "$EMULATOR_PORT" --profile "$EMULATOR_PROFILE")
while IFS= read -r each; do [ -z "$each" ] || flags+=(--scenario "$each"); done <<< "$EMULATOR_SCENARIO"
[ -z "$EMULATOR_SEED" ] || flags+=(--seed "$EMULATOR_SEED")
[ -z "$EMULATOR_WEBHOOK_URL" ] || flags+=(--webhook-url "$EMULATOR_WEBHOOK_URL")
[ -z "$EMULATOR_STATE" ] || flags+=(--state "$EMULATOR_STATE")
while IFS= read -r each; do [ -z "$each" ] || flags+=("$each"); done <<< "$EMULATOR_FLAGS"

: > "$folder/out"
nohup "${command[@]}" "${flags[@]}" < /dev/null > "$folder/out" 2> "$folder/err" &
child=$!
# Its first line comes when everything is seeded and answers.
for ((tries = 0; ; tries += 1)); do
  ready=$(head -n 1 "$folder/out")
  [ -z "$ready" ] || break
  kill -0 "$child" 2> /dev/null || fail "it ended before it was ready: $(head -c 2000 "$folder/err" | tr '\n' ' ')"
  [ "$tries" -lt 600 ] || fail 'it was not ready within a minute'
  sleep 0.1
done

# A text keeps its escapes for line breaks.
field() { sed -E "s/.*\"$1\":(\"(([^\"\\\\]|\\\\.)*)\"|([0-9]+)).*/\2\4/; s/\\\\([\"\\\\])/\1/g" <<< "$ready"; }
{
  printf 'url=%s\n' "$(field url)"
  printf 'base-url=%s\n' "$(field baseUrl)"
  printf 'credentials=%s:%s\n' "$(field id)" "$(field secret)"
  printf 'pid=%s\n' "$(field pid)"
  printf 'webhook-public-key<<END-OF-KEY\n%b\nEND-OF-KEY\n' "$(field webhookPublicKey | sed -E 's/(\\n)+$//')"
} >> "$GITHUB_OUTPUT"
printf 'sandbox-emulator answers at %s\n' "$(field url)"

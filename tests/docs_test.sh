#!/usr/bin/env bash
# The documentation agrees with the program and with itself.
#   usage: tests/docs_test.sh PATH_OF_GRIDLOCK
# - relative links lead to files that exist, and their #anchors to headings
# - every option that --help lists stands in docs/reference/command_line.md
set -euo pipefail
gridlock=$(realpath "$1")
cd "$(dirname "$0")/.."
failures=0
fail() {
  echo "docs_test: $*" >&2
  failures=$((failures + 1))
}

# The anchors of a page, as GitHub makes them of its headings.
anchors() {
  # shellcheck disable=SC2016 # backticks of Markdown
  sed -n '/^```/,/^```$/!s/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

while IFS= read -r page; do
  while IFS= read -r link; do
    [[ $link == *://* ]] && continue
    target=${link%%#*}
    file=$page
    [[ -n $target ]] && file=$(dirname "$page")/$target
    if [[ ! -e $file ]]; then
      fail "$page links to $link, which does not exist"
    elif [[ $link == *#* ]] && ! anchors "$file" | grep -qxF -- "${link#*#}"; then
      fail "$page links to $link, but $file has no such heading"
    fi
  done < <(grep -oE '\]\([^) ]+\)' "$page" | sed 's/^](//; s/)$//')
done < <(find README.md docs -name '*.md' | sort)

commands=$("$gridlock" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
for command in $commands; do
  for option in $("$gridlock" "$command" --help | grep -oE '^  (-[a-z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
    grep -qrF -- "$option" docs/reference || fail "docs/reference does not explain $option of gridlock $command"
  done
done

[[ $failures -eq 0 ]] && echo "docs_test: ok"
exit $((failures > 0))

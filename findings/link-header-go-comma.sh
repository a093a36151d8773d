#!/bin/sh
# Link headers in Go: a comma in a URL is deleted by one library and hides the link from another.
#
# Version:   peterhellberg/link v1.2.0, tomnomnom/linkheader v0.0.0-20250811210735-e5fe3b51442e
# Date:      2026-11-28
# Behaviour: For `<https://api.example/posts?ids=1,2&page=2>; rel="next"`, peterhellberg/link returns the URL with
#            `ids=12`. linkheader returns no link at all. A title with a comma costs linkheader the relation, and
#            peterhellberg/link cuts it.
# Guess:     The URL between `<` and `>` as it is: a comma is a legal character of URLs (RFC 3986 §2.2) and does not end
#            a link-value inside of them or inside a quoted string (RFC 8288 §3, appendix B.2).
# Matters:   The next page has other rows than the client asks for, without an error; or the client stops after page
#            one.
#
# Usage: sh link-header-go-comma.sh    (needs Go)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> <https://api.example/posts?ids=1,2&page=2>; rel="next"
#>   peterhellberg/link: rel "next", https://api.example/posts?ids=12&page=2, ""
#>   linkheader:         nothing
#> <https://api.example/posts?page=2>; title="Page 2, of 9"; rel="next"
#>   peterhellberg/link: rel "next", https://api.example/posts?page=2, "Page 2 of 9"
#>   linkheader:         rel "", https://api.example/posts?page=2, "Page 2"
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

cat > main.go <<'SCRIPT'
package main

import (
	"fmt"

	"github.com/peterhellberg/link"
	"github.com/tomnomnom/linkheader"
)

func main() {
	for _, header := range []string{
		`<https://api.example/posts?ids=1,2&page=2>; rel="next"`,
		`<https://api.example/posts?page=2>; title="Page 2, of 9"; rel="next"`,
	} {
		fmt.Println(header)
		for _, l := range link.Parse(header) {
			fmt.Printf("  peterhellberg/link: rel %q, %s, %q\n", l.Rel, l.URI, l.Extra["title"])
		}
		found := linkheader.Parse(header)
		for _, l := range found {
			fmt.Printf("  linkheader:         rel %q, %s, %q\n", l.Rel, l.URL, l.Params["title"])
		}
		if len(found) == 0 {
			fmt.Println("  linkheader:         nothing")
		}
	}
}
SCRIPT
{
  go mod init show
  go get github.com/peterhellberg/link@v1.2.0 github.com/tomnomnom/linkheader@v0.0.0-20250811210735-e5fe3b51442e
} > log 2>&1 || { cat log >&2; exit 2; }
go run . > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi

#!/bin/sh
# Prometheus clients: the same counter has three combinations of names in two libraries and two formats.
#
# Version:   prom-client 15.1.3, prometheus_client 0.26.0 (Python)
# Date:      2026-11-28
# Behaviour: A counter is made with the name `posts`. prom-client calls it `posts` in the text format, and `posts_total`
#            in OpenMetrics. The Python client calls it `posts_total` in both, and adds `posts_created`. A counter
#            `jobs_total` has that name everywhere.
# Guess:     One name: the given one, as it is a metric's identity.
# Matters:   Dashboards and alerts go silent, without an error, when a Node service changes the content type of its
#            registry, or when a service in Python takes the place of one in Node. Names that end in `_total` from the
#            start avoid it.
#
# Usage: sh prometheus-counter-name.sh    (needs npm, Node and Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> prom-client, text: posts, jobs_total
#> prom-client, OpenMetrics: posts_total, jobs_total
#> prometheus_client, text: posts_total, posts_created, jobs_total, jobs_created
#> prometheus_client, OpenMetrics: posts_total, posts_created, jobs_total, jobs_created
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact prom-client@15.1.3 || exit 2
python3 -m venv venv
venv/bin/pip install --quiet prometheus_client==0.26.0 || exit 2

cat > show.js <<'SCRIPT'
import { Counter, openMetricsContentType, prometheusContentType, Registry } from 'prom-client';

for (const [format, type] of Object.entries({ text: prometheusContentType, OpenMetrics: openMetricsContentType })) {
  const registry = new Registry(type);
  for (const name of ['posts', 'jobs_total']) new Counter({ name, help: 'Help', registers: [registry] }).inc();
  const names = (await registry.metrics()).split('\n').filter((line) => /^\w/.test(line));
  console.log(`prom-client, ${format}: ${names.map((line) => line.split(' ')[0]).join(', ')}`);
}
SCRIPT
cat > show.py <<'SCRIPT'
from prometheus_client import CollectorRegistry, Counter, generate_latest
from prometheus_client.openmetrics.exposition import generate_latest as generate_openmetrics

registry = CollectorRegistry()
for name in ("posts", "jobs_total"):
    Counter(name, "Help", registry=registry).inc()
for form, text in (("text", generate_latest(registry)), ("OpenMetrics", generate_openmetrics(registry))):
    names = [line.split(" ")[0] for line in text.decode().splitlines() if not line.startswith("#")]
    print(f"prometheus_client, {form}: {', '.join(names)}")
SCRIPT
{ node show.js && venv/bin/python show.py; } > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi

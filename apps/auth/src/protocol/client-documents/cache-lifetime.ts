/** How long a document is fresh, by the headers of its response (RFC 9111 §4.2) and within bounds. */
import type { FetchedResponse } from '@linnet/media/fetch/public-document';

const minSeconds = 5 * 60;
const maxSeconds = 24 * 60 * 60;
const defaultSeconds = 60 * 60;

type Headers = FetchedResponse['headers'];

/** Seconds, from 5 minutes to 24 hours; one hour if the headers do not say. */
export function findFreshSeconds(headers: Headers, now: () => number = Date.now): number {
  return Math.min(maxSeconds, Math.max(minSeconds, findGivenSeconds(headers, now) ?? defaultSeconds));
}

function findGivenSeconds(headers: Headers, now: () => number): number | undefined {
  const directives = textOf(headers, 'cache-control')
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim());
  if (directives.some((directive) => /^(?:no-store|no-cache|private)(?:=|$)/.test(directive))) return 0;
  const ageText = textOf(headers, 'age');
  const age = /^\d{1,9}$/.test(ageText) ? Number(ageText) : 0;
  for (const name of ['s-maxage', 'max-age']) {
    const seconds = directives.map((directive) => new RegExp(`^${name}="?(\\d{1,9})"?$`).exec(directive)?.[1]);
    const given = seconds.find((text) => text !== undefined);
    if (given !== undefined) return Number(given) - age;
  }
  const expires = Date.parse(textOf(headers, 'expires'));
  return Number.isNaN(expires) ? undefined : (expires - now()) / 1000;
}

/** The first value of a header; empty if it is missing. */
export function textOf(headers: Headers, name: string): string {
  const [first = ''] = [headers[name] ?? ''].flat();
  return first;
}

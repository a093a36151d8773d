/**
 * Returns the path of a request target, still percent-encoded. Accepts `/a?b` and the absolute form `http://host/a?b`
 * (RFC 9112 §3.2). Empty for `*` and for an invalid target.
 */
export function requestPath(target: string | undefined): string {
  if (target === undefined) return '';
  if (target.startsWith('/')) {
    const end = target.search(/[?#]/);
    return end === -1 ? target : target.slice(0, end);
  }
  return URL.canParse(target) ? new URL(target).pathname : '';
}

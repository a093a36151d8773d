/**
 * Returns the path of a request target, still percent-encoded. Accepts `/a?b` and the absolute form `http://host/a?b`
 * (RFC 9112 §3.2). Empty for `*` and for an invalid target.
 */
export function requestPath(target: string | undefined): string {
  if (target === undefined) return '';
  if (target.startsWith('/')) return target.replace(/[?#].*$/s, '');
  return URL.canParse(target) ? new URL(target).pathname : '';
}

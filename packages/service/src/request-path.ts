/**
 * The path of a request target, still percent-encoded: of `/a?b`, and of the absolute form
 * `http://host/a?b` too (RFC 9112 §3.2). Empty for `*` and for what is no target at all.
 */
export function requestPath(target: string | undefined): string {
  if (target === undefined) return '';
  if (target.startsWith('/')) return target.replace(/[?#].*$/s, '');
  return URL.canParse(target) ? new URL(target).pathname : '';
}

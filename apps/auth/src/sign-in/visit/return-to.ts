const maxLength = 2048;
/** Control characters, slash and backslash, percent-encoded: none of our paths contains them. */
const encodedSeparator = /%(?:[01][0-9a-f]|7f|2f|5c)/i;

/**
 * The address to redirect to after signing in: the path and query of `text` if it is a path on our own origin, in the
 * form that this server writes. Returns undefined for anything a browser might resolve to another origin (checklist UI9).
 */
export function parseReturnTo(text: unknown, baseUrl: string): string | undefined {
  // Printable ASCII without white space and backslash: browsers drop white space and turn a backslash into a slash.
  if (typeof text !== 'string' || text.length > maxLength || !/^\/(?!\/)[!-[\]-~]*$/.test(text)) return undefined;
  const url = URL.parse(text, baseUrl);
  if (url === null || url.origin !== new URL(baseUrl).origin) return undefined;
  // Resolving dot segments may leave a leading `//`, which names another host; so may a proxy that decodes the path.
  return url.pathname.startsWith('//') || encodedSeparator.test(url.pathname)
    ? undefined
    : `${url.pathname}${url.search}`;
}

const maxLength = 2048;
/** Control characters, slash and backslash: no path of ours has them. */
const encodedSeparator = /%(?:[01][0-9a-f]|7f|2f|5c)/i;

/**
 * Where a person goes on to after signing in: the path and query of `text` when it is a path on our
 * own origin as this server writes it, and nothing for whatever a browser might take for another
 * address (checklist UI9).
 */
export function parseReturnTo(text: unknown, baseUrl: string): string | undefined {
  // Printable ASCII without white space and backslash: browsers drop some of the others and turn the last into a slash.
  if (typeof text !== 'string' || text.length > maxLength || !/^\/(?!\/)[!-[\]-~]*$/.test(text)) return undefined;
  const url = URL.parse(text, baseUrl);
  if (url === null || url.origin !== new URL(baseUrl).origin) return undefined;
  // Dot segments may leave `//` behind, which begins another host's address; so may what a proxy decodes.
  return url.pathname.startsWith('//') || encodedSeparator.test(url.pathname)
    ? undefined
    : `${url.pathname}${url.search}`;
}

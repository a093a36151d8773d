import { parse, stringify } from 'node:querystring';

/** The URL of a request. */
interface RequestUrl {
  /** Absolute, without the query. */
  readonly url: string;
  /** As received, without the question mark. */
  readonly query: string;
}

/**
 * The `Link` header of a list (RFC 8288 §3): the URL of the request with the cursors of the response.
 * `undefined` for a response without cursors.
 */
export function linkHeader(response: unknown, { url, query }: RequestUrl): string | undefined {
  const links = (['next', 'prev'] as const).flatMap((relation) => {
    const cursor: unknown =
      typeof response === 'object' && response !== null ? Reflect.get(response, relation) : undefined;
    if (typeof cursor !== 'string') return [];
    const { page: _replaced, ...others } = parse(query);
    return [`<${url}?${stringify({ ...others, cursor })}>; rel="${relation}"`];
  });
  return links.length === 0 ? undefined : links.join(', ');
}

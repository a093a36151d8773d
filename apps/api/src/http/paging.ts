import { parse, stringify } from 'node:querystring';

/** The address of a call. */
interface CallAddress {
  /** Absolute, without the query. */
  readonly url: string;
  /** As it came, without the question mark. */
  readonly query: string;
}

/**
 * The `Link` header of a list's answer (RFC 8288 §3): the same call with the cursors that the answer
 * names. `undefined` for every other answer.
 */
export function linkHeader(answer: unknown, { url, query }: CallAddress): string | undefined {
  const links = (['next', 'prev'] as const).flatMap((relation) => {
    const cursor: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, relation) : undefined;
    if (typeof cursor !== 'string') return [];
    const { page: _replaced, ...others } = parse(query);
    return [`<${url}?${stringify({ ...others, cursor })}>; rel="${relation}"`];
  });
  return links.length === 0 ? undefined : links.join(', ');
}

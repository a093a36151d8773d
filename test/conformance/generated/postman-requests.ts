/** The requests of a Postman collection (format 2.1), as Postman sends them: enough of the format for our own collection. */

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

interface PostmanRequest {
  readonly method: string;
  readonly header: readonly Pair[];
  readonly url: {
    readonly host: readonly string[];
    readonly path: readonly string[];
    readonly query?: readonly Pair[];
  };
  readonly auth?: { readonly type: 'basic' };
  readonly body?:
    | { readonly mode: 'raw'; readonly raw: string; readonly options: { readonly raw: { readonly language: 'json' } } }
    | { readonly mode: 'urlencoded'; readonly urlencoded: readonly Pair[] };
}

export interface PostmanCollection {
  readonly auth: { readonly bearer: readonly Pair[] };
  readonly variable: readonly Pair[];
  readonly item: readonly { readonly item: readonly { readonly name: string; readonly request: PostmanRequest }[] }[];
}

/** Every request by its name, with the values of the variables. */
export function toRequests(
  { auth, variable, item: folders }: PostmanCollection,
  values: Readonly<Record<string, string>>,
): readonly (readonly [name: string, request: Request])[] {
  const known: Readonly<Record<string, string | undefined>> = {
    ...Object.fromEntries(variable.map(({ key, value }) => [key, value])),
    ...values,
  };
  const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => known[name] ?? whole);
  const bearer = `Bearer ${fill(auth.bearer[0]?.value ?? '')}`;
  const basic = `Basic ${btoa(fill('{{clientId}}:{{clientSecret}}'))}`;
  return folders.flatMap(({ item: items }) =>
    items.map(({ name, request }) => {
      const { method, header, url, auth: own, body } = request;
      const query = new URLSearchParams(
        (url.query ?? []).filter(({ disabled }) => disabled !== true).map(({ key, value }) => [key, fill(value)]),
      );
      const address = `${fill(url.host.join('.'))}/${url.path.join('/')}?${query.toString()}`;
      const headers = new Headers(header.map(({ key, value }) => [key, value]));
      headers.set('Authorization', own === undefined ? bearer : basic);
      return [name, new Request(address, { method, headers, ...toBody(body, headers, fill) })] as const;
    }),
  );
}

function toBody(
  body: PostmanRequest['body'],
  headers: Headers,
  fill: (text: string) => string,
): { readonly body?: string | URLSearchParams } {
  if (body === undefined) return {};
  if (body.mode === 'urlencoded') {
    return { body: new URLSearchParams(body.urlencoded.map(({ key, value }) => [key, fill(value)])) };
  }
  headers.set('Content-Type', 'application/json');
  return { body: fill(body.raw) };
}

/** The cookies of one browser, by the rules of RFC 6265bis. */
export interface CookieJar {
  /** The Cookie header for a request to `path`; undefined if no cookie matches. */
  headerFor(path: string): string | undefined;
  /** Stores the Set-Cookie lines of a response to a request for `path`. @throws Error for a cookie that browsers reject. */
  take(lines: readonly string[], path: string): void;
  /** The value of the cookie for any path. */
  value(name: string): string | undefined;
  readonly names: readonly string[];
  readonly values: readonly string[];
  /** Deletes the cookie, or all cookies. */
  remove(name?: string): void;
  /** A jar with the same cookies, for example a thief's. */
  copy(): CookieJar;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

interface SetCookie extends Cookie {
  readonly attributes: ReadonlyMap<string, string>;
}

export function createCookieJar(initial: readonly Cookie[] = []): CookieJar {
  let cookies = initial;
  const keep = (cookie: SetCookie) => {
    cookies = cookies.filter(({ name, path }) => name !== cookie.name || path !== cookie.path);
    if (isOver(cookie)) return;
    const { name, value, path } = cookie;
    cookies = [...cookies, { name, value, path }];
  };
  return {
    headerFor: (path) => {
      const sent = cookies.filter((cookie) => isSentTo(cookie, path));
      const pairs = sent.toSorted((a, b) => b.path.length - a.path.length).map(({ name, value }) => `${name}=${value}`);
      return pairs.length === 0 ? undefined : pairs.join('; ');
    },
    take: (lines, path) => {
      for (const line of lines) keep(requireAcceptable(parse(line, path)));
    },
    value: (name) => cookies.find((cookie) => cookie.name === name)?.value,
    get names() {
      return cookies.map(({ name }) => name);
    },
    get values() {
      return cookies.map(({ value }) => value);
    },
    remove: (name) => {
      cookies = cookies.filter((cookie) => name !== undefined && cookie.name !== name);
    },
    copy: () => createCookieJar(cookies),
  };
}

function parse(line: string, requestPath: string): SetCookie {
  const [pair = '', ...attributes] = line.split(/;\s*/);
  const [name, value] = splitAtEquals(pair);
  const given = new Map(attributes.map((text) => splitAtEquals(text)).map(([key, text]) => [key.toLowerCase(), text]));
  const path = given.get('path') ?? requestPath.slice(0, Math.max(1, requestPath.lastIndexOf('/')));
  return { name, value, path, attributes: given };
}

function splitAtEquals(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function requireAcceptable(cookie: SetCookie): SetCookie {
  const { name, path, attributes } = cookie;
  const isSecure = attributes.has('secure');
  const isHostBound = isSecure && path === '/' && !attributes.has('domain');
  const isAccepted = name.startsWith('__Host-') ? isHostBound : isSecure || !name.startsWith('__Secure-');
  if (!isAccepted) throw new Error(`browsers refuse the cookie ${name} with these attributes`);
  return cookie;
}

function isOver({ attributes }: SetCookie): boolean {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = attributes.get('expires');
  return expires !== undefined && Date.parse(expires) <= Date.now();
}

function isSentTo({ path }: Cookie, requestPath: string): boolean {
  return requestPath === path || requestPath.startsWith(path.endsWith('/') ? path : `${path}/`);
}

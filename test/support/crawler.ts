import { readAttribute } from './html-form.ts';

/** Follows every link of a site, as a visitor or with the cookies of a signed-in person. */

export interface CrawlOptions {
  /** Where it starts, with the origin that it does not leave. */
  readonly start: URL;
  /** The Cookie header of its requests. */
  readonly cookie?: string;
  /** One page is enough of those with the same key; by default, the address without its fragment. */
  readonly keyOf?: (url: URL) => string;
  /** How many bytes the HTML of a page may have, uncompressed. */
  readonly maxBytes?: (url: URL) => number;
}

export interface Crawl {
  /** The paths of the pages and files, in the order of their discovery. */
  readonly paths: readonly string[];
  /** Links that lead nowhere: where they are, and why. */
  readonly dead: readonly string[];
  /** Pages with more bytes than allowed, and how many they have. */
  readonly tooLarge: readonly string[];
  /** Addresses at other origins. */
  readonly outside: readonly string[];
}

interface Visited {
  readonly fault: string | undefined;
  readonly html: string;
  /** After redirects. */
  readonly url: URL;
}

interface Link {
  readonly url: URL;
  readonly on: string;
}

const concurrent = 6;
const linking = /<(?:a|link|img|script|source|area|iframe)\b(?:[^>"]|"[^"]*")*>/g;

/** Sends GET requests only. A link is dead if its response is no 2xx, or if its page has no element for its fragment. */
export async function crawl({
  start,
  cookie,
  keyOf = addressOf,
  maxBytes = () => Infinity,
}: CrawlOptions): Promise<Crawl> {
  const pages = new Map<string, Promise<Visited>>();
  const links: Link[] = [{ url: start, on: 'the start' }];
  const dead: string[] = [];
  const tooLarge: string[] = [];
  const outside = new Set<string>();
  const paths: string[] = [];

  async function follow({ url, on }: Link): Promise<void> {
    if (url.origin !== start.origin) {
      if (/^https?:$/.test(url.protocol)) outside.add(url.href);
      return;
    }
    const key = keyOf(url);
    const known = pages.get(key);
    const page = known ?? visit(url, cookie);
    if (known === undefined) {
      pages.set(key, page);
      paths.push(url.pathname);
    }
    const { fault, html, url: reached } = await page;
    if (known === undefined) {
      links.push(...linksOf(html, reached));
      const bytes = Buffer.byteLength(html);
      if (bytes > maxBytes(reached)) tooLarge.push(`${reached.pathname}${reached.search}: ${String(bytes)} bytes`);
    }
    const problem = fault ?? missingFragment(url, html);
    if (problem !== undefined) dead.push(`${url.pathname}${url.search}${url.hash} on ${on}: ${problem}`);
  }

  while (links.length > 0) {
    await Promise.all(links.splice(0, concurrent).map(follow));
  }
  return { paths, dead: dead.toSorted(), tooLarge: tooLarge.toSorted(), outside: [...outside].toSorted() };
}

function addressOf({ pathname, search }: URL): string {
  return pathname + search;
}

async function visit(url: URL, cookie: string | undefined): Promise<Visited> {
  const headers = { accept: 'text/html, */*;q=0.8', ...(cookie === undefined ? {} : { cookie }) };
  const response = await fetch(addressWithoutFragment(url), { headers });
  const isHtml = response.headers.get('content-type')?.startsWith('text/html') === true;
  const body = await response.text();
  return {
    fault: response.ok ? undefined : String(response.status),
    html: isHtml ? body : '',
    url: new URL(response.url),
  };
}

function addressWithoutFragment(url: URL): URL {
  const address = new URL(url);
  address.hash = '';
  return address;
}

function linksOf(html: string, base: URL): Link[] {
  const addresses = [...html.matchAll(linking)].flatMap(([element]) =>
    ['href', 'src'].map((name) => readAttribute(element, name)).filter((address) => address !== ''),
  );
  return [...new Set(addresses)].map((address) => ({ url: new URL(address, base), on: base.pathname }));
}

function missingFragment({ hash }: URL, html: string): string | undefined {
  const id = decodeURIComponent(hash.slice(1));
  if (id === '' || id === 'top' || html === '') return undefined;
  return html.includes(` id="${id}"`) ? undefined : 'no such heading or element';
}

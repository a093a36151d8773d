/** A browser on plain HTTP, with cookies, redirects and forms but no scripts. Faster than a real one. */
import { formsOf, readAttribute, readFields } from './html-form.ts';

export interface HttpPage {
  readonly url: URL;
  readonly html: string;
}

export interface HttpBrowser {
  /** Follows redirects while they stay at the given origins. */
  readonly open: (address: string | URL) => Promise<HttpPage>;
  /** Submits the form with a field or button `name`, filled in with `values`. @throws Error if there is none. */
  readonly submit: (page: HttpPage, name: string, values: Readonly<Record<string, string>>) => Promise<HttpPage>;
  /** The value of the Cookie header of its next request. */
  readonly cookieHeader: () => string;
}

const maxHops = 20;

/** @param origins the origins it sends requests to; a redirect elsewhere is not followed. */
export function createHttpBrowser(origins: readonly string[]): HttpBrowser {
  const cookies = new Map<string, string>();

  async function send(url: URL, body?: URLSearchParams): Promise<HttpPage> {
    let next = url;
    let sent = body;
    for (let hop = 0; hop < maxHops; hop++) {
      if (!origins.includes(next.origin)) return { url: next, html: '' };
      const response = await fetch(next, {
        method: sent === undefined ? 'GET' : 'POST',
        headers: { accept: 'text/html', cookie: cookieHeader() },
        redirect: 'manual',
        ...(sent === undefined ? {} : { body: sent }),
      });
      takeCookies(response.headers.getSetCookie());
      const location = response.headers.get('location');
      const html = await response.text();
      if (location === null) return { url: next, html };
      next = new URL(location, next);
      sent = undefined;
    }
    throw new Error(`more than ${String(maxHops)} redirects`);
  }

  function cookieHeader(): string {
    return [...cookies].map((pair) => pair.join('=')).join('; ');
  }

  function takeCookies(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
  }

  return {
    cookieHeader,
    open: async (address) => await send(new URL(address)),
    submit: async (page, name, values) => {
      const form = formsOf(page.html).find((one) => one.includes(`name="${name}"`));
      if (form === undefined) throw new Error(`no form with ${name} at ${page.url.href}: ${page.html}`);
      const body = new URLSearchParams(readFields(form));
      for (const [field, value] of Object.entries(values)) body.set(field, value);
      return await send(new URL(readAttribute(form, 'action') || page.url, page.url), body);
    },
  };
}

/** A browser on plain HTTP, with cookies, redirects and forms but no scripts. Faster than a real one. */

export interface HttpPage {
  readonly url: URL;
  readonly html: string;
}

interface HtmlForm {
  readonly method: string;
  /** The fields that it sends, without those that a person has to fill in. */
  readonly fields: readonly (readonly [name: string, value: string])[];
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
      const form = formsOf(page).find((one) => one.includes(`name="${name}"`));
      if (form === undefined) throw new Error(`no form with ${name} at ${page.url.href}: ${page.html}`);
      const body = new URLSearchParams(readFields(form));
      for (const [field, value] of Object.entries(values)) body.set(field, value);
      return await send(new URL(read(form, 'action') || page.url, page.url), body);
    },
  };
}

/** The form of a page that is sent to `action`, with which a script or a person continues. */
export function findFormTo(page: HttpPage, action: string): HtmlForm | undefined {
  const form = formsOf(page).find((one) => read(one, 'action') === action);
  return form === undefined ? undefined : { method: read(form, 'method'), fields: readFields(form) };
}

const formsOf = ({ html }: HttpPage): readonly string[] =>
  [...html.matchAll(/<form\b.*?<\/form>/gs)].map(([form]) => form);

function readFields(form: string): [name: string, value: string][] {
  // A quoted value may contain `>`.
  const inputs = [...form.matchAll(/<input\b(?:[^>"]|"[^"]*")*>/g)].map(([input]) => input);
  return inputs.filter(isSent).map((input) => [read(input, 'name'), read(input, 'value')]);
}

function isSent(input: string): boolean {
  return read(input, 'name') !== '' && (!/type="(checkbox|radio)"/.test(input) || / checked\b/.test(input));
}

function read(element: string, attribute: string): string {
  const [, value = ''] = new RegExp(`^<(?:[^>"]|"[^"]*")*?\\s${attribute}="([^"]*)"`).exec(element) ?? [];
  return value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

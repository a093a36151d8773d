/** Signs a person of the demo in and agrees, by the forms of the pages, as a browser without scripts would. */

interface Page {
  readonly url: URL;
  readonly html: string;
}

interface Visit {
  readonly issuer: string;
  readonly cookies: Map<string, string>;
}

const maxHops = 20;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Where the browser ends when this person allows what `url` asks: at the callback of the application. */
export async function agree(url: URL, { username, password }: Credentials): Promise<URL> {
  const visit: Visit = { issuer: url.origin, cookies: new Map() };
  let page = await open(visit, url);
  page = await submit(visit, page, { by: 'name="login"', values: { login: username, password } });
  const allow = { by: 'name="decision" value="allow"', values: { decision: 'allow' } };
  while (page.url.origin === visit.issuer) page = await submit(visit, page, allow);
  return page.url;
}

interface Filled {
  /** What its form alone has: others of the page may have the same fields, and not what is ticked in this one. */
  readonly by: string;
  readonly values: Readonly<Record<string, string>>;
}

async function submit(visit: Visit, page: Page, { by, values }: Filled): Promise<Page> {
  const forms = [...page.html.matchAll(/<form\b.*?<\/form>/gs)].map(([form]) => form);
  const form = forms.find((one) => one.includes(by));
  if (form === undefined) throw new Error(`${page.url.href} has no form with ${by}`);
  const inputs = [...form.matchAll(/<input\b[^>]*>/g)].map(([input]) => input).filter(isSent);
  const body = new URLSearchParams();
  for (const input of inputs) body.append(attribute(input, 'name'), attribute(input, 'value'));
  for (const [field, value] of Object.entries(values)) body.set(field, value);
  return await open(visit, new URL(attribute(form, 'action') || page.url, page.url), body);
}

/** Follows redirects, as long as they stay at the service. */
async function open({ issuer, cookies }: Visit, url: URL, body?: URLSearchParams): Promise<Page> {
  let next = url;
  let sent = body;
  for (let hop = 0; hop < maxHops && next.origin === issuer; hop += 1) {
    const response = await fetch(next, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: { accept: 'text/html', cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      redirect: 'manual',
      ...(sent === undefined ? {} : { body: sent }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const html = await response.text();
    if (location === null) return { url: next, html };
    next = new URL(location, next);
    sent = undefined;
  }
  return { url: next, html: '' };
}

function isSent(input: string): boolean {
  return attribute(input, 'name') !== '' && (!/type="(checkbox|radio)"/.test(input) || / checked\b/.test(input));
}

function attribute(element: string, name: string): string {
  const [, value = ''] = new RegExp(`^<[^>]*\\s${name}="([^"]*)"`).exec(element) ?? [];
  return value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

/** Signs in and authorizes an application through the HTML forms, like a browser without JavaScript. */

interface Page {
  readonly url: URL;
  readonly html: string;
}

interface Browser {
  readonly issuer: string;
  readonly cookies: Map<string, string>;
}

const maxHops = 20;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Opens an authorization URL, signs in, authorizes everything requested, and returns the callback URL with the code. */
export async function authorize(url: URL, { username, password }: Credentials): Promise<URL> {
  const browser: Browser = { issuer: url.origin, cookies: new Map() };
  let page = await open(browser, url);
  page = await submit(browser, page, { formWith: 'name="login"', values: { login: username, password } });
  const allow = { formWith: 'name="decision" value="allow"', values: { decision: 'allow' } };
  while (page.url.origin === browser.issuer) page = await submit(browser, page, allow);
  return page.url;
}

interface FormInput {
  /** HTML that only the right form contains: a page can have several forms with the same fields. */
  readonly formWith: string;
  readonly values: Readonly<Record<string, string>>;
}

async function submit(browser: Browser, page: Page, { formWith, values }: FormInput): Promise<Page> {
  const forms = [...page.html.matchAll(/<form\b.*?<\/form>/gs)].map(([form]) => form);
  const form = forms.find((html) => html.includes(formWith));
  if (form === undefined) throw new Error(`${page.url.href} has no form with ${formWith}`);
  const inputs = [...form.matchAll(/<input\b[^>]*>/g)].map(([input]) => input).filter(isSent);
  const body = new URLSearchParams();
  for (const input of inputs) body.append(attribute(input, 'name'), attribute(input, 'value'));
  for (const [field, value] of Object.entries(values)) body.set(field, value);
  return await open(browser, new URL(attribute(form, 'action') || page.url, page.url), body);
}

/** Follows redirects within the service. */
async function open({ issuer, cookies }: Browser, url: URL, body?: URLSearchParams): Promise<Page> {
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

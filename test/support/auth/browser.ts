/**
 * A browser without scripts: it keeps cookies, follows redirects one at a time, and fills in the forms of pages.
 * It reports redirects to other origins and does not follow them.
 */
import type { IncomingHttpHeaders } from 'node:http';

import { createCookieJar } from './cookie-jar.ts';
import type { CookieJar } from './cookie-jar.ts';
import { findElements, textOf } from './html.ts';
import { encodeForm, readForms } from './page-forms.ts';
import type { FormValues, PageForm } from './page-forms.ts';
import type { Answer, RunningAuth } from './running-auth.ts';

interface Hop {
  readonly status: number;
  /** URL whose response redirected. */
  readonly from: URL;
  readonly to: URL;
}

/** The page after the last redirect. */
export interface Page {
  readonly url: URL;
  /** True if a redirect led to another origin; then only `url`, `hops` and the headers of the redirect are set. */
  readonly isElsewhere: boolean;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly html: string;
  /** The visible text. */
  readonly text: string;
  readonly title: string;
  /** The redirects that led here. */
  readonly hops: readonly Hop[];
  readonly forms: readonly PageForm[];
  /** The form with a field or button `name`, including hidden ones, and with `value` if given. @throws Error if there is none. */
  formWith(name: string, value?: string): PageForm;
  /** The form that has the `data-testid`, or contains an element with it. @throws Error if there is none. */
  formOf(testId: string): PageForm;
  /** Target of the link with the text `text`. @throws Error if there is none. */
  link(text: string): string;
}

export interface BrowserOptions {
  /** Sent with every request, for example Accept-Language or X-Forwarded-For. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: CookieJar;
}

export interface Browser {
  readonly cookies: CookieJar;
  /** Opens a typed URL, or one that `from` links to. */
  open(address: string, from?: Page): Promise<Page>;
  /** Submits a form of `page` with `values`. To press a button, pass its name and value. */
  submit(page: Page, form: PageForm, values?: FormValues): Promise<Page>;
  /** Like `submit`, without following redirects. */
  submitOnly(page: Page, form: PageForm, values?: FormValues): Promise<Answer>;
  /** Submits a form with a file to the URL of `page`. */
  submitFile(page: Page, sent: SentFile): Promise<Page>;
}

const maxHops = 20;

interface SentFile {
  readonly fields: Readonly<Record<string, string>>;
  /** Name of the file field. */
  readonly name: string;
  /** Empty if no file is chosen. */
  readonly content: Buffer;
}

/** A browser for `origin`, the public origin of `auth`. */
export function createBrowser(auth: Pick<RunningAuth, 'send' | 'baseUrl'>, options: BrowserOptions = {}): Browser {
  const { headers = {}, cookies = createCookieJar() } = options;
  const { origin } = new URL(auth.baseUrl);

  async function send(url: URL, sent: Readonly<Record<string, string>>, body?: string | Buffer): Promise<Answer> {
    const cookie = cookies.headerFor(url.pathname);
    const answer = await auth.send({
      method: body === undefined ? 'GET' : 'POST',
      path: `${url.pathname}${url.search}`,
      headers: {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        'accept-language': 'en',
        ...headers,
        ...sent,
        ...(cookie === undefined ? {} : { cookie }),
      },
      ...(body === undefined ? {} : { body }),
    });
    cookies.take(answer.headers['set-cookie'] ?? [], url.pathname);
    return answer;
  }

  async function follow(url: URL, answer: Answer, hops: readonly Hop[] = []): Promise<Page> {
    const { location } = answer.headers;
    if (location === undefined) return toPage(url, answer, hops);
    const hop = { status: answer.status, from: url, to: new URL(location, url) };
    const taken = [...hops, hop];
    if (hop.to.origin !== origin) return toPage(hop.to, answer, taken);
    if (![301, 302, 303].includes(answer.status)) throw new Error(`a redirect with ${String(answer.status)}`);
    if (taken.length > maxHops) throw new Error(`more than ${String(maxHops)} redirects`);
    return await follow(hop.to, await send(hop.to, cameFrom('same-origin')), taken);
  }

  function toPage(url: URL, { status, headers: received, text }: Answer, hops: readonly Hop[]): Page {
    const isElsewhere = url.origin !== origin;
    return { url, isElsewhere, status, headers: received, hops, ...readPage(isElsewhere ? '' : text) };
  }

  const submitOnly = async (page: Page, form: PageForm, values: FormValues = {}) =>
    await send(addressOf(page, form), sentForm(origin), encodeForm(form, values));

  return {
    cookies,
    open: async (address, from) => {
      const url = new URL(address, from?.url ?? origin);
      return await follow(url, await send(url, cameFrom(from === undefined ? 'none' : 'same-origin')));
    },
    submit: async (page, form, values) => await follow(addressOf(page, form), await submitOnly(page, form, values)),
    submitOnly,
    submitFile: async (page, sent) => {
      const { type, body } = await encodeFile(sent);
      return await follow(page.url, await send(page.url, { ...sentForm(origin), 'content-type': type }, body));
    },
  };
}

async function encodeFile({ fields, name, content }: SentFile) {
  const data = new FormData();
  for (const [field, value] of Object.entries(fields)) data.append(field, value);
  data.append(name, new Blob([new Uint8Array(content)]), content.length === 0 ? '' : 'photo.bin');
  const encoded = new Response(data);
  return { type: encoded.headers.get('content-type') ?? '', body: Buffer.from(await encoded.arrayBuffer()) };
}

function addressOf(page: Page, form: PageForm): URL {
  return form.action === '' ? page.url : new URL(form.action, page.url);
}

function cameFrom(site: 'none' | 'same-origin'): Readonly<Record<string, string>> {
  return { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
}

function sentForm(origin: string): Readonly<Record<string, string>> {
  return { ...cameFrom('same-origin'), origin, 'content-type': 'application/x-www-form-urlencoded' };
}

function readPage(html: string) {
  const forms = readForms(html);
  const title = /<title[^>]*>(.*?)<\/title>/s.exec(html)?.[1] ?? '';
  const formFor = (what: string, isMeant: (form: PageForm) => boolean) => {
    const found = forms.find(isMeant);
    if (found === undefined) throw new Error(`the page "${title}" has no form with ${what}: ${textOf(html)}`);
    return found;
  };
  return {
    html,
    text: textOf(html),
    title,
    forms,
    formWith: (name: string, value?: string) =>
      formFor(`the field or button ${name}`, ({ fields, buttons }) =>
        [...fields, ...buttons].some((pair) => pair[0] === name && (value === undefined || pair[1] === value)),
      ),
    formOf: (testId: string) => formFor(`the test id ${testId}`, ({ testIds }) => testIds.includes(testId)),
    link: (text: string) => getLink(html, text),
  };
}

function getLink(html: string, text: string): string {
  const links = [...html.matchAll(/(<a\b[^>]*>)(.*?)<\/a>/gs)];
  const [, start = ''] = links.find(([, , content = '']) => textOf(content) === text) ?? [];
  const [element] = findElements(start);
  if (element?.attributes['href'] === undefined) throw new Error(`the page has no link ${JSON.stringify(text)}`);
  return element.attributes['href'];
}

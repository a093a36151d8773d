import { password } from '../api-client.ts';
import { createHttpBrowser } from '../http-browser.ts';
import type { HttpBrowser, HttpPage } from '../http-browser.ts';

const maxForms = 6;

interface Visit {
  /** Of the service, and of an application that the browser may return to. */
  readonly origins: readonly string[];
  readonly username: string;
  /** Which keeps the session; a new one if it is absent. */
  readonly browser?: HttpBrowser;
}

/** Opens an address as a person who signs in and agrees to everything. Returns the page after the last form. */
export async function agreeAt(address: string, { origins, username, ...visit }: Visit): Promise<HttpPage> {
  const { browser = createHttpBrowser(origins) } = visit;
  const answers: readonly (readonly [field: string, values: Readonly<Record<string, string>>])[] = [
    ['login', { login: username, password }],
    ['duration', { decision: 'allow' }],
    ['user_code', {}],
  ];
  let page = await browser.open(address);
  for (let count = 0; count < maxForms; count++) {
    const answer = answers.find(([field]) => page.html.includes(`name="${field}"`));
    if (answer === undefined) return page;
    page = await browser.submit(page, ...answer);
  }
  throw new Error(`still a form at ${page.url.href}`);
}

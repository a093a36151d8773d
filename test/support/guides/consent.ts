import { password } from '../api-client.ts';
import { createHttpBrowser } from '../http-browser.ts';
import type { HttpPage } from '../http-browser.ts';

const maxForms = 6;

interface Visit {
  /** Of the service, and of an application that the browser may return to. */
  readonly origins: readonly string[];
  readonly username: string;
}

/** Opens an address as a person who signs in and agrees to everything. Returns the page after the last form. */
export async function agreeAt(address: string, { origins, username }: Visit): Promise<HttpPage> {
  const browser = createHttpBrowser(origins);
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

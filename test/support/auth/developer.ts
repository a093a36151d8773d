import type { Browser, Page } from './browser.ts';
import { textOf } from './html.ts';
import type { FormValues } from './page-forms.ts';
import { basic } from './running-auth.ts';
import type { Answer, RunningAuth } from './running-auth.ts';

/** The text of the element with the `data-testid`. */
export function shownAt({ html }: Page, testId: string): string | undefined {
  const content = new RegExp(`data-testid="${testId}"[^>]*>([^<]*)<`).exec(html)?.[1];
  return content === undefined ? undefined : textOf(content);
}

/** Opens Create application and submits its form. Returns the response. */
export async function fillInApplication(browser: Browser, values: FormValues = {}): Promise<Page> {
  const page = await browser.open('/developer/applications/new');
  return await browser.submit(page, page.formWith('redirect_uris'), { name: 'Weather Bird', ...values });
}

export interface ShownApplication {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly path: string;
}

/** Like `submitApplication`, for a form that is accepted; the secret is empty if none is shown. */
export async function createOnPage(browser: Browser, values?: FormValues): Promise<ShownApplication> {
  const page = await fillInApplication(browser, values);
  const clientId = shownAt(page, 'client-id');
  if (clientId === undefined) throw new Error(`no application was created: ${page.text}`);
  const clientSecret = shownAt(page, 'client-secret') ?? '';
  return { clientId, clientSecret, path: `/developer/applications/${clientId}` };
}

/** Requests a token with client credentials. */
export async function tokenOf(auth: RunningAuth, clientId: string, clientSecret: string): Promise<Answer> {
  return await auth.requestToken({ grant_type: 'client_credentials' }, basic(clientId, clientSecret));
}

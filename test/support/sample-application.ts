import type { Page } from 'playwright-core';
import { inject } from 'vitest';

import { startBrowserApp } from '../clients/browser-app.ts';
import { addApplication } from './page-steps.ts';
import type { CreatedApplication, ApplicationForm } from './page-steps.ts';
import { findFreePort } from './service.ts';

export interface SampleApplication extends AsyncDisposable, CreatedApplication {
  readonly home: URL;
  readonly redirectUri: string;
  /** The URL that starts a sign-in; parameters are added to the authorization request. */
  signInUrl(parameters?: Readonly<Record<string, string>>): string;
}

export interface SampleApplicationOptions extends Partial<Omit<ApplicationForm, 'redirectUris'>> {
  /** Requested scopes. Default: all registered ones. */
  readonly asks?: string;
}

/** Creates an application as the person who is signed in on `page`, in the developer area, and starts it. */
export async function startSampleApplication(
  page: Page,
  options: SampleApplicationOptions = {},
  create = addApplication,
): Promise<SampleApplication> {
  const { scopes = ['users', 'posts'], asks = scopes.join(' '), ...application } = options;
  const port = await findFreePort();
  const redirectUri = `http://127.0.0.1:${String(port)}/callback`;
  const created = await create(page, { ...application, scopes, redirectUris: [redirectUri] });
  const { baseUrl } = inject('service');
  const app = await startBrowserApp({ issuer: baseUrl, ...created, scope: asks, port });
  return {
    ...app,
    ...created,
    redirectUri,
    signInUrl: (parameters = {}) => new URL(`/sign-in?${new URLSearchParams(parameters).toString()}`, app.home).href,
  };
}

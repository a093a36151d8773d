import type { Page } from 'playwright-core';
import { inject } from 'vitest';

import { startBrowserApp } from '../clients/browser-app.ts';
import { createApplication } from './page-steps.ts';
import type { CreatedApplication, ApplicationForm } from './page-steps.ts';
import { findFreePort } from './service.ts';

export interface SampleApplication extends AsyncDisposable, CreatedApplication {
  readonly home: URL;
  readonly redirectUri: string;
  /** Begins a sign-in; what is given goes into the request. */
  signInUrl(parameters?: Readonly<Record<string, string>>): string;
}

export interface SampleApplicationOptions extends Partial<Omit<ApplicationForm, 'redirectUris'>> {
  /** What it asks for: all that it may when left out. */
  readonly asks?: string;
}

/** The person of `page` creates an application in the developer area, and it starts running. */
export async function startSampleApplication(
  page: Page,
  options: SampleApplicationOptions = {},
): Promise<SampleApplication> {
  const { scopes = ['users', 'posts'], asks = scopes.join(' '), ...application } = options;
  const port = await findFreePort();
  const redirectUri = `http://127.0.0.1:${String(port)}/callback`;
  const created = await createApplication(page, { ...application, scopes, redirectUris: [redirectUri] });
  const { baseUrl } = inject('service');
  const app = await startBrowserApp({ issuer: baseUrl, ...created, scope: asks, port });
  return {
    ...app,
    ...created,
    redirectUri,
    signInUrl: (parameters = {}) => new URL(`/sign-in?${new URLSearchParams(parameters).toString()}`, app.home).href,
  };
}

import { chromium } from 'playwright-core';

import { findChromium } from './chromium.ts';
import type { ChromiumProgram } from './chromium.ts';
import { writeFontConfiguration } from './fonts.ts';

/** How test processes reach the Chromium of the run. Plain data, so that it can be passed to them. */
export interface BrowserEndpoint {
  readonly url: string;
}

export interface BrowserServer extends AsyncDisposable {
  readonly endpoint: BrowserEndpoint;
}

/** Only local names resolve, so that Chromium's own requests fail. Playwright turns off sandbox, updates and sync. */
const flags = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
  '--disable-domain-reliability',
  '--disable-gpu',
  '--no-pings',
];

/**
 * Starts the Chromium of a run. It is connected by a pipe, so it exits with this process, even if that is killed.
 * @throws the errors of `findChromium`, and Playwright's error when Chromium does not start.
 */
export async function startBrowser(program?: ChromiumProgram): Promise<BrowserServer> {
  const { executablePath, env } = program ?? (await findChromium());
  const server = await chromium.launchServer({
    executablePath,
    env: { ...process.env, ...env, ...(await writeFontConfiguration()) },
    args: flags,
    // Vitest handles signals; Playwright would exit immediately.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return {
    endpoint: { url: server.wsEndpoint() },
    [Symbol.asyncDispose]: async () => await server.close(),
  };
}

import { chromium } from 'playwright-core';

import { findChromium } from './chromium.ts';
import type { ChromiumProgram } from './chromium.ts';
import { writeFontConfiguration } from './fonts.ts';

/** The Chromium of a run, as test processes reach it: plain data. */
export interface BrowserEndpoint {
  readonly url: string;
}

export interface BrowserServer extends AsyncDisposable {
  readonly endpoint: BrowserEndpoint;
}

/**
 * No name but that of this machine is ever looked up, so nothing that Chromium does by itself gets
 * anywhere. The rest of what is wanted (no sandbox, no updates, no sync) Playwright asks for.
 */
const flags = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
  '--disable-domain-reliability',
  '--disable-gpu',
  '--no-pings',
];

/**
 * Starts the one Chromium of a run. It is held by a pipe: when this process ends in whatever way,
 * Chromium ends too.
 * @throws what `findChromium` throws, and Playwright's error when Chromium does not start.
 */
export async function startBrowser(program?: ChromiumProgram): Promise<BrowserServer> {
  const { executablePath, env } = program ?? (await findChromium());
  const server = await chromium.launchServer({
    executablePath,
    env: { ...process.env, ...env, ...(await writeFontConfiguration()) },
    args: flags,
    // The end of a run is vitest's to order; Playwright would exit at once.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return {
    endpoint: { url: server.wsEndpoint() },
    [Symbol.asyncDispose]: async () => await server.close(),
  };
}

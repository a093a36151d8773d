/**
 * Looks at the samples of pages in Chromium: one document after the other, without a service. All that is folded
 * or hidden is shown, so that it is looked at too.
 */
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import * as publicPages from '@linnet/api/testing/sample-pages';
import * as ownPages from '@linnet/auth/testing/sample-site';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

import { bringEyes } from './eyes.ts';

export type Language = 'en' | 'de' | 'fr' | 'es';

/** Every page of both servers in its states, by its name. `name` stands wherever a stranger chooses the text. */
export function drawStates(language: Language, name: string): ReadonlyMap<string, string> {
  return new Map([...ownPages.drawSamples(language, name), ...publicPages.drawSamples(language, name)]);
}

interface StateServer extends AsyncDisposable {
  readonly address: string;
}

/** The files of the samples at an address of their own. */
export async function serveStates(): Promise<StateServer> {
  const answer: RequestListener = (request, response) => {
    if (request.url === '/') response.setHeader('Content-Type', 'text/html').end('<!DOCTYPE html><title>-</title>');
    else if (request.url?.startsWith('/p/') === true) publicPages.serveFiles(request, response);
    else ownPages.serveFiles(request, response);
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${String(port)}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Opens the address of `serveStates`, where the documents are shown, and brings what looks at them. */
export async function prepare(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.evaluate(axe.source);
  await page.evaluate(bringEyes);
  // From here on the focus is moved by keys, as far as the browser knows.
  await page.keyboard.press('Tab');
}

/** The document, without the script that would change it, and with nothing folded. */
async function show(page: Page, html: string): Promise<void> {
  await page.setContent(html.replaceAll(/<script[^>]*><\/script>/g, ''));
  await page.evaluate('look.unfold(document)');
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Without selectors, and without what passes, axe-core takes a third of the time. */
const axeOptions = { resultTypes: ['violations'], preload: false, selectors: false, reporter: 'no-passes' };

/** All that axe-core knows of the standard, what does not fit into the window, and where the focus is not seen. */
export async function lookClosely(page: Page, html: string): Promise<readonly string[]> {
  await show(page, html);
  const options = JSON.stringify({ ...axeOptions, runOnly: standards });
  return await page.evaluate<readonly string[]>(
    `look.findBarriers(${options}).then((found) => [...found, ...look.findWide(document), ...look.findUnseenFocus()])`,
  );
}

/** What another colour scheme and another width change. */
export async function lookAgain(page: Page, html: string): Promise<readonly string[]> {
  await show(page, html);
  const runOnly = ['color-contrast', 'target-size', 'scrollable-region-focusable'];
  return await page.evaluate<readonly string[]>(`look.findBarriers(${JSON.stringify({ ...axeOptions, runOnly })})`);
}

/** What does not fit into windows of this width, of all documents at one go: what languages and spacing change. */
export async function findWide(
  page: Page,
  documents: ReadonlyMap<string, string>,
  { width, style = '' }: { readonly width: number; readonly style?: string },
): Promise<readonly string[]> {
  const pages = [...documents].map(([name, html]) => ({ name, html: html.replace('</head>', `${style}</head>`) }));
  return await page.evaluate<readonly string[]>(`look.findWideIn(${JSON.stringify({ pages, width })})`);
}

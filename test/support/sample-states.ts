/**
 * Shows the sample pages in Chromium and inspects them: one document after the other, without a running service, with
 * every folded or hidden part shown.
 */
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import * as publicPages from './api/sample-pages.ts';
import * as ownPages from './auth/sample-site.ts';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

import { inspectorScript } from './page-inspector.ts';
import type { BatchCheck } from './page-inspector.ts';

export type Language = 'en' | 'de' | 'fr' | 'es';

/**
 * Every page of both servers in each of its states, by name. `text` is used wherever people choose the text: names of
 * applications, display names, posts.
 */
export function renderStates(language: Language, text: string): ReadonlyMap<string, string> {
  const key = `${language} ${text}`;
  const states =
    rendered.get(key) ?? new Map([...ownPages.drawSamples(language, text), ...publicPages.drawSamples(language, text)]);
  rendered.set(key, states);
  return states;
}

/** Rendering takes as long as half of the inspections. */
const rendered = new Map<string, ReadonlyMap<string, string>>();

interface StateServer extends AsyncDisposable {
  readonly address: string;
}

/** Serves the assets of the sample pages, and an empty page at `/` to show the samples in. */
export async function serveStates(): Promise<StateServer> {
  const listener: RequestListener = (request, response) => {
    if (request.url === '/') response.setHeader('Content-Type', 'text/html').end('<!DOCTYPE html><title>-</title>');
    else if (request.url?.startsWith('/p/') === true) publicPages.serveFiles(request, response);
    else ownPages.serveFiles(request, response);
  };
  const server = createServer(listener);
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

/** Adds CSS to each document, after its own stylesheets. */
export function withStyle(documents: ReadonlyMap<string, string>, css: string): ReadonlyMap<string, string> {
  const style = `<style>${css}</style></head>`;
  return new Map([...documents].map(([name, html]) => [name, html.replace('</head>', style)]));
}

/** Opens the address of `serveStates`, where documents are shown, with axe-core and the inspector. */
export async function openInspector(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.evaluate(axe.source);
  await page.evaluate(inspectorScript);
  // After a key, the browser takes every focus() for keyboard focus.
  await page.keyboard.press('Tab');
}

/** Scripts would change the document. */
function withoutScripts(html: string): string {
  return html.replaceAll(/<script[^>]*>.*?<\/script>/gs, '');
}

/** Shows the document without its scripts and with everything expanded. */
async function show(page: Page, html: string): Promise<void> {
  await page.setContent(withoutScripts(html));
  await page.evaluate('inspector.expandAll(document)');
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Without selectors and passes, axe-core takes a third of the time. */
const axeOptions = { resultTypes: ['violations'], preload: false, selectors: false, reporter: 'no-passes' };

/** Every rule of axe-core (our own for targets are stricter and faster), content wider than the window, and focus that cannot be seen. */
export async function inspectFully(page: Page, html: string): Promise<readonly string[]> {
  await show(page, html);
  const options = JSON.stringify({ ...axeOptions, runOnly: standards, rules: { 'target-size': { enabled: false } } });
  return await page.evaluate<readonly string[]>(
    `inspector.findAllViolations(document, ${options}, (globalThis.seen ??= new Set())).then((found) => [
      ...found,
      ...[inspector.findOverflow, inspector.findSmallTargets, inspector.findCoveredTargets].flatMap((find) => find(document)),
      ...inspector.findInvisibleFocus(),
    ])`,
  );
}

interface Inspection {
  /** Of the window, in CSS pixels. */
  readonly width: number;
  readonly checks?: readonly BatchCheck[];
  /** Also the rules of axe-core that depend on the colour scheme or the width of the window, beside those of targets. */
  readonly withAxe?: boolean;
}

/** Inspects all documents in one frame of this width. Faster than one page after the other. */
export async function inspectAll(
  page: Page,
  documents: ReadonlyMap<string, string>,
  { width, checks = [], withAxe = false }: Inspection,
): Promise<readonly string[]> {
  const pages = [...documents].map(([name, html]) => ({ name, html: withoutScripts(html) }));
  const options = { ...axeOptions, runOnly: ['scrollable-region-focusable'] };
  const batch = { pages, width, checks, ...(withAxe ? { axe: { source: axe.source, options } } : {}) };
  return await page.evaluate<readonly string[]>(`inspector.inspectBatch(${JSON.stringify(batch)})`);
}

import { chromium } from 'playwright-core';
import type { BrowserContext, ConsoleMessage, Page, Request } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';

export interface BrowserOptions {
  readonly locale?: 'en-GB' | 'de-DE' | 'fr-FR';
  /** Off when left out: no page needs scripts. */
  readonly scripts?: boolean;
  /** Lets a test bring its own scripts into pages, which their policy forbids. */
  readonly bypassPolicy?: boolean;
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

export interface OpenBrowser {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What was sent, with the answers, oldest first. */
  readonly requests: readonly Request[];
  /** What no page may do: call elsewhere, break its policy, write to the console, answer 5xx. */
  readonly faults: readonly string[];
}

const actionDeadlineMs = 60_000;
/** Sample applications are on 127.0.0.1, which is another site than `localhost`. */
const sampleHost = '127.0.0.1';
/** What pages of other origins may call. */
const openPaths = /^\/(?:api|oauth|[.]well-known)\//;

/**
 * Opens a browser of its own for the test that is running: other cookies, another person. When the test
 * is finished it closes, and it has to be without faults.
 */
export async function openBrowser(options: BrowserOptions = {}): Promise<OpenBrowser> {
  const opened = await connectBrowser(options);
  onTestFinished(async () => {
    await opened[Symbol.asyncDispose]();
    if (opened.faults.length > 0) throw new Error(`faults in the browser:\n${opened.faults.join('\n')}`);
  });
  return opened;
}

/** The same for whoever closes it, and looks at its faults. */
export async function connectBrowser(options: BrowserOptions): Promise<OpenBrowser & AsyncDisposable> {
  const { baseUrl } = inject('service');
  const { locale = 'en-GB', scripts = false, bypassPolicy = false, width = 1024, colorScheme = 'light' } = options;
  const connected = await chromium.connect(inject('browser').url);
  const context = await connected.newContext({
    baseURL: baseUrl,
    locale,
    javaScriptEnabled: scripts,
    bypassCSP: bypassPolicy,
    colorScheme,
    // Colours are there at once when they change.
    reducedMotion: 'reduce',
    viewport: { width, height: 800 },
  });
  context.setDefaultTimeout(actionDeadlineMs);
  const requests: Request[] = [];
  const faults: string[] = [];
  context.on('request', (request) => {
    requests.push(request);
    if (!isAllowed(request, baseUrl)) faults.push(`a request to ${request.url()} from ${pageOf(request)}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${String(response.status())} from ${response.url()}`);
  });
  context.on('weberror', (error) => faults.push(`an error of a script: ${String(error.error())}`));
  context.on('console', (message) => {
    if (isComplaint(message)) faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  const page = await context.newPage();
  return { context, page, requests, faults, [Symbol.asyncDispose]: async () => await connected.close() };
}

/**
 * Pages take what belongs to them from their own origin; people go to ours and to the sample applications, whose
 * scripts may call the API.
 */
function isAllowed(request: Request, baseUrl: string): boolean {
  const { origin, hostname, protocol, pathname } = new URL(request.url());
  if (request.isNavigationRequest()) return origin === baseUrl || hostname === sampleHost;
  const page = new URL(pageOf(request));
  if (origin === page.origin) return true;
  return page.hostname === sampleHost && (protocol === 'data:' || (origin === baseUrl && openPaths.test(pathname)));
}

function pageOf(request: Request): string {
  return request.frame().url();
}

/** Chromium remarks on each page that is answered with 4xx, which refused forms are. */
function isComplaint(message: ConsoleMessage): boolean {
  if (message.type() !== 'error' && message.type() !== 'warning') return false;
  return !/^Failed to load resource: the server responded with a status of 4\d\d /.test(message.text());
}

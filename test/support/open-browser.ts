import { chromium } from 'playwright-core';
import type { BrowserContext, ConsoleMessage, Page, Request } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';

import type { BrowserEndpoint } from './browser.ts';

export interface BrowserOptions {
  /** By default that of the service of all tests. */
  readonly baseUrl?: string;
  readonly locale?: 'en-GB' | 'de-DE' | 'fr-FR';
  /** Default: false, since pages work without scripts. */
  readonly scripts?: boolean;
  /** Allows scripts of the test, which the content security policy forbids. */
  readonly bypassPolicy?: boolean;
  readonly width?: number;
  /** By default the Chromium of the run. */
  readonly browser?: BrowserEndpoint;
  /** The address of an HTTP proxy. */
  readonly proxy?: string;
  readonly colorScheme?: 'light' | 'dark';
}

export interface OpenBrowser {
  readonly context: BrowserContext;
  readonly page: Page;
  /** All requests with their responses, oldest first. */
  readonly requests: readonly Request[];
  /** Requests to other origins, violations of the content security policy, console errors and 5xx responses. */
  readonly faults: readonly string[];
}

const actionDeadlineMs = 60_000;
/** Sample applications use 127.0.0.1, which is a different site than `localhost`. */
const sampleHost = '127.0.0.1';
/** Paths that pages of other origins may request. */
const crossOriginPaths = /^\/(?:api|media|oauth|[.]well-known)\//;

/** Opens a browser with its own cookies for the current test. After the test it is closed, and faults fail the test. */
export async function openBrowser(options: BrowserOptions = {}): Promise<OpenBrowser> {
  const opened = await connectBrowser(options);
  onTestFinished(async () => {
    await opened[Symbol.asyncDispose]();
    if (opened.faults.length > 0) throw new Error(`faults in the browser:\n${opened.faults.join('\n')}`);
  });
  return opened;
}

/** Like `openBrowser`, but the caller closes it and checks `faults`. */
export async function connectBrowser(options: BrowserOptions): Promise<OpenBrowser & AsyncDisposable> {
  const {
    baseUrl = inject('service').baseUrl,
    locale = 'en-GB',
    scripts = false,
    bypassPolicy = false,
    width = 1024,
    colorScheme = 'light',
    proxy,
    browser = inject('browser'),
  } = options;
  const connected = await chromium.connect(browser.url);
  const context = await connected.newContext({
    baseURL: baseUrl,
    locale,
    javaScriptEnabled: scripts,
    bypassCSP: bypassPolicy,
    colorScheme,
    // Without transitions, colours change immediately.
    reducedMotion: 'reduce',
    viewport: { width, height: 800 },
    ...(proxy === undefined ? {} : { proxy: { server: proxy } }),
  });
  context.setDefaultTimeout(actionDeadlineMs);
  const requests: Request[] = [];
  const faults: string[] = [];
  context.on('request', (request) => {
    requests.push(request);
    if (!isAllowed(request, baseUrl)) faults.push(`request to ${request.url()} from ${pageOf(request)}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${String(response.status())} from ${response.url()}`);
  });
  context.on('weberror', (error) => faults.push(`script error: ${String(error.error())}`));
  context.on('console', (message) => {
    if (isConsoleFault(message)) faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  const page = await context.newPage();
  return { context, page, requests, faults, [Symbol.asyncDispose]: async () => await connected.close() };
}

/**
 * Pages load assets from their own origin only. People navigate to the service and to sample applications, whose scripts
 * may call the API.
 */
function isAllowed(request: Request, baseUrl: string): boolean {
  const { origin, hostname, protocol, pathname } = new URL(request.url());
  if (request.isNavigationRequest()) return origin === baseUrl || hostname === sampleHost;
  const page = new URL(pageOf(request));
  if (origin === page.origin) return true;
  return (
    page.hostname === sampleHost &&
    (/^(?:data|blob):$/.test(protocol) || (origin === baseUrl && crossOriginPaths.test(pathname)))
  );
}

/** The page, or the service worker, that sent the request. */
function pageOf(request: Request): string {
  return request.serviceWorker()?.url() ?? request.frame().url();
}

/**
 * Ignores Chromium's message about each page with status 4xx, such as a rejected form, and those about a preload that is used late, or by
 * a service worker.
 */
function isConsoleFault(message: ConsoleMessage): boolean {
  if (message.type() !== 'error' && message.type() !== 'warning') return false;
  return !/^Failed to load resource: the server responded with a status of 4\d\d |cross-world service worker|preloaded using link preload but not used/.test(
    message.text(),
  );
}

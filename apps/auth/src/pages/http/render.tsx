import type { Context } from 'koa';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { ErrorPage } from '../views/error-page.tsx';
import type { ErrorKind } from '../views/error-page.tsx';
import type { Frame } from '../views/frame.ts';
import { CrossSiteRequest, StaleForm } from './csrf.ts';
import { FormRefused } from './form.ts';
import { setPageHeaders } from './security-headers.ts';

interface PageOptions {
  readonly status?: number;
  /** Sources besides our own that a form of the page may lead to; see `formActionSource`. */
  readonly formAction?: readonly string[];
  /** The address of the script of the page, of `frame.assets`. */
  readonly script?: string | undefined;
}

/** Answers with a page: its HTML and the headers that keep it to itself. */
export function renderPage(ctx: Context, page: VNode, options: PageOptions = {}): void {
  sendPage(ctx, toHtml(page), options);
}

/** The document of a page. */
export function toHtml(page: VNode): string {
  return `<!DOCTYPE html>\n${renderToString(page)}\n`;
}

/** As `renderPage`, with a document that was made before. */
export function sendPage(ctx: Context, html: string, { status = 200, ...policy }: PageOptions = {}): void {
  ctx.status = status;
  ctx.type = 'html';
  setPageHeaders(ctx, policy);
  ctx.body = html;
}

interface Refusal {
  readonly status: number;
  readonly kind: ErrorKind;
}

interface RefusalOptions {
  readonly frame: Frame;
  readonly error: unknown;
  /** Where the form is found again: the address of the request when left out. */
  readonly continueTo?: string;
}

/** Answers with an error page when `error` is one that reading or checking a form throws, and says whether it was. */
export function renderRefusal(ctx: Context, { frame, error, continueTo }: RefusalOptions): boolean {
  const refusal = toRefusal(error);
  if (refusal === undefined) return false;
  const { status, kind } = refusal;
  const wayBack = kind === 'stale-form' ? (continueTo ?? `?${ctx.querystring}`) : undefined;
  renderPage(ctx, <ErrorPage frame={frame} kind={kind} continueTo={wayBack} />, { status });
  return true;
}

function toRefusal(error: unknown): Refusal | undefined {
  if (error instanceof StaleForm) return { status: error.status, kind: 'stale-form' };
  if (error instanceof CrossSiteRequest) return { status: error.status, kind: 'cross-site' };
  if (error instanceof FormRefused) return { status: error.status, kind: 'bad-form' };
  return undefined;
}

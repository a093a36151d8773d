import type { Context } from 'koa';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { ErrorPage } from '../views/error-page.tsx';
import type { ErrorKind } from '../views/error-page.tsx';
import type { Frame } from '../views/frame.ts';
import { CrossSiteRequest, StaleForm } from './csrf.ts';
import { FormRefused } from './form.ts';
import { setPageHeaders } from './security-headers.ts';
import type { PagePolicy } from './security-headers.ts';

interface PageOptions extends PagePolicy {
  readonly status?: number;
}

/** Responds with a page and its security headers. */
export function renderPage(ctx: Context, page: VNode, options: PageOptions = {}): void {
  sendPage(ctx, toHtml(page), options);
}

/** Renders a page to an HTML document. */
export function toHtml(page: VNode): string {
  return `<!DOCTYPE html>\n${renderToString(page)}\n`;
}

/** Like `renderPage`, with a document that is already rendered. */
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
  /** Where the form is; defaults to the request's path. */
  readonly continueTo?: string;
}

/** Responds with an error page if `error` comes from reading or checking a form. Returns whether it did. */
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

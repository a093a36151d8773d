import type { RequestState } from '@linnet/service/request-log';
import type Koa from 'koa';

import type { AuthEvents } from '../events.ts';

interface FallbackOptions {
  readonly events: AuthEvents;
  readonly isUnavailable: (error: unknown) => boolean;
}

interface Failure {
  readonly status: 404 | 500 | 503;
  readonly title: string;
  readonly detail: string;
}

const notFound: Failure = { status: 404, title: 'Page not found', detail: 'There is nothing at this address.' };
const internalError: Failure = {
  status: 500,
  title: 'Something went wrong',
  detail: 'The fault is ours. Please try again.',
};
const unavailable: Failure = { status: 503, title: 'Unavailable', detail: 'Please try again in a moment.' };

/** Answers what no route answered with 404 and what a route threw with 500 or 503: a page, or a problem for who asks for JSON. */
export function fallback({ events, isUnavailable }: FallbackOptions): Koa.Middleware {
  return async (ctx, next) => {
    const { requestId }: Pick<RequestState, 'requestId'> = ctx.state;
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) answer(ctx, notFound, requestId);
    } catch (cause) {
      events.requestFailed({ requestId, clientId: undefined, cause });
      answer(ctx, isUnavailable(cause) ? unavailable : internalError, requestId);
    }
  };
}

function answer(ctx: Koa.ParameterizedContext, failure: Failure, requestId: string): void {
  const { status, title, detail } = failure;
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  ctx.vary('Accept');
  if (failure === unavailable) ctx.set('Retry-After', '2');
  if (ctx.accepts('html', 'json') === 'json') {
    ctx.type = 'application/problem+json';
    ctx.body = JSON.stringify({ type: 'about:blank', title, status, detail, request_id: requestId });
    return;
  }
  ctx.type = 'html';
  ctx.body = page(failure, requestId);
}

/** All of it is written here: nothing that a client sent stands in the page. */
function page({ status, title, detail }: Failure, requestId: string): string {
  const reference = status === 404 ? '' : `\n<p>Request ${requestId}</p>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${detail}</p>${reference}
</main>
</body>
</html>
`;
}

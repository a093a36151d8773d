import { errorTitle } from '@linnet/contract/error-titles';
import { errorCatalogue } from '@linnet/contract/errors';
import type { ErrorCode } from '@linnet/contract/errors';
import { findLanguage } from '@linnet/contract/languages';
import type Koa from 'koa';

import { renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import { ProblemPage } from './problem-page.tsx';
import { ProblemsPage } from './problems-page.tsx';

/** `/problems` and `/problems/{code}`: the `type` of every problem of the API points there (RFC 9457, §3.1.1). */
export function problemsRoute({ baseUrl, createFrame }: Pick<Web, 'baseUrl' | 'createFrame'>): Koa.Middleware {
  return async (ctx, next) => {
    const code = /^\/problems\/([\w-]+)$/.exec(ctx.path)?.[1];
    const isList = ctx.path === pagePaths.problems;
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || !(isList || (code !== undefined && isCode(code)))) {
      await next();
      return;
    }
    const frame = createFrame(ctx);
    const language = findLanguage(frame.messages.language) ?? 'en';
    const titleOf = (one: ErrorCode) => errorTitle(one, language);
    if (code !== undefined && isCode(code)) {
      renderPage(ctx, <ProblemPage {...{ frame, code, baseUrl }} title={titleOf(code)} />);
    } else {
      renderPage(ctx, <ProblemsPage {...{ frame, titleOf }} />);
    }
  };
}

function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCatalogue, text);
}

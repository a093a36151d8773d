import { errorTitle } from '@linnet/contract/error-titles';
import { errorCatalogue } from '@linnet/contract/errors';
import type { ErrorCode } from '@linnet/contract/errors';
import { findLanguage } from '@linnet/contract/languages';
import type Koa from 'koa';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { renderPage } from '../../pages/frame/render.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { PageLink } from '../../pages/views/link.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import { ProblemPage } from './problem-page.tsx';

interface ProblemsPageProps {
  readonly frame: Frame;
  /** In the language of the page. */
  readonly titleOf: (code: ErrorCode) => string;
}

const codes = Object.keys(errorCatalogue) as readonly ErrorCode[]; // Object.keys returns string[]

const byStatus = Map.groupBy(codes, (code) => errorCatalogue[code].status);

/** Every problem of the API, by status. */
export function ProblemsPage({ frame, titleOf }: ProblemsPageProps): VNode {
  const { problems: texts } = frame.messages;
  return (
    <Layout frame={frame} title={texts.title} kind="area" section="guides" description={texts.intro}>
      <h1>{texts.title}</h1>
      <p class="lead">{texts.intro}</p>
      <div class="groups">
        {[...byStatus].map(([status, ofStatus]) => (
          <section key={status} aria-label={String(status)}>
            <ul class="rows">
              {ofStatus.map((code) => (
                <PageLink
                  key={code}
                  href={pagePaths.problem(code)}
                  label={<code>{code}</code>}
                  tag={status}
                  text={titleOf(code)}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Layout>
  );
}

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

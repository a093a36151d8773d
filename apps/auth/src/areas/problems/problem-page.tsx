import { errorCatalogue } from '@linnet/contract/errors';
import type { ErrorCode } from '@linnet/contract/errors';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { WithCode } from '../../pages/views/link.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { listCalls } from './calls-by-problem.ts';
import { guideOf } from './guide-of-problem.ts';
import { whenProblemsHappen } from './when-problems-happen.ts';

interface ProblemPageProps {
  readonly frame: Frame;
  readonly code: ErrorCode;
  /** In the language of the page. */
  readonly title: string;
  readonly baseUrl: string;
}

/** What the `type` of a problem leads to: what it means, and how to fix it. */
export function ProblemPage({ frame, code, title, baseUrl }: ProblemPageProps): VNode {
  const { problems: texts } = frame.messages;
  const { status, detail } = errorCatalogue[code];
  return (
    <Layout frame={frame} title={title} kind="area" section="guides" description={title}>
      <p>
        <a href={pagePaths.problems}>{texts.all}</a>
      </p>
      <h1>{title}</h1>
      <dl class="facts panel">
        <div>
          <dt>{texts.status}</dt>
          <dd>{status}</dd>
        </div>
        <div>
          <dt>{texts.code}</dt>
          <dd>
            <code>{code}</code>
          </dd>
        </div>
      </dl>
      <section>
        <h2>{texts.meaning}</h2>
        <p>
          <span lang="en">
            <WithCode text={whenProblemsHappen[code]} />
          </span>
        </p>
      </section>
      <section>
        <h2>{texts.remedy}</h2>
        <p>
          <span lang="en">
            <WithCode text={detail} />
          </span>
        </p>
        <p>
          <a href={pagePaths.guide(guideOf(code))}>{frame.messages.guides.read}</a>
        </p>
      </section>
      <section>
        <h2>{texts.example}</h2>
        <pre>
          <code>{exampleOf(code, title, baseUrl)}</code>
        </pre>
      </section>
      <Calls frame={frame} code={code} />
    </Layout>
  );
}

function Calls({ frame, code }: Pick<ProblemPageProps, 'frame' | 'code'>): VNode {
  const { problems: texts, layout } = frame.messages;
  const calls = listCalls(code);
  return (
    <section>
      <h2>{texts.calls}</h2>
      {calls === 'every' ? (
        <p>{texts.every}</p>
      ) : (
        <ul>
          {calls.map((call) => (
            <li key={call}>
              <code>{call}</code>
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href={pagePaths.reference}>{layout.reference}</a>
      </p>
    </section>
  );
}

function exampleOf(code: ErrorCode, title: string, baseUrl: string): string {
  const { status, detail } = errorCatalogue[code];
  const problem = {
    type: baseUrl + pagePaths.problem(code),
    title,
    status,
    detail,
    code,
    errors: code === 'invalid-parameter' ? [{ parameter: 'id', code: 'missing', detail: 'is required' }] : [],
    request_id: '0b6f3a52-7c1d-4f0e-9a68-2f4c5d1e8b37',
  };
  return `HTTP/1.1 ${String(status)}\nContent-Type: application/problem+json\n\n${JSON.stringify(problem, undefined, 2)}`;
}

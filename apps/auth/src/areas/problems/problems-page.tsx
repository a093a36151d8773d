import { errorCatalogue } from '@linnet/contract/errors';
import type { ErrorCode } from '@linnet/contract/errors';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { PageLink } from '../../pages/views/link.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

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

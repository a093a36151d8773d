import { errorCatalogue } from '@linnet/contract/errors';
import type { ErrorCode } from '@linnet/contract/errors';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/views/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { PageLink } from '../../pages/views/page-link.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

interface ProblemsPageProps {
  readonly frame: Frame;
  /** In the language of the page. */
  readonly titleOf: (code: ErrorCode) => string;
}

const codes = Object.keys(errorCatalogue) as readonly ErrorCode[]; // Object.keys returns string[]

/** Every problem of the API. */
export function ProblemsPage({ frame, titleOf }: ProblemsPageProps): VNode {
  const { problems: texts } = frame.messages;
  return (
    <Layout frame={frame} title={texts.title} kind="area" section="guides" description={texts.intro}>
      <h1>{texts.title}</h1>
      <p class="lead">{texts.intro}</p>
      <ul class="rows">
        {codes.map((code) => (
          <PageLink
            key={code}
            href={pagePaths.problem(code)}
            label={<code>{code}</code>}
            tag={errorCatalogue[code].status}
            text={titleOf(code)}
          />
        ))}
      </ul>
    </Layout>
  );
}

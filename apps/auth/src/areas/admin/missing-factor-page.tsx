import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

interface MissingFactorPageProps {
  readonly frame: Frame;
  readonly username: string;
  /** `new`: a factor was added after the role was given. */
  readonly factors: 'none' | 'new';
}

/** All that an operator sees without a second factor that counts. */
export function MissingFactorPage({ frame, username, factors }: MissingFactorPageProps): VNode {
  const { factors: texts } = frame.messages.admin;
  return (
    <Layout frame={frame} title={texts.title} kind="card" section="admin">
      <h1>{texts.title}</h1>
      <p>{texts[factors]}</p>
      <p>{texts.command}</p>
      <pre>
        <code>{`linnet user grant-operator ${username}`}</code>
      </pre>
      <a class="button wide" href={pagePaths.security}>
        {texts.add}
      </a>
    </Layout>
  );
}

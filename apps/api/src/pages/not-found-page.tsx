import type { VNode } from 'preact';

import { PageLayout } from './page-layout.tsx';
import type { PageFrame } from './page-layout.tsx';

/** One page for unknown, deleted and hidden content, so that it reveals nothing. */
export function NotFoundPage({ frame }: { readonly frame: PageFrame }): VNode {
  const { texts } = frame;
  return (
    <PageLayout frame={frame} title={texts.notFoundTitle} kind="card">
      <h1>{texts.notFoundTitle}</h1>
      <p>{texts.notFoundText}</p>
      <p>
        <a class="button quiet-button" href="/">
          {texts.toHome}
        </a>
      </p>
    </PageLayout>
  );
}

import type { Account } from '@linnet/contract/objects';
import { printableText } from '@linnet/ui/inert-text';
import { LinkedText, Time } from '@linnet/ui/post.tsx';
import type { ShownPart } from '@linnet/ui/post.tsx';
import type { VNode } from 'preact';

import { PageLayout } from './page-layout.tsx';
import type { PageFrame } from './page-layout.tsx';

/** A text of the post, and when it was written. */
interface ShownVersion {
  readonly id: number;
  readonly created_at: string;
  readonly parts: readonly ShownPart[];
}

interface HistoryPageProps {
  readonly frame: PageFrame;
  readonly post: { readonly link: string; readonly user: Pick<Account, 'displayName'> };
  /** Newest first; the first one is the current text. */
  readonly versions: readonly ShownVersion[];
}

/** `/p/{id}/history`. Search engines do not list it. */
export function HistoryPage({ frame, post, versions }: HistoryPageProps): VNode {
  const { texts } = frame;
  const title = texts.versionsOf(printableText(post.user.displayName));
  return (
    <PageLayout frame={frame} title={title} kind="area">
      <h1>{title}</h1>
      <p>
        <a href={post.link}>{texts.showPost}</a>
      </p>
      <ol class="rows">
        {versions.map(({ id, created_at: writtenAt, parts }, index) => (
          <li key={id} class="row">
            <p class="quiet small">
              <Time at={writtenAt} texts={texts} />
              {index === 0 ? ` · ${texts.currentVersion}` : null}
            </p>
            <p class="text" dir="auto">
              <LinkedText parts={parts} />
            </p>
          </li>
        ))}
      </ol>
    </PageLayout>
  );
}

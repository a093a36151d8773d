import type { VNode } from 'preact';

import { Paged } from '../parts/paged.tsx';
import { useWarbler } from '../warbler.ts';
import { renderPost } from './feed-page.tsx';
import { PageHead } from './page-head.tsx';

/** The latest posts of everyone, for people who follow nobody yet. */
export function ExplorePage(): VNode {
  const { texts, session } = useWarbler();
  return (
    <>
      <PageHead title={texts.explore.title} />
      <Paged
        list={session.explore()}
        render={renderPost}
        label={texts.explore.title}
        empty={<p class="empty-title">{texts.feed.empty}</p>}
      />
    </>
  );
}

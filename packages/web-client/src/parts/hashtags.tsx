import type { Hashtag } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

import { paths } from '../router.ts';
import { useClient } from '../client.ts';
import { FollowHashtag } from './follow-button.tsx';

export function Hashtags({ hashtags }: { readonly hashtags: readonly Hashtag[] }): VNode {
  return (
    <ul class="hashtags">
      {hashtags.map((hashtag) => (
        <li key={hashtag.text}>
          <a class="button quiet" href={paths.hashtag(hashtag.text)}>
            #{hashtag.text}
          </a>
          <FollowHashtag hashtag={hashtag} isSmall />
        </li>
      ))}
    </ul>
  );
}

/** What many people write about at the moment. Nothing, if there is nothing. */
export function Trending(): VNode | null {
  const { texts, session } = useClient();
  const [hashtags, setHashtags] = useState<readonly Hashtag[]>([]);
  const id = useId();
  useEffect(() => void session.trending().then(setHashtags), [session]);
  if (hashtags.length === 0) return null;
  return (
    <section class="trending" aria-labelledby={id}>
      <h2 id={id}>{texts.first.hashtags}</h2>
      <Hashtags hashtags={hashtags} />
    </section>
  );
}

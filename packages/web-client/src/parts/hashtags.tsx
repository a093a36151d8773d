import type { Hashtag } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

import { paths } from '../router.ts';
import { useClient } from '../client.ts';

export function Hashtags({ hashtags }: { readonly hashtags: readonly Hashtag[] }): VNode {
  return (
    <p class="hashtags">
      {hashtags.map(({ text }) => (
        <a key={text} class="button quiet" href={paths.hashtag(text)}>
          #{text}
        </a>
      ))}
    </p>
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

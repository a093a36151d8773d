import type { ListedPost, PostVersion } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import { useClient } from '../client.ts';
import { Modal } from './modal.tsx';
import { Moment } from './moment.tsx';
import { Paged } from './paged.tsx';
import { PostText } from './post-text.tsx';

interface OfPost {
  readonly post: ListedPost;
}

/** Says that a post was edited, and shows what it said before. */
export function Edited({ post }: OfPost): VNode {
  const { texts } = useClient();
  const [isOpen, open] = useState(false);
  return (
    <>
      <button type="button" class="when edited" aria-haspopup="dialog" onClick={() => open(true)}>
        {texts.post.edited}
      </button>
      {isOpen && <Versions post={post} close={() => open(false)} />}
    </>
  );
}

function Versions({ post, close }: OfPost & { readonly close: () => void }): VNode {
  const { texts, session } = useClient();
  const list = useMemo(() => session.versions(post.id), []);
  return (
    <Modal title={texts.post.versions} closeLabel={texts.menu.close} kind="versions" onClose={close}>
      <Paged list={list} render={renderVersion} label={texts.post.versions} empty={undefined} />
    </Modal>
  );
}

const renderVersion = (version: PostVersion) => (
  <article class="version">
    <p class="when">
      <Moment at={version.created_at} />
    </p>
    <PostText post={version} />
  </article>
);

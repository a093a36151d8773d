import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { useCell } from '../data/cell.ts';
import { Avatar } from '../parts/account-row.tsx';
import { Empty } from '../parts/empty.tsx';
import { Icon } from '../parts/icons.tsx';
import { Paged } from '../parts/paged.tsx';
import { renderPost } from '../parts/post-card.tsx';
import { findUnconfirmedAddress } from '../session/sign-in.ts';
import { useClient } from '../client.ts';
import { FirstSteps } from './first-steps.tsx';
import { PageHead } from './page-head.tsx';

export function FeedPage(): VNode {
  const { texts, language, session, open } = useClient();
  const feed = session.feed();
  const { newer } = useCell(feed.state);
  const showNewer = () => {
    feed.showNewer();
    scrollTo(0, 0);
  };
  return (
    <>
      <PageHead title={texts.feed.title} />
      <ConfirmAddress />
      <button type="button" class="prompt" onClick={() => open('compose')}>
        <Avatar src={session.person.avatar} size="usual" />
        <span>{texts.compose.hint}</span>
        <Icon name="compose" />
      </button>
      <FirstSteps />
      <div class="newer" role="status">
        {newer.length > 0 && (
          <button type="button" class="primary" data-key="newer" onClick={showNewer}>
            {texts.feed.newPosts(newer.length, language)}
          </button>
        )}
      </div>
      <Paged
        list={feed}
        render={renderPost}
        label={texts.feed.title}
        empty={<Empty title={texts.feed.empty} hint={texts.feed.emptyHint} />}
      />
    </>
  );
}

/** Says where the mail is with which the person confirms their address. */
function ConfirmAddress(): VNode | null {
  const { texts, settings } = useClient();
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (settings.sendsMail) void findUnconfirmedAddress().then(setAddress);
  }, []);
  if (address === undefined) return null;
  return (
    <p class="confirm-address">
      {texts.first.confirm(address)} <a href="/account/email">{texts.first.again}</a>
    </p>
  );
}

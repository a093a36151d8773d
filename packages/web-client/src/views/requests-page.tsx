import type { Account } from '@linnet/sdk';
import type { VNode } from 'preact';

import { AccountRow } from '../parts/account-row.tsx';
import { Empty } from '../parts/empty.tsx';
import { Paged } from '../parts/paged.tsx';
import { useClient } from '../client.ts';
import { PageHead } from './page-head.tsx';

export function RequestsPage(): VNode {
  const { texts, session } = useClient();
  return (
    <>
      <PageHead title={texts.requests.title} />
      <p class="page-lead">{texts.requests.lead}</p>
      <Paged
        list={session.requests}
        render={(account) => <RequestRow account={account} />}
        label={texts.requests.title}
        empty={<Empty title={texts.requests.empty} hint={texts.requests.emptyHint} />}
      />
    </>
  );
}

function RequestRow({ account }: { readonly account: Account }): VNode {
  const { texts, session, notify, report } = useClient();
  const { id, username } = account;
  const answer = async (decision: 'requestsApprove' | 'requestsReject') => {
    await session.linnet.follows[decision]({ id });
    session.requests.remove((one) => one.id === id);
    session.waiting.set(Math.max(0, session.waiting.get() - 1));
    notify(decision === 'requestsApprove' ? texts.requests.approved(username) : texts.requests.rejected(username));
  };
  return (
    <AccountRow account={account}>
      <button type="button" class="primary" onClick={() => void answer('requestsApprove').catch(report)}>
        {texts.requests.approve} <span class="unseen">@{username}</span>
      </button>
      <button type="button" class="quiet" onClick={() => void answer('requestsReject').catch(report)}>
        {texts.requests.reject} <span class="unseen">@{username}</span>
      </button>
    </AccountRow>
  );
}

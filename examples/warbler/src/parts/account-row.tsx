import type { Account } from '@linnet/sdk';
import type { ComponentChildren, VNode } from 'preact';

import { paths } from '../router.ts';
import { AccountName } from './account-name.tsx';
import { Avatar } from './avatar.tsx';

interface AccountRowProps {
  readonly account: Account;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** An account in a list. */
export function AccountRow({ account, children }: AccountRowProps): VNode {
  return (
    <div class="account-row" data-href={paths.profile(account.username)}>
      <a class="portrait" href={paths.profile(account.username)} tabIndex={-1} aria-hidden="true">
        <Avatar src={account.avatar} size="usual" />
      </a>
      <div>
        <AccountName account={account} />
        {account.description !== '' && <p class="description">{account.description}</p>}
      </div>
      <div class="row-actions">{children}</div>
    </div>
  );
}

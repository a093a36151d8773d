import type { Account } from '@linnet/sdk';
import type { VNode } from 'preact';

import { paths } from '../router.ts';
import { useClient } from '../client.ts';
import { VerifiedBadge } from './icons.tsx';

type Named = Pick<Account, 'displayName' | 'username' | 'verified'>;

/** The name of an account, which leads to its profile. */
export function AccountName({ account }: { readonly account: Named }): VNode {
  const { texts } = useClient();
  return (
    <span class="names">
      <a class="name" href={paths.profile(account.username)}>
        <bdi>{account.displayName}</bdi>
      </a>
      {account.verified === 1 && <VerifiedBadge label={texts.post.verified} />}
      <span class="username">@{account.username}</span>
    </span>
  );
}

interface AvatarProps {
  readonly src: string;
  readonly size: 'small' | 'usual' | 'large';
}

/** The picture of an account. Decoration: the name is always beside it. */
export function Avatar({ src, size }: AvatarProps): VNode {
  const pixels = { small: 32, usual: 44, large: 96 }[size];
  return (
    <img class={`avatar ${size}`} src={src} alt="" width={pixels} height={pixels} loading="lazy" decoding="async" />
  );
}

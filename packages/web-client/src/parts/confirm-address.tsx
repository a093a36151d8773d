import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { useClient } from '../client.ts';
import { findUnconfirmedAddress } from '../session/sign-in.ts';

/** Says where the mail is with which the person confirms their address. */
export function ConfirmAddress(): VNode | null {
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

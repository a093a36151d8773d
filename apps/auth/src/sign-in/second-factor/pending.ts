/** Between the password and the code, a sealed cookie holds the account whose password was correct. */
import type { Secret } from '@linnet/service/secret';
import type Koa from 'koa';
import { z } from 'zod';

import { createBrowserCookie } from '../../pages/http/browser-cookie.ts';
import { open, seal } from '@linnet/keys/sealing';

const purpose = 'linnet pending sign-in';
const pendingSeconds = 600;

const schema = z.object({ accountId: z.number(), epoch: z.number(), until: z.number() });

export interface Pending {
  /** Does nothing if the account was suspended or deleted a moment ago. */
  begin(ctx: Koa.Context, accountId: number): Promise<void>;
  /** Returns undefined if there is none, it has expired, or the password has changed since. */
  find(ctx: Koa.Context): Promise<number | undefined>;
  end(ctx: Koa.Context): void;
}

interface PendingOptions {
  readonly baseUrl: string;
  readonly secretKeys: readonly Secret[];
  readonly findEpoch: (accountId: number) => Promise<number | undefined>;
}

export function createPending({ baseUrl, secretKeys, findEpoch }: PendingOptions): Pending {
  const cookie = createBrowserCookie({ baseUrl, name: 'linnet_second_factor', maxAgeSeconds: pendingSeconds });
  return {
    begin: async (ctx, accountId) => {
      const epoch = await findEpoch(accountId);
      if (epoch === undefined) return;
      const content = { accountId, epoch, until: Date.now() + pendingSeconds * 1000 };
      cookie.write(ctx, await seal(JSON.stringify(content), purpose, secretKeys));
    },
    find: async (ctx) => {
      const sealed = cookie.read(ctx);
      const text = sealed === undefined ? undefined : await open(sealed, purpose, secretKeys);
      if (text === undefined) return undefined;
      const { accountId, epoch, until } = schema.parse(JSON.parse(text));
      return until > Date.now() && (await findEpoch(accountId)) === epoch ? accountId : undefined;
    },
    end: (ctx) => {
      cookie.write(ctx, '-');
    },
  };
}

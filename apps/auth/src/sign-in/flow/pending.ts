/** Between two pages of a sign-in, a sealed cookie holds the account and how the person has proven to be its owner. */
import { open, seal } from '@linnet/keys/sealing';
import type { Secret } from '@linnet/service/config/secret';
import type Koa from 'koa';
import { z } from 'zod';

import { createBrowserCookie } from '../../pages/form/csrf.ts';
import { authenticationMethods } from '../../protocol/session/session.ts';
import type { SignInProof } from '../../protocol/session/session.ts';
import type { SignInAccount } from './pending-store.ts';

const pendingSeconds = 600;

const schema = z.object({
  accountId: z.number(),
  epoch: z.number(),
  methods: z.array(z.enum(authenticationMethods)),
  upstream: z
    .object({ issuer: z.string(), sid: z.string(), acr: z.string(), authTime: z.number() })
    .partial({ sid: true, acr: true, authTime: true })
    .optional(),
  until: z.number(),
});

export interface PendingSignIn extends SignInAccount, SignInProof {
  readonly accountId: number;
}

export interface Pending {
  /** Does nothing if the account was erased a moment ago. */
  begin(ctx: Koa.Context, accountId: number, proof: SignInProof): Promise<void>;
  /** Returns undefined if there is none, it has expired, or the password has changed since. */
  find(ctx: Koa.Context): Promise<PendingSignIn | undefined>;
  end(ctx: Koa.Context): void;
}

interface PendingOptions {
  readonly baseUrl: string;
  /** `second_factor`: the code follows. `restoration`: the account is deleted or suspended; the person decides what to do. */
  readonly step: 'second_factor' | 'restoration';
  readonly secretKeys: readonly Secret[];
  readonly findAccount: (accountId: number) => Promise<SignInAccount | undefined>;
}

const purposes = { second_factor: 'linnet pending sign-in', restoration: 'linnet pending restoration' } as const;

export function createPending({ baseUrl, step, secretKeys, findAccount }: PendingOptions): Pending {
  const cookie = createBrowserCookie({ baseUrl, name: `linnet_${step}`, maxAgeSeconds: pendingSeconds });
  const purpose = purposes[step];
  return {
    begin: async (ctx, accountId, { methods, upstream }) => {
      const account = await findAccount(accountId);
      if (account === undefined) return;
      const content = { accountId, epoch: account.epoch, methods, upstream, until: Date.now() + pendingSeconds * 1000 };
      cookie.write(ctx, seal(JSON.stringify(content), purpose, secretKeys));
    },
    find: async (ctx) => {
      const sealed = cookie.read(ctx);
      const text = sealed === undefined ? undefined : open(sealed, purpose, secretKeys);
      if (text === undefined) return undefined;
      const { accountId, epoch, methods, upstream, until } = schema.parse(JSON.parse(text));
      if (until <= Date.now()) return undefined;
      const account = await findAccount(accountId);
      return account?.epoch === epoch ? { ...account, accountId, methods, upstream } : undefined;
    },
    end: (ctx) => {
      cookie.write(ctx, '-');
    },
  };
}

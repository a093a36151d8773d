/**
 * What people typed into a form that could not be accepted, because their session had ended. Its page shows it again after the
 * sign-in and never sends it. Only the same person in the same browser can read it.
 */
import { hash } from 'node:crypto';

import type { Queryable } from '@linnet/db/statement/transaction';
import type Koa from 'koa';
import { z } from 'zod';

import type { Csrf } from '../../pages/form/csrf.ts';
import { createForm, unkeptFields } from '../../pages/form/form.ts';
import type { Form } from '../../pages/form/form.ts';
import { deleteArtifact, findArtifact, replaceArtifact } from '../../protocol/storage/artifact-store.ts';
import { nowSeconds, openPayload, sealPayload, sha256 } from '../../protocol/storage/stored-payload.ts';

const kind = 'KeptForm';
const keptSeconds = 900;

export interface KeptForms {
  /** Keeps the form that was sent to this path, without secrets. `accountId`: whom its page was for. */
  keep(ctx: Koa.Context, accountId: number, form: Form): Promise<void>;
  /** The form that was kept for the page at this path. */
  find(ctx: Koa.Context, accountId: number): Promise<Form | undefined>;
  forget(ctx: Koa.Context, accountId: number): Promise<void>;
}

const schema = z.object({ exp: z.number(), path: z.string(), pairs: z.array(z.tuple([z.string(), z.string()])) });

export function createKeptForms(db: Queryable, csrf: Pick<Csrf, 'findBrowserId'>): KeptForms {
  /** Nobody who reads the database knows it. Paths share 16 of them, so that a person can store little. */
  function findId(ctx: Koa.Context, accountId: number): string | undefined {
    const [slot = ''] = hash('sha256', ctx.path);
    const browser = csrf.findBrowserId(ctx);
    return browser === undefined ? undefined : `${browser} ${String(accountId)} ${slot}`;
  }
  return {
    keep: async (ctx, accountId, form) => {
      const id = findId(ctx, accountId);
      if (id === undefined) return;
      const pairs = form.pairs.filter(([name]) => !unkeptFields.has(name));
      const exp = nowSeconds() + keptSeconds;
      const payload = sealPayload(id, { exp, path: ctx.path, pairs });
      await replaceArtifact(db, { kind, idSha256: sha256(id), payload, expiresAt: new Date(exp * 1000) });
    },
    find: async (ctx, accountId) => {
      const id = findId(ctx, accountId);
      const found = id === undefined ? undefined : await findArtifact(db, kind, sha256(id));
      if (id === undefined || found === undefined) return undefined;
      const { exp, path, pairs } = schema.parse(openPayload(id, found.payload));
      return path === ctx.path && exp > nowSeconds() ? createForm(pairs) : undefined;
    },
    forget: async (ctx, accountId) => {
      const id = findId(ctx, accountId);
      if (id !== undefined) await deleteArtifact(db, kind, sha256(id));
    },
  };
}

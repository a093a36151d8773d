/** Keeps a form in a hidden field, encrypted, while the person confirms their identity: nothing they typed is lost. */
import type { Secret } from '@linnet/service/config/secret';
import { z } from 'zod';

import { createForm } from '../../pages/form/form.ts';
import type { Form } from '../../pages/form/form.ts';
import { open, seal } from '@linnet/keys/sealing';

const purpose = 'linnet held form';
const lifetimeMs = 900_000;
/** The limit of `readForm` leaves no room for more. */
const maxLength = 60_000;

/** Whose form it is, and the path it was sent to. */
export interface FormTarget {
  readonly accountId: number;
  readonly path: string;
}

const schema = z.object({
  accountId: z.number(),
  path: z.string(),
  until: z.number(),
  pairs: z.array(z.tuple([z.string(), z.string()])),
});

/** Returns undefined if the form is too long. */
export function sealForm(form: Form, target: FormTarget, keys: readonly Secret[]): string | undefined {
  const { accountId, path } = target;
  const sealed = seal(
    JSON.stringify({ accountId, path, until: Date.now() + lifetimeMs, pairs: form.pairs }),
    purpose,
    keys,
  );
  return sealed.length > maxLength ? undefined : sealed;
}

/** Returns undefined if the form has expired, or was sealed for another account or page. */
export function unsealForm(text: string, target: FormTarget, keys: readonly Secret[]): Form | undefined {
  const opened = open(text, purpose, keys);
  if (opened === undefined) return undefined;
  const { accountId, path, until, pairs } = schema.parse(JSON.parse(opened));
  const matches = accountId === target.accountId && path === target.path && until > Date.now();
  return matches ? createForm(pairs) : undefined;
}

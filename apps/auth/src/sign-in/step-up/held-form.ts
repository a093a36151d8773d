/** A form that waits in a hidden field, so that nothing that was typed is lost: nobody but this service can read it. */
import type { Secret } from '@linnet/service/secret';
import { z } from 'zod';

import { createForm } from '../../pages/http/form.ts';
import type { Form } from '../../pages/http/form.ts';
import { open, seal } from '@linnet/keys/sealing';

const purpose = 'linnet held form';
const heldMs = 900_000;
/** A form has room for no more. */
const maxLength = 60_000;

/** Whose form it is, and where it was sent. */
export interface HeldFor {
  readonly accountId: number;
  readonly path: string;
}

const schema = z.object({
  accountId: z.number(),
  path: z.string(),
  until: z.number(),
  pairs: z.array(z.tuple([z.string(), z.string()])),
});

/** Undefined when it is too long to be held. */
export async function holdForm(form: Form, heldFor: HeldFor, keys: readonly Secret[]): Promise<string | undefined> {
  const { accountId, path } = heldFor;
  const sealed = await seal(
    JSON.stringify({ accountId, path, until: Date.now() + heldMs, pairs: form.pairs }),
    purpose,
    keys,
  );
  return sealed.length > maxLength ? undefined : sealed;
}

/** Undefined when it was held for too long, for somebody else, or for another page. */
export async function releaseForm(text: string, heldFor: HeldFor, keys: readonly Secret[]): Promise<Form | undefined> {
  const opened = await open(text, purpose, keys);
  if (opened === undefined) return undefined;
  const { accountId, path, until, pairs } = schema.parse(JSON.parse(opened));
  const isMeant = accountId === heldFor.accountId && path === heldFor.path && until > Date.now();
  return isMeant ? createForm(pairs) : undefined;
}

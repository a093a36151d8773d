/**
 * Payloads that only the holder of the record's id can read. The database has the SHA-256 of the id, so anyone who reads
 * the database learns neither the id nor the ids of other records that the payload contains.
 */
import { open, seal } from '@linnet/keys/sealing';
import { Secret } from '@linnet/service/config/secret';
import { z } from 'zod';

type Payload = Readonly<Record<string, unknown>>;

const purpose = 'linnet oauth record';
const sealedPayload = z.object({ sealed: z.string() });
const openedPayload = z.record(z.string(), z.unknown());

/** Seals the payload under a key derived from `id`. The times stay readable: `{ iat, exp, sealed }`. */
export async function sealPayload(id: string, payload: Payload): Promise<Payload> {
  const { iat, exp, ...rest } = payload;
  return { iat, exp, sealed: await seal(JSON.stringify(rest), purpose, [new Secret(id)]) };
}

/**
 * Reads what `sealPayload` returned, and payloads that were stored before payloads were sealed.
 * @throws TypeError if the sealed text was changed or belongs to another id
 */
export async function openPayload(id: string, stored: Payload): Promise<Payload> {
  const { success, data } = sealedPayload.safeParse(stored);
  if (!success) return stored;
  const text = await open(data.sealed, purpose, [new Secret(id)]);
  if (text === undefined) throw new TypeError('the record cannot be decrypted with its id');
  const { iat, exp } = stored;
  return { ...openedPayload.parse(JSON.parse(text)), iat, exp };
}

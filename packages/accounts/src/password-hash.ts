import { hash } from '@node-rs/argon2';

/** OWASP Password Storage Cheat Sheet, Argon2id (the library's default variant): 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password with Argon2id into a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password, cost);
}

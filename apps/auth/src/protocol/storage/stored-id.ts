import { createHash } from 'node:crypto';

/** What is stored of an id that opens something: its SHA-256 (checklist CA3). */
export function sha256(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}

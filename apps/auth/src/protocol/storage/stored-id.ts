import { hash } from 'node:crypto';

/** The stored form of an id that grants access (checklist CA3). */
export function sha256(id: string): Buffer {
  return hash('sha256', id, 'buffer');
}

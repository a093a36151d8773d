import pg from 'pg';
import { expect, test } from 'vitest';

import { DatabaseUnavailable, toDatabaseError } from './database-error.ts';

function databaseError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('planted', 0, 'error'), { code });
}

// Most errors are provoked in database.store.test.ts. These reach a statement only if it is sent in the moment in which
// PostgreSQL ends the session.
test.each(['25P03', '25P04', '57P05'])('the end of a session by a timeout (%s) is an outage, not a bug', (code) => {
  expect(toDatabaseError(databaseError(code))).toBeInstanceOf(DatabaseUnavailable);
});

test.each(['EMFILE', 'ENFILE'])('no file descriptor for a connection (%s) is an outage, not a bug', (code) => {
  const error = Object.assign(new Error(`connect ${code} 127.0.0.1:5432 - Local (undefined:undefined)`), { code });
  expect(toDatabaseError(error)).toBeInstanceOf(DatabaseUnavailable);
});

test('an error of a statement is a bug', () => {
  const error = databaseError('42601');
  expect(toDatabaseError(error)).toBe(error);
});

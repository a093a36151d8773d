import { AccountTaken } from '@linnet/accounts/account';
import { DatabaseUnavailable } from '@linnet/db/connection/database-error';
import { MigrationError } from '@linnet/db/migration/migration-error';
import { ConfigurationError } from '@linnet/service/config/configuration-error';
import { CommanderError } from 'commander';
import { expect, test } from 'vitest';

import { CommandError } from './failure.ts';
import { describeFailure } from './report-failure.ts';

function systemError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** What Node throws if every address of a host refuses the connection. */
function withoutMessage(errors: readonly Error[]): AggregateError {
  return Object.assign(new AggregateError(errors, 'see errors'), { code: 'ECONNREFUSED', message: '' });
}

const refused = systemError('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432');

test.each([
  [new CommandError('port-taken', 'taken'), 'port-taken', 'taken'],
  [new CommanderError(1, 'commander.unknownOption', "error: unknown option '--x'"), 'usage', "unknown option '--x'"],
  [new ConfigurationError(['PORT: bad', 'HOST: bad']), 'configuration', 'PORT: bad\nHOST: bad'],
  [new MigrationError('failed earlier'), 'migration', 'failed earlier'],
  [new MigrationError('too old', { code: 'database-too-old' }), 'database-too-old', 'too old'],
  [new AccountTaken(['email']), 'email-taken', 'The e-mail address belongs to another account.'],
  [
    new AccountTaken(['email', 'username']),
    'email-taken',
    'The e-mail address belongs to another account.\nThe username is taken or reserved. Choose another one.',
  ],
  [
    new DatabaseUnavailable('unreachable', { cause: refused }),
    'database-unavailable',
    'DATABASE_URL: the database cannot be reached (connect ECONNREFUSED 127.0.0.1:5432)',
  ],
  [
    new DatabaseUnavailable('unreachable', { cause: withoutMessage([refused, refused]) }),
    'database-unavailable',
    `DATABASE_URL: the database cannot be reached (${refused.message}; ${refused.message})`,
  ],
])('%s', (error, code, message) => {
  expect(describeFailure(error)).toEqual({ code, message, isUnexpected: false });
});

test('a connection that something else than the database refused is not reported as the database', () => {
  const code = 'failed';
  expect(describeFailure(refused)).toEqual({ code, message: refused.message, isUnexpected: true });
});

test('any other error is unexpected', () => {
  expect(describeFailure(new TypeError('x is not a function'))).toEqual({
    code: 'failed',
    message: 'x is not a function',
    isUnexpected: true,
  });
});

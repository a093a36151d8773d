/** Objects and parameters of the admin API. */
import { z } from 'zod';

import { isPrintable } from '../name-text.ts';
import { counterOf, createdAt, idOf } from '../object-fields.ts';
import { idParameter } from '../parameters.ts';
import { blockActs, blockKinds, registrationMarks } from '../registration-block.ts';

const text = (description: string) => z.string().meta({ description });
const flag = (description: string) => z.boolean().meta({ description });
const timeOf = (what: string) => createdAt.nullable().meta({ description: `When ${what} (RFC 3339); null: never.` });

const mark = z.enum(registrationMarks).nullable().meta({
  description:
    'Kind of the block that matched the registration, `no_proof` without a proof of work, or `limited_inviter` by invitation of a limited account; null: none.',
});

export const accountStates = ['active', 'limited', 'suspended', 'deleted'] as const;

const listedAccount = z.object({
  id: idOf('account'),
  username: text('Username.'),
  display_name: text('Name, as people see it.'),
  email: text('E-mail address.'),
  state: z
    .enum(accountStates)
    .meta({ description: 'Who is limited is seen by followers only. Who is suspended or deleted cannot sign in.' }),
  verified: flag('Whether an operator verified it.'),
  email_confirmed: flag('Whether the person confirmed the e-mail address.'),
  operator: flag('Whether it is an operator, whom only commands change.'),
  mark,
  created_at: createdAt,
});
export const listedAccountSchema = listedAccount.meta({ id: 'ListedAccount', description: 'An account in a list.' });

export const adminAccountSchema = listedAccount
  .extend({
    protected: flag('Whether only followers see its posts.'),
    limited_at: timeOf('it was limited'),
    suspended_at: timeOf('it was suspended'),
    shown_reason: z.string().nullable().meta({ description: 'What the person was shown when it was suspended.' }),
    appeal: z.string().nullable().meta({ description: 'What the person says to the suspension.' }),
    appealed_at: timeOf('the person appealed'),
    deleted_at: timeOf('it was deleted'),
    posts: counterOf('posts'),
    followers: counterOf('followers'),
    applications: counterOf('applications that it owns'),
    second_factor: flag('Whether it has a passkey or an authenticator app.'),
    invited_by: z.string().nullable().meta({ description: 'Username of the person who invited it; null: none.' }),
    invited: counterOf('accounts that it invited'),
  })
  .meta({ id: 'Account', description: 'An account.' });

export const sessionSchema = z
  .object({
    uid: text('Id of the session.'),
    user_agent: text('What the browser says about itself; may be empty.'),
    address: text('IP address.'),
    signed_in_at: createdAt,
    last_seen_at: createdAt,
  })
  .meta({ id: 'Session', description: 'A session in a browser.' });

export const grantSchema = z
  .object({
    client_id: text('The application.'),
    name: text('Name of the application.'),
    scope: text('What it may do, separated by spaces.'),
    connected_at: createdAt,
    last_used_at: timeOf('it last got tokens'),
  })
  .meta({ id: 'Grant', description: 'A connected application.' });

export const registrationSchema = z
  .object({
    id: idOf('registration'),
    username: text('Username that the account gets.'),
    display_name: text('Name, as people will see it.'),
    email: text('E-mail address.'),
    reason: text('Why the person wants an account; may be empty.'),
    client_id: z.string().nullable().meta({ description: 'The application that sent it; null: the page.' }),
    mark,
    created_at: createdAt,
  })
  .meta({ id: 'Registration', description: 'A registration that waits for a decision.' });

const block = {
  kind: z.enum(blockKinds).meta({ description: 'What it is about.' }),
  value: text(
    'A domain with its sub-domains, of addresses or of mail servers; a network such as `192.0.2.0/24`, or a word in a name.',
  ),
  act: z.enum(blockActs).meta({ description: 'What happens to registrations that match.' }),
  note: text('For operators; may be empty.'),
};

export const newBlockParameters = {
  ...block,
  value: z.string({ error: 'must be a string' }).max(300, { error: 'must have at most 300 characters' }),
  act: block.act.default('refuse'),
  note: z.string({ error: 'must be a string' }).default('').meta({ description: 'For operators.' }),
  until: z
    .string({ error: 'must be a string' })
    .nullable()
    .default(null)
    .meta({ description: 'When it ends: a day (UTC), or a time (RFC 3339); null: never.', examples: ['2027-01-31'] }),
};

export const blockSchema = z
  .object({
    id: idOf('block'),
    ...block,
    until: timeOf('it ends'),
    ended: flag('Whether it has ended.'),
    created_at: createdAt,
  })
  .meta({ id: 'Block', description: 'A block of registrations.' });

export const savedBlockSchema = z
  .object({ id: idOf('block') })
  .meta({ id: 'SavedBlock', description: 'It is in force.' });

const maxUses = 10_000;
const maxDays = 365;

/** A number in a JSON body. */
function numberUpTo(max: number) {
  const error = `must be an integer from 1 to ${String(max)}`;
  return z.int({ error }).min(1, { error }).max(max, { error });
}

export const newInvitationParameters = {
  uses: numberUpTo(maxUses).default(1).meta({ description: 'How many people can register with it.' }),
  days: numberUpTo(maxDays).default(14).meta({ description: 'In how many days it expires.' }),
  note: z
    .string({ error: 'must be a string' })
    .max(200, { error: 'must have at most 200 characters' })
    .refine((note) => note === '' || isPrintable(note), { error: 'must be one line of visible characters' })
    .default('')
    .meta({ description: 'What it is for, without names and addresses.' }),
};

export const invitationSchema = z
  .object({
    id: idOf('invitation'),
    owner: z.string().nullable().meta({ description: 'Username of the person who made it; null: an operator did.' }),
    note: text('What it is for; may be empty.'),
    uses: counterOf('people who registered with it'),
    max_uses: z.int().min(1).meta({ description: 'How many people can register with it.' }),
    created_at: createdAt,
    expires_at: createdAt.meta({ description: 'When it expires (RFC 3339).' }),
  })
  .meta({ id: 'Invitation', description: 'An invitation to register.' });

export const createdInvitationSchema = z
  .object({
    id: idOf('invitation'),
    code: text('What an application sends as `invitation`.'),
    link: text('The page on which people register with it.'),
  })
  .meta({ id: 'CreatedInvitation', description: 'A new invitation. Nothing shows its code again.' });

const caseTypes = ['account', 'post', 'comment'] as const;
export const caseOutcomes = ['dismissed', 'deleted', 'suspended'] as const;

const listedCase = z.object({
  id: idOf('case'),
  type: z.enum(caseTypes).meta({ description: 'What was reported.' }),
  subject_id: idOf('account, post or comment'),
  account_id: idOf('account whose it is'),
  username: text('Username of that account.'),
  exists: flag('Whether it still exists.'),
  reports: counterOf('reports'),
  reasons: z.array(z.string()).meta({ description: 'Reasons, the most frequent first.' }),
  content: text('What was reported, as it was at the last report.'),
  outcome: z.enum(caseOutcomes).nullable().meta({ description: 'How it was resolved; null: it is open.' }),
  rule: z.string().nullable().meta({ description: 'The rule that the operator applied; null: it is open.' }),
  created_at: createdAt,
  latest_at: createdAt.meta({ description: 'When it was last reported (RFC 3339).' }),
});
export const listedCaseSchema = listedCase.meta({ id: 'ListedCase', description: 'The reports of one subject.' });

export const caseSchema = listedCase
  .extend({
    latest: z
      .array(
        z.object({
          id: idOf('report'),
          reporter_id: z.int().nullable().meta({ description: 'Id of the account that sent it; null: it was erased.' }),
          reason: text('Reason.'),
          text: text('What the reporter wrote; may be empty.'),
          created_at: createdAt,
        }),
      )
      .meta({ description: 'The newest reports, newest first.' }),
  })
  .meta({ id: 'Case', description: 'The reports of one subject.' });

export const applicationSchema = z
  .object({
    client_id: text('Its id.'),
    name: text('Name, as people see it.'),
    type: z.enum(['confidential', 'public', 'native']).meta({ description: 'Type.' }),
    owner: z.string().nullable().meta({ description: 'Username; null: it registered itself.' }),
    suspended: flag('Whether an operator suspended it.'),
    paused: flag('Whether its owner paused it.'),
    verified: flag('Whether an operator verified it.'),
    created_at: createdAt,
  })
  .meta({ id: 'Application', description: 'An application.' });

export const auditEventSchema = z
  .object({
    id: idOf('event'),
    at: createdAt,
    event: text('What happened, such as `account.suspended`.'),
    actor: z.enum(['person', 'application', 'operator', 'service', 'unknown']).meta({ description: 'Who did it.' }),
    account_id: z.int().nullable().meta({ description: 'The account that it is about.' }),
    client_id: z.string().nullable().meta({ description: 'The application that it is about.' }),
    request_id: z.string().nullable().meta({ description: 'The request.' }),
    address: z.string().nullable().meta({ description: 'IP address.' }),
    detail: z
      .record(z.string(), z.unknown())
      .meta({ description: 'More about it: `operator`, `reason` and `application` of an act, for example.' }),
  })
  .meta({ id: 'AuditEvent', description: 'An event of the audit log.' });

export const signingAlgorithms = ['ES256', 'RS256'] as const;
const keyStates = ['next', 'current', 'retired', 'revoked'] as const;

export const signingKeysSchema = z
  .object({
    items: z
      .array(
        z.object({
          kid: text('Its id, a thumbprint (RFC 7638).'),
          alg: z.enum(signingAlgorithms).meta({ description: 'Its algorithm.' }),
          state: z
            .enum(keyStates)
            .meta({ description: '`current` signs, `next` will, tokens of `retired` still count, `revoked` is over.' }),
          created_at: createdAt,
        }),
      )
      .meta({ description: 'By algorithm, the oldest first.' }),
  })
  .meta({ id: 'SigningKeys', description: 'The keys that sign tokens.' });

const counter = z.number().min(0);

export const countersSchema = z
  .object({
    people: counter.meta({ description: 'Accounts; above 10,000 an estimate, as posts, applications and sessions.' }),
    suspended: counter.meta({ description: 'Suspended accounts; at most 10,001, as all that waits.' }),
    applications: counter.meta({ description: 'Applications.' }),
    posts: counter.meta({ description: 'Posts.' }),
    reports: counter.meta({ description: 'Open cases.' }),
    registrations: counter.meta({ description: 'Registrations that wait.' }),
    sessions: counter.meta({ description: 'Active sessions.' }),
    mail: counter.meta({ description: 'Messages that wait.' }),
  })
  .meta({ id: 'Counters', description: 'What operators see at a glance.' });

export const doneSchema = z
  .object({ status: z.literal('succeeded') })
  .meta({ id: 'Done', description: 'The act was done.' });

export const decidedSchema = z
  .object({
    done: z.array(z.int()).meta({ description: 'Those that were decided.' }),
    taken: z.array(z.int()).meta({ description: 'Those whose name or address belongs to an account by now.' }),
  })
  .meta({
    id: 'Decided',
    description: 'Registrations that were decided. Others were decided before, or never existed.',
  });

/** A page of a list. `next` continues it. */
export function listOf(item: z.ZodType, id: string) {
  return z
    .object({
      items: z.array(item).meta({ description: 'The records of the page.' }),
      next: z.string().nullable().meta({ description: 'Value of `cursor` for the next page; null: there is none.' }),
    })
    .meta({ id, description: 'A page of a list.' });
}

const maxCount = 100;

/** Every list has them. */
export const pageParameters = {
  count: idParameter()
    .refine((count) => count <= maxCount, { error: `must be at most ${String(maxCount)}` })
    .default(50)
    .meta({ description: `Number of records on a page, up to ${String(maxCount)}.`, examples: [20] }),
  cursor: z
    .string({ error: 'must be the `next` of an earlier response' })
    .regex(/^[!-~]{1,400}$/, { error: 'must be the `next` of an earlier response' })
    .optional()
    .meta({ description: 'Where to continue: `next` of an earlier response.' }),
};

export const searchParameter = z
  .string({ error: 'must be a string' })
  .max(300, { error: 'must have at most 300 characters' })
  .default('');

export const clientIdParameter = z
  .string({ error: 'must be a string' })
  .min(1, { error: 'must not be blank' })
  .max(256, { error: 'must have at most 256 characters' })
  .meta({ description: 'The application.', examples: ['app_1234567890123456789012'] });

/** Of every act; the audit log keeps it. */
export const reasonParameter = z.string({ error: 'must be a string' }).meta({
  description:
    'Why, for the audit log: one line of up to 200 characters, without `@`, because the log must not name people.',
  examples: ['Ticket 4711'],
});

import type { PersonFacts } from '@linnet/accounts/operators/person-store';
import type { RegistrationMark } from '@linnet/contract/registration-block';
import { inertText, printableLines } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { Copyable } from '../../../pages/views/notice.tsx';
import type { Frame } from '../../../pages/frame/frame.ts';
import type { Messages } from '../../../pages/i18n/en/en.ts';
import { FactList } from '../admin-layout.tsx';
import type { Fact } from '../admin-layout.tsx';

interface PersonFactListProps {
  readonly frame: Frame;
  readonly person: PersonFacts;
}

export function PersonFactList({ frame, person }: PersonFactListProps): VNode {
  const { messages } = frame;
  const { person: texts } = messages.admin;
  const { username, email, createdAt, posts, followers } = person;
  const rows: readonly Fact[] = [
    [
      texts.facts.id,
      <>
        <Copyable frame={frame}>{String(person.id)}</Copyable> ·{' '}
        <a href={`/@${username}`}>
          <UserText text={`@${username}`} />
        </a>
      </>,
    ],
    [texts.facts.state, [...statesOf(frame, person), ...markOf(frame, person)].join(' · ')],
    [
      texts.facts.email,
      <>
        <UserText text={email} /> · {person.isEmailConfirmed ? texts.confirmed : texts.unconfirmed}
      </>,
    ],
    [texts.facts.factors, factorsOf(frame, person)],
    ...suspensionRows(frame, person),
    [texts.facts.registered, messages.formatDay(createdAt)],
    ...invitationRows(frame, person),
    [texts.facts.posts, texts.postsAndFollowers(posts, followers)],
    [texts.facts.applications, messages.formatNumber(person.applications)],
  ];
  return <FactList rows={rows} testId="facts" />;
}

function invitationRows({ messages }: Frame, { invitedBy, invited }: PersonFacts): readonly Fact[] {
  const { facts } = messages.admin.person;
  return [
    ...(invitedBy === null ? [] : [[facts.invitedBy, <UserText key="invitedBy" text={`@${invitedBy}`} />] as const]),
    ...(invited === 0 ? [] : [[facts.invited, messages.formatNumber(invited)] as const]),
  ];
}

/** Why the account is limited; what the person was shown, and what they said to it. */
function suspensionRows({ messages }: Frame, person: PersonFacts): readonly Fact[] {
  const { facts } = messages.admin.person;
  const { suspensionReason, limitReason, appeal, appealedAt } = person;
  return [
    ...(limitReason === null ? [] : [[facts.limitReason, printableLines(limitReason)] as const]),
    ...(suspensionReason === null ? [] : [[facts.suspensionReason, printableLines(suspensionReason)] as const]),
    ...(appeal === null || appealedAt === null
      ? []
      : [[facts.appeal, `${messages.formatMinute(appealedAt)}: ${printableLines(appeal)}`] as const]),
  ];
}

function statesOf({ messages }: Frame, person: PersonFacts): readonly string[] {
  const { people, person: texts } = messages.admin;
  const { suspendedAt, limitedAt, deletedAt, isVerified, isProtected, operatorSince } = person;
  const by = (username: string | null) => (username === null ? [] : [texts.by(inertText(`@${username}`))]);
  return [
    ...(suspendedAt === null && limitedAt === null && deletedAt === null ? [people.states.active] : []),
    ...(suspendedAt === null
      ? []
      : [texts.suspendedSince(messages.formatMinute(suspendedAt)), ...by(person.suspendedBy)]),
    ...(limitedAt === null ? [] : [texts.limitedSince(messages.formatMinute(limitedAt)), ...by(person.limitedBy)]),
    ...(deletedAt === null ? [] : [texts.deletedSince(messages.formatDay(deletedAt))]),
    ...(isVerified ? [messages.names.verified] : []),
    ...(isProtected ? [texts.protected] : []),
    ...(operatorSince === null ? [] : [people.operator]),
  ];
}

function markOf({ messages }: Frame, { mark }: PersonFacts): readonly string[] {
  return mark === null ? [] : [toMarkText(messages, mark)];
}

function factorsOf({ messages }: Frame, { passkeys, hasAuthenticatorApp }: PersonFacts): string {
  const { person: texts } = messages.admin;
  const factors = [
    ...(passkeys === 0 ? [] : [texts.passkeys(passkeys)]),
    ...(hasAuthenticatorApp ? [texts.authenticator] : []),
  ];
  return factors.length === 0 ? texts.noFactors : factors.join(', ');
}

/** What operators read about a registration that stood out. */
export function toMarkText({ admin: { blocks } }: Messages, mark: RegistrationMark): string {
  if (mark === 'no_proof') return blocks.noProof;
  return mark === 'limited_inviter' ? blocks.limitedInviter : blocks.matched(blocks.kinds[mark]);
}

import type { RegistrationMark } from '@linnet/contract/registration-block';

import type { Messages } from '../../pages/i18n/en/en.ts';

/** What operators read about a registration that stood out. */
export function toMarkText({ admin: { blocks } }: Messages, mark: RegistrationMark): string {
  if (mark === 'no_proof') return blocks.noProof;
  return mark === 'limited_inviter' ? blocks.limitedInviter : blocks.matched(blocks.kinds[mark]);
}

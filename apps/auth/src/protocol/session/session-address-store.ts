import { retention } from '@linnet/db/keep/retention';
import { createSweep } from '@linnet/db/keep/sweep';

/** Shortens the addresses of sessions, 7 days after their sign-in: to 24 bits of IPv4, and 48 of IPv6. */
export const shortenSessionAddresses = createSweep('session_address', {
  table: 'session',
  where: `created_at < now() - interval '${retention.session.address}' AND address <> '' AND position('/' IN address) = 0
    ORDER BY created_at`,
  set: `address = COALESCE(abbrev(shorten_address(parse_address(address))), '')`,
});

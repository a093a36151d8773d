/** The table `audit_address`: where events came from. It is not part of the chain, so addresses can be shortened. */
import { retention } from '@linnet/db/keep/retention';
import { createSweep } from '@linnet/db/keep/sweep';

/** Shortens addresses after 7 days: to 24 bits of IPv4, and 48 of IPv6. */
export const shortenAuditAddresses = createSweep('audit_address', {
  table: 'audit_address',
  where: `is_full AND at < now() - interval '${retention.audit_address.full}' ORDER BY at`,
  set: 'address = shorten_address(address), is_full = false',
});

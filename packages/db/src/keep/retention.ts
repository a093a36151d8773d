/** A PostgreSQL interval. */
type Period = `${number} ${'seconds' | 'minutes' | 'hour' | 'hours' | 'day' | 'days'}`;

/**
 * How long rows and files are kept, by table. The jobs that remove them and `docs/data.md` state the same periods:
 * `test/support/retention.store.test.ts` compares them.
 */
export const retention = {
  /** After the deletion; until then its owner or an operator can restore the account (decisions D21). */
  account: { deleted: '14 days' },
  /** After the rename (decisions D40). */
  old_username: { reserved: '30 days' },
  /** Then nobody will decide about it any more. */
  registration_request: { undecided: '90 days' },
  /** After the expiry, so that who made it can see who used it. */
  invitation: { expired: '30 days' },
  /** After the last use; `unused`: after the registration. Of applications without an owner. */
  application: { registered: '90 days', unused: '24 hours' },
  /** After the expiry, so that the owner can see why requests fail. */
  application_secret: { expired: '30 days' },
  /** The latest day of each application is kept. */
  application_usage: { day: '90 days' },
  endpoint_usage: { day: '90 days' },
  /** After the revocation, so that the person and the application's owner can see it. */
  grant: { revoked: '90 days' },
  /**
   * After the expiry: for clock differences, and so that a page that was open overnight still reports an expired interaction.
   * Nothing needs for long what strangers can make the service store: `expired_token` is still reported for some minutes
   * (RFC 8628 §3.5), and an interaction in which nobody signed in can be restarted for an hour.
   */
  oauth_artifact: { expired: '1 day', pending: '5 minutes', pendingInteraction: '1 hour' },
  /** After its end: its refresh tokens may have a year left (`refreshTokenTotal`). */
  ended_chain: { ended: '366 days' },
  /** After the expiry; the full address after the sign-in. */
  session: { expired: '1 day', address: '7 days' },
  /** After the last sign-in. */
  known_device: { seen: '400 days' },
  /** After what caused it; it is deleted with its cause before. */
  notification: { row: '90 days' },
  /** After the browser added it again, as it does when the person opens it; while nothing arrives. */
  push_subscription: { renewed: '90 days', failing: '7 days' },
  /**
   * Until it is sent; after that it is given up. A person who needs a reset link requests another one sooner. `proposals`: how long
   * the row stays after the message was sent, so that a person gets at most one an hour.
   */
  mail: { unsent: '24 hours', unsentReset: '60 minutes', proposals: '1 hour' },
  /** After the expiry. */
  mail_link: { expired: '1 day' },
  /** After the expiry. */
  email_change: { expired: '1 day' },
  /** Until it is delivered; after that it is given up. */
  backchannel_logout: { undelivered: '24 hours' },
  /** After an operator resolved it, with its reports. */
  report_case: { resolved: '90 days' },
  webhook_delivery: { row: '7 days' },
  request_log: { row: '7 days' },
  watched_request: { row: '1 hour' },
  /** The full address; then its network. */
  audit_address: { full: '7 days' },
  idempotency_record: { row: '24 hours' },
  /** A reader can resume for 24 hours. */
  event: { row: '25 hours' },
  /** The status page shows 24 hours. */
  status_sample: { minute: '25 hours' },
  /** After the day on which its reader last read it. */
  timeline: { unread: '7 days' },
  /** After it was published or rejected. */
  draft: { decided: '30 days' },
  /** Media that was never attached. */
  media: { unattached: '24 hours' },
  /** Files that no row names; files of messages, without a mail server. */
  file: { quarantined: '14 days', mail: '30 days' },
} as const satisfies Record<string, Readonly<Record<string, Period>>>;

const secondsIn = { seconds: 1, minutes: 60, hour: 3600, hours: 3600, day: 86_400, days: 86_400 } as const;

/** Milliseconds. */
export function durationOf(period: Period): number {
  const [number, unit] = period.split(' ') as [string, keyof typeof secondsIn]; // by its type
  return Number(number) * secondsIn[unit] * 1000;
}

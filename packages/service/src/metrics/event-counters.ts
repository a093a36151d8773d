const seriesOf = <Label extends string>(label: Label, values: readonly string[]) =>
  values.map((value) => ({ [label]: value }) as Readonly<Record<Label, string>>); // its only member

/**
 * What is counted when it happens. The values of labels come from the code, never from requests. Series of `shown` exist from
 * the start, so that Prometheus sees the first increase.
 */
export const counters = {
  tokensIssued: {
    name: 'linnet_tokens_issued_total',
    help: 'Successful token requests, by grant type.',
    labels: ['grant'],
    shown: seriesOf('grant', ['authorization_code', 'client_credentials', 'refresh_token', 'device_code', 'other']),
  },
  tokenRefusals: {
    name: 'linnet_token_refusals_total',
    help: 'Refused requests of applications to the OAuth endpoints, by error code.',
    labels: ['error'],
    shown: seriesOf('error', [
      ...[
        'invalid_client',
        'invalid_grant',
        'invalid_request',
        'invalid_scope',
        'invalid_target',
        'server_error',
        'other',
      ],
    ]),
  },
  signIns: {
    name: 'linnet_sign_ins_total',
    help: 'Sign-ins and confirmations of an identity: success, or why they were refused.',
    labels: ['kind', 'outcome'],
    shown: ['sign-in', 'confirmation'].flatMap((kind) =>
      ['success', 'credentials', 'throttled', 'second-factor', 'passkey'].map((outcome) => ({ kind, outcome })),
    ),
  },
  consents: {
    name: 'linnet_consents_total',
    help: 'Decisions of people about applications.',
    labels: ['decision'],
    shown: seriesOf('decision', ['given', 'refused', 'changed', 'revoked']),
  },
  accounts: {
    name: 'linnet_account_events_total',
    help: 'Accounts that were registered, deleted, exported or signed out.',
    labels: ['event'],
    shown: seriesOf('event', ['registered', 'signed-out', 'password-changed', 'exported', 'deleted', 'restored']),
  },
  mail: {
    name: 'linnet_mail_total',
    help: 'Attempts to send a message, by outcome.',
    labels: ['outcome'],
    shown: seriesOf('outcome', ['sent', 'delayed', 'given-up']),
  },
  logoutNotices: {
    name: 'linnet_logout_notices_total',
    help: 'Attempts to notify an application of the end of a session, by outcome.',
    labels: ['outcome'],
    shown: seriesOf('outcome', ['delivered', 'delayed', 'given-up']),
  },
  webhooks: {
    name: 'linnet_webhooks_total',
    help: 'Attempts to send a message to an address of an application, by outcome; addresses that were switched off.',
    labels: ['outcome'],
    shown: seriesOf('outcome', ['delivered', 'delayed', 'given-up', 'switched-off']),
  },
  reads: {
    name: 'linnet_reads_total',
    help: 'Calls that write nothing, by the database that answered; repeated: the primary, after a replica had failed.',
    labels: ['target'],
    shown: seriesOf('target', ['primary', 'replica', 'repeated']),
  },
  responseChecks: {
    name: 'linnet_response_checks_total',
    help: 'Responses of the API that were compared with their contract row. A mismatch is a bug.',
    labels: ['outcome'],
    shown: seriesOf('outcome', ['match', 'mismatch']),
  },
  failures: {
    name: 'linnet_request_failures_total',
    help: 'Requests to the authorization server that failed because of a bug or an unreachable database.',
    labels: [],
    shown: [{}],
  },
  jobRuns: {
    name: 'linnet_job_runs_total',
    help: 'Runs of jobs, by outcome.',
    labels: ['name', 'outcome'],
    shown: [],
  },
} as const;

export type CounterName = keyof typeof counters;

export type CounterLabels<Name extends CounterName> = Readonly<
  Record<(typeof counters)[Name]['labels'][number], string>
>;

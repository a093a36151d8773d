/** What is read whenever the metrics are read. `aggregator` combines the values of several processes. */
export const gauges = {
  poolSize: {
    name: 'linnet_pool_connections_max',
    help: 'Connections that the pools may open.',
    labels: ['pool'],
    aggregator: 'sum',
  },
  poolUsed: {
    name: 'linnet_pool_connections_used',
    help: 'Connections that statements or transactions are using.',
    labels: ['pool'],
    aggregator: 'sum',
  },
  poolOpen: {
    name: 'linnet_pool_connections_open',
    help: 'Connections that are open, used or idle.',
    labels: ['pool'],
    aggregator: 'sum',
  },
  poolWaiting: {
    name: 'linnet_pool_waiting',
    help: 'Statements and transactions that wait for a connection.',
    labels: ['pool'],
    aggregator: 'sum',
  },
  revocationLag: {
    name: 'linnet_revocation_lag_seconds',
    help: 'Age of what the slowest process knows about revocations. Above 0.9 s requests wait, then get 503.',
    labels: [],
    aggregator: 'max',
  },
  revocations: {
    name: 'linnet_revocations_known',
    help: 'Revocations that a process keeps in memory.',
    labels: [],
    aggregator: 'max',
  },
  queueLength: {
    name: 'linnet_queue_length',
    help: 'Rows that wait for a job, at most 10,000.',
    labels: ['queue'],
    aggregator: 'max',
  },
  queueDelay: {
    name: 'linnet_queue_delay_seconds',
    help: 'How long the row that has been due for the longest time has waited.',
    labels: ['queue'],
    aggregator: 'max',
  },
  reportsOpen: {
    name: 'linnet_reports_open',
    help: 'Accounts, posts and comments with reports that wait for an operator, at most 10,000.',
    labels: [],
    aggregator: 'max',
  },
  partitionsAhead: {
    name: 'linnet_partitions_ahead_seconds',
    help: 'For how long rows that are written have a partition, if no further one is created.',
    labels: ['table'],
    aggregator: 'min',
  },
  streams: {
    name: 'linnet_event_streams',
    help: 'Open streams of events.',
    labels: [],
    aggregator: 'sum',
  },
  streamLag: {
    name: 'linnet_event_stream_lag_seconds',
    help: 'Time since the slowest process last knew all events. Only processes that had a stream.',
    labels: [],
    aggregator: 'max',
  },
  replicaLag: {
    name: 'linnet_replica_lag_seconds',
    help: 'Age of what the slowest process knows a replica to have. Only replicas that are used.',
    labels: ['replica'],
    aggregator: 'max',
  },
  cacheServer: {
    name: 'linnet_cache_server_connected',
    help: 'Whether every process can reach the server of CACHE_URL: 1 or 0.',
    labels: [],
    aggregator: 'min',
  },
  cacheEntries: {
    name: 'linnet_cache_entries',
    help: 'Entries of a cache in memory.',
    labels: ['cache'],
    aggregator: 'sum',
  },
  cacheBytes: {
    name: 'linnet_cache_bytes',
    help: 'Memory that a cache takes, roughly.',
    labels: ['cache'],
    aggregator: 'sum',
  },
} as const;

export type GaugeName = keyof typeof gauges;

export type GaugeLabels<Name extends GaugeName> = Readonly<Record<(typeof gauges)[Name]['labels'][number], string>>;

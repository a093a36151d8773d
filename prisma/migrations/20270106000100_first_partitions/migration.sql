-- after: 0.1.0
-- From now on responses are in partitions, where servers of the version before do not find them. The job "partitions" creates the next ones.
SELECT create_partitions('idempotency_answer', '3 hours', now() + interval '24 hours', now() + interval '60 hours');

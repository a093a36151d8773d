-- What a pooler in transaction mode cannot pass on (docs/operations/README.md, Poolers).
ALTER ROLE linnet SET timezone = 'UTC';
ALTER ROLE linnet SET statement_timeout = '3s';
ALTER ROLE linnet SET lock_timeout = '1500ms';
ALTER ROLE linnet SET idle_in_transaction_session_timeout = '5s';
ALTER ROLE linnet SET plan_cache_mode = 'force_generic_plan';

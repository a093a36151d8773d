#!/bin/sh
# Lets standby.yaml copy the primary. It runs when the database is created, and can run again: docs/operations/containers.md
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --no-psqlrc --quiet --set ON_ERROR_STOP=1 <<'SQL'
\set password `cat /run/secrets/replication-password`
SELECT 'CREATE ROLE replicator' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'replicator') \gexec
ALTER ROLE replicator LOGIN REPLICATION PASSWORD :'password';
SQL
rule='host replication replicator samenet scram-sha-256'
grep --quiet --line-regexp "$rule" "$PGDATA/pg_hba.conf" || echo "$rule" >> "$PGDATA/pg_hba.conf"
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --no-psqlrc --quiet --output /dev/null --command 'SELECT pg_reload_conf()'

#!/bin/sh
# Starts a standby of the service `postgres`. The first start copies the primary; a copy that was interrupted begins again.
set -eu
umask 077
# Written at each start: the password is neither among the arguments nor in the volume.
printf 'postgres:5432:replication:replicator:%s\n' "$(cat /run/secrets/replication-password)" > /tmp/pgpass
primary='host=postgres port=5432 user=replicator passfile=/tmp/pgpass application_name=standby'
if [ ! -d "$PGDATA" ]; then
  rm -rf "$PGDATA.partial"
  pg_basebackup --dbname "$primary" --pgdata "$PGDATA.partial" --checkpoint fast
  touch "$PGDATA.partial/standby.signal"
  mv "$PGDATA.partial" "$PGDATA"
fi
# Queries are canceled less often with feedback.
exec postgres -c "primary_conninfo=$primary" -c hot_standby_feedback=on "$@"

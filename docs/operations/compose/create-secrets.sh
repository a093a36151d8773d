#!/bin/sh
# Creates the folder `secrets` for compose.yaml, once. Copy your certificate to secrets/certificate.pem: certificate, chain and key.
set -eu
cd -- "${1:-.}"
mkdir -m 700 secrets
password=$(openssl rand -hex 24)
printf %s "$password" > secrets/postgres-password
printf %s "postgresql://linnet:$password@pgbouncer:6432/linnet" > secrets/database-url
printf %s "postgresql://linnet:$password@postgres:5432/linnet" > secrets/database-direct-url
printf %s "postgresql://linnet:$password@standby:5432/linnet" > secrets/database-replica-url
openssl rand -hex 24 > secrets/replication-password
printf '"linnet" "%s"\n' "$password" > secrets/pgbouncer-users
cache_password=$(openssl rand -hex 24)
printf 'requirepass %s\nmaxmemory 64mb\nmaxmemory-policy volatile-ttl\nsave ""\n' "$cache_password" > secrets/cache.conf
printf %s "redis://:$cache_password@cache:6379" > secrets/cache-url
openssl rand -base64 48 > secrets/secret-keys
# The folder keeps other users of this machine out; the containers read the files as users of their own.
chmod 444 secrets/*

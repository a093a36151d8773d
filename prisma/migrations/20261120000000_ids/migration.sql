-- Ids that ascend with time and stay below 2^53, so that every JSON client reads them exactly:
-- milliseconds since 2026-01-01 (41 bits), then a cycling counter (12 bits).

CREATE SEQUENCE "id_low_bits" AS integer MINVALUE 0 MAXVALUE 4095 START 0 CYCLE;

CREATE FUNCTION "next_id"() RETURNS bigint
  LANGUAGE sql VOLATILE PARALLEL UNSAFE
  AS $$
    SELECT ((EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint - 1767225600000) << 12
           | nextval('id_low_bits')
  $$;

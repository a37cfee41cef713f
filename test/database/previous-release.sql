-- Rows as the release before wrote them: restaurant 101 has three uploads of a day, the second of which corrected an
-- hour and the third changed nothing; 102 has one of two hours. Amounts have decimals that no binary number has.
INSERT INTO restaurants (id, name, closed) VALUES (101, 'One', '{}'), (102, 'Two', '{[2025-12-24,2025-12-27)}');
INSERT INTO users (username, password_hash) VALUES
  ('till', '$2b$04$scM99PmGWgoKfgLJA3tnp.v0hqP4Hwfbse8A/yES0vAN7fsW8QriS');
INSERT INTO restaurant_grants (user_id, restaurant_id) SELECT id, 101 FROM users;
INSERT INTO tokens (jti, user_id, issued_at, expires_at)
  SELECT '5bd3fd0a-7a41-4d5c-9c61-3f3a3f6a1c2e', id, now(), now() + interval '2 hours' FROM users;
INSERT INTO audit_log (actor, action, subject, outcome) VALUES ('administrator:root', 'user add', 'till', 'success');
INSERT INTO known_addresses SELECT id, '127.0.0.1', now() FROM users;

CREATE TEMPORARY TABLE sent AS
  SELECT 101 AS restaurant_id, 1 AS number, h::smallint AS hour, 12 + h AS orders, 112.55 + h AS gto FROM generate_series(0, 23) AS h
  UNION ALL SELECT 101, 2, 13::smallint, 7, 0.1
  UNION ALL SELECT 102, 1, h::smallint, 3, 0.0000001 FROM generate_series(9, 10) AS h;

INSERT INTO uploads (restaurant_id, date, number, user_id, client_address, uploaded_at, processed, changed_hours, records)
SELECT restaurant_id, '2025-10-15', number, (SELECT id FROM users), '10.0.0.7',
  '2025-10-16 01:00:00+00'::timestamptz + make_interval(mins => number), count(*), bit_or(1 << hour), json_build_object(
    'hour', json_agg(hour), 'orders', json_agg(orders), 'gto', json_agg(gto), 'gst', json_agg(10.13), 'svc', json_agg(0),
    'discount', json_agg(0), 'pax', json_agg(2), 'cash', json_agg(gto), 'nets', json_agg(0), 'visa', json_agg(0),
    'master', json_agg(0), 'amex', json_agg(0), 'voucher', json_agg(0), 'other', json_agg(99999999999.9999))
FROM sent GROUP BY restaurant_id, number;
INSERT INTO uploads VALUES (101, '2025-10-15', 3, (SELECT id FROM users), '10.0.0.7', '2025-10-16 01:03:00+00', 24, 0, NULL);

INSERT INTO sales_days (restaurant_id, date, uploads, hours, hours_before, last_uploaded_at)
SELECT restaurant_id, date, max(number), bit_or(changed_hours), bit_or(changed_hours), max(uploaded_at)
FROM uploads GROUP BY restaurant_id, date;
INSERT INTO hourly_sales (restaurant_id, date, hour, orders, gto, gst, svc, discount, pax, cash, nets, visa, master, amex,
  voucher, other, upload_number)
SELECT DISTINCT ON (restaurant_id, hour) restaurant_id, '2025-10-15', hour, orders, gto, 10.13, 0, 0, 2, gto, 0, 0, 0, 0,
  0, 99999999999.9999, number
FROM sent ORDER BY restaurant_id, hour, number DESC;
DROP TABLE sent;

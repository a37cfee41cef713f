import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Says when a restaurant is expected to send, and turns its closed days into rows. */
export class AddScheduleToRestaurants1764200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Read before anything is locked.
    const firstSent: unknown = await runner.query(
      'SELECT restaurant_id, min(date)::text AS date FROM sales_days GROUP BY restaurant_id',
    );
    await runner.query(`
      CREATE DOMAIN weekly_hours AS integer[] CHECK (
        array_dims(VALUE) IS NOT DISTINCT FROM '[1:7]' AND array_position(VALUE, NULL) IS NULL
        AND 0 <= ALL (VALUE) AND 16777215 >= ALL (VALUE));
      -- From its first day on, a restaurant is expected to send its weekly hours: a bit mask like
      -- hour_set for each weekday, Monday first. The defaults serve the version before, which does
      -- not know the columns; it also needs the column closed, which nothing else reads any more.
      ALTER TABLE restaurants
        ADD COLUMN first_day sales_date NOT NULL DEFAULT CURRENT_DATE,
        ADD COLUMN weekly_hours weekly_hours NOT NULL DEFAULT array_fill(16777215, ARRAY[7]);
      -- No upload is accepted for a closed day, and none is missing. A null for last_day means
      -- until further notice.
      CREATE TABLE restaurant_closures (
        restaurant_id integer NOT NULL REFERENCES restaurants,
        first_day     sales_date NOT NULL,
        last_day      sales_date CHECK (last_day >= first_day),
        reason        text CHECK (char_length(reason) BETWEEN 1 AND 200),
        PRIMARY KEY (restaurant_id, first_day),
        -- int8range takes an integer into a GiST index without an extension.
        CONSTRAINT closures_do_not_overlap EXCLUDE USING gist (
          int8range(restaurant_id, restaurant_id, '[]') WITH =,
          daterange(first_day, last_day, '[]') WITH &&)
      );
      INSERT INTO restaurant_closures (restaurant_id, first_day, last_day)
      SELECT id, greatest(lower(range), '0001-01-01'),
        CASE WHEN upper(range) <= '9999-12-31' THEN upper(range) - 1 END
      FROM restaurants, unnest(closed) AS range`);
    await runner.query(
      `UPDATE restaurants
      SET first_day = least((restaurants.created_at AT TIME ZONE 'UTC')::date, sent.date)
      FROM restaurants AS same
      LEFT JOIN json_to_recordset($1) AS sent (restaurant_id integer, date date)
        ON sent.restaurant_id = same.id
      WHERE same.id = restaurants.id`,
      [JSON.stringify(firstSent)],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE restaurants SET closed = coalesce((
        SELECT range_agg(daterange(first_day, last_day, '[]')) FROM restaurant_closures
        WHERE restaurant_id = restaurants.id), '{}');
      DROP TABLE restaurant_closures;
      ALTER TABLE restaurants DROP COLUMN first_day, DROP COLUMN weekly_hours;
      DROP DOMAIN weekly_hours`);
  }
}

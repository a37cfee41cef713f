/** The sets of uploaded hours of a restaurant, by days since the first. */
export type UploadedHours = Readonly<{
  restaurantId: number;
  hours: Readonly<Record<number, number>>;
}>;

/**
 * $1: restaurants, $2, $3: first and last date. `hours` has one bit per uploaded hour, by the days
 * since $2, and lacks days without uploads. It is JSON, which is parsed faster than an array.
 */
export const READ_HOURS = {
  name: 'read_uploaded_hours',
  text: `
SELECT restaurant_id AS "restaurantId", json_object_agg(date - $2::date, hours) AS hours
FROM sales_days
WHERE restaurant_id = ANY($1::integer[]) AND date BETWEEN $2 AND $3
GROUP BY restaurant_id`,
};

/** $1: restaurants, $2: first date, $3: today. */
export const LAST_SENT = {
  name: 'read_last_sent',
  text: `
SELECT restaurant_id AS "restaurantId", max(date)::text AS date
FROM sales_days
WHERE restaurant_id = ANY($1::integer[]) AND date BETWEEN $2 AND $3
GROUP BY restaurant_id`,
};

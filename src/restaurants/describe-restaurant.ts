import { formatHours } from '../calendar/hour-set.js';
import type { Restaurant } from './restaurant.entity.js';
import type { GrantedRestaurant } from './restaurants.dto.js';

/** Describes a restaurant with its closures from a day on. */
export function describeRestaurant(restaurant: Restaurant, from: string): GrantedRestaurant {
  const { id, name, firstDay, weeklyHours, closures } = restaurant;
  const ahead = closures.filter(({ lastDay }) => lastDay === null || lastDay >= from);
  return {
    restaurant_id: id,
    name,
    first_day: firstDay,
    weekly_hours: weeklyHours.map(formatHours),
    closures: ahead.map((closure) => ({
      first_day: closure.firstDay,
      last_day: closure.lastDay,
      reason: closure.reason,
    })),
  };
}

/** Names a restaurant in texts. */
export function titleOf({ id, name }: Pick<Restaurant, 'id' | 'name'>): string {
  return `restaurant ${id} (${name})`;
}

/** A restaurant that the caller may upload for. */
export class GrantedRestaurant {
  /** Identifier, as the administrator assigned it. */
  readonly restaurant_id!: number;
  /** The name that people know it by. */
  readonly name!: string;
}

/** The restaurants that the caller may upload for, by number. */
export class RestaurantsResponse {
  readonly restaurants!: GrantedRestaurant[];
}

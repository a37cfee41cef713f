import type { Request } from 'express';

/** The pattern of the route that serves the request, of which there are few; undefined where none does. */
export function routeOf(request: Request): string | undefined {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : undefined;
}

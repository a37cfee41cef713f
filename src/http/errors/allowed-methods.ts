import type { Request } from 'express';

/** A layer of Express' router, which its types leave out. */
interface RouteLayer {
  match(path: string): unknown;
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
}

/** Lists the methods that routes serve at the request's path; empty where none does. */
export function allowedMethods(request: Request): string[] {
  const methods = new Set<string>();
  for (const layer of request.app.router.stack as readonly unknown[] as readonly RouteLayer[]) {
    if (!layer.route || !layer.match(request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

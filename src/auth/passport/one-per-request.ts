/**
 * Guard options that hand passport a copy of the strategy for every request. Passport writes a request's callbacks onto
 * the strategy and copies it first only where it is given by name: on one object shared by requests that run at the same
 * moment, the callbacks of the latest would answer them all, and one caller would be taken for another.
 */
export function onePerRequest<Strategy extends object>(strategy: Strategy): { readonly defaultStrategy: Strategy } {
  return {
    get defaultStrategy() {
      return Object.create(strategy) as Strategy;
    },
  };
}

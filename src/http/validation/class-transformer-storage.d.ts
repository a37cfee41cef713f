/** The part of class-transformer that knows which class `@Type` names; it is shipped without types at this path. */
declare module 'class-transformer/cjs/storage.js' {
  export const defaultMetadataStorage: {
    findTypeMetadata(target: object, property: string): TypeMetadata | undefined;
    findTransformMetadatas(target: object, property: string, transformationType: number): readonly object[];
    findExposeMetadata(target: object, property: string): object | undefined;
    findExcludeMetadata(target: object, property: string): object | undefined;
  };
  interface TypeMetadata {
    readonly typeFunction?: () => unknown;
    readonly options?: { readonly discriminator?: object };
  }
}

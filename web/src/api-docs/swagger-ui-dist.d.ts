declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerUi {
    preauthorizeApiKey(scheme: string, key: string): void;
  }
  /** Shows an OpenAPI document; its options are those of the documentation of Swagger UI. */
  const SwaggerUI: (options: Record<string, unknown>) => SwaggerUi;
  export { SwaggerUI as default };
}

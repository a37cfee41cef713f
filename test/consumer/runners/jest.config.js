module.exports = {
  globalSetup: './start-sales-server.mjs',
  globalTeardown: './stop-sales-server.mjs',
};

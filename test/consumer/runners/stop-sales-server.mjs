export default () => Promise.all(globalThis.salesServers.map((server) => server.stop()));

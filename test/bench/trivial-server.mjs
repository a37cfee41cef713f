import { createServer } from 'node:net';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{"success":true}';

/** Answers as soon as as many bytes have come as one request has, without looking at them: the least that HTTP can cost. */
process.once('message', ({ requestBytes }) => {
  const server = createServer({ noDelay: true }, (socket) => {
    let missing = requestBytes;
    socket.on('data', ({ length }) => {
      missing -= length;
      if (missing > 0) return;
      missing = requestBytes;
      socket.write(ANSWER);
    });
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
});
process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // Ctrl-C reaches the whole group; the parent says when to go

/** Only a test that hangs takes so long, on whatever machine. */
jest.setTimeout(600_000);

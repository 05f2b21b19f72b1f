package io.tidemark.daemon.ipamd.grpc;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where the plugin finds the daemon.
 *
 * @param socket for versions from 1.23.0
 * @param port of the loopback interface, for versions up to 1.22; 0 for any that is free
 */
public record Listening(Optional<Path> socket, OptionalInt port) {
  /** The socket that is fixed in the plugin. */
  public static final Path SOCKET = Path.of("/var/run/aws-node/ipamd.sock");

  /** The port that is fixed in the plugin. */
  public static final int PORT = 50051;

  public Listening {
    if (socket.isEmpty() && port.isEmpty()) {
      throw new IllegalArgumentException("nothing to listen on; expected a socket, a port or both");
    }
  }
}

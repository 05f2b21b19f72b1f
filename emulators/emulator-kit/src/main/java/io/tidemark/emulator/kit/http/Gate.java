package io.tidemark.emulator.kit.http;

import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Who may administer the emulator and look at it: programs of this machine, and pages that came
 * from the emulator itself. A foreign page in a browser of this machine comes with its own {@code
 * Origin}, or, when its name was bound to this machine's address, with its own {@code Host}. Pure.
 */
final class Gate {
  private static final Pattern LOOPBACK =
      Pattern.compile(
          "(localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1\\])(:[0-9]{1,5})?");

  private Gate() {}

  /**
   * Why a request is turned away; empty when it may come in.
   *
   * @param remote the address that it came from
   * @param host its header of that name
   * @param origin its header of that name, which browsers send
   */
  static Optional<String> refusal(
      InetAddress remote, Optional<String> host, Optional<String> origin) {
    if (!remote.isLoopbackAddress()) {
      return Optional.of("This answers programs of its own machine only; call it from there.");
    }
    if (host.filter(name -> LOOPBACK.matcher(name).matches()).isEmpty()) {
      return Optional.of(
          "The Host header is not a name of this machine; use localhost or 127.0.0.1.");
    }
    if (origin.isPresent() && !origin.get().equals("http://" + host.get())) {
      return Optional.of("The request comes from a page of another origin; send it without one.");
    }
    return Optional.empty();
  }
}
